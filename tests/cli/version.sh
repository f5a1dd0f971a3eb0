"$MLVIZ" --version
