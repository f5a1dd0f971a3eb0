# The figures were recomputed from the file by other means, and compared with what PyTorch counted.
cd "$SAMPLES"
"$MLVIZ" info multi-gpu.pickle.zst
"$MLVIZ" info --json multi-gpu.pickle.zst
