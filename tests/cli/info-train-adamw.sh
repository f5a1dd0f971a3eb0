# The figures were recomputed from the file by other means, and compared with what PyTorch counted.
cd "$SAMPLES"
"$MLVIZ" info train-adamw.pickle.zst
"$MLVIZ" info --json train-adamw.pickle.zst
