# The figures were recomputed from the file by other means, and compared with what PyTorch counted.
cd "$SAMPLES"
"$MLVIZ" info oom-3.6-native.pickle.zst
"$MLVIZ" info --json oom-3.6-native.pickle.zst
