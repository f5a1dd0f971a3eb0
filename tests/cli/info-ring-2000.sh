# The figures were recomputed from the file by other means, and compared with what PyTorch counted.
cd "$SAMPLES"
"$MLVIZ" info ring-2000.pickle.zst
"$MLVIZ" info --json ring-2000.pickle.zst
