exits 2 "$MLVIZ" timeline --colr size x
exits 2 "$MLVIZ" timeline --stirct x
exits 2 "$MLVIZ" timeline --fro=1 x
exits 2 "$MLVIZ" timeline --zebra x
exits 2 "$MLVIZ" timeline -output x
exits 2 "$MLVIZ" timeline -qz x
exits 2 "$MLVIZ" timeline --json=yes x
