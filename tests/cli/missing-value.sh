exits 2 "$MLVIZ" timeline x --size
exits 2 "$MLVIZ" timeline x -o
exits 2 "$MLVIZ" timeline x --limit
exits 2 "$MLVIZ" timeline --title --json x
