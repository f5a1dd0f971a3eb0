# What the C++ writer leaves. The figures were recomputed from the file by other means, and compared
# with what PyTorch counted.
cd "$SAMPLES"
"$MLVIZ" info cpp-pickle.cpp.pickle.gz
"$MLVIZ" info --json cpp-pickle.cpp.pickle.gz
