exits 2 "$MLVIZ" info
exits 2 "$MLVIZ" timeline --json
exits 2 "$MLVIZ" formats x
exits 2 "$MLVIZ" help info timeline
