cd "$SAMPLES"
"$MLVIZ" replay --sweep --resolution 8MiB --top 30 train-adamw.pickle.zst
