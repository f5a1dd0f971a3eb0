"$MLVIZ" formats
