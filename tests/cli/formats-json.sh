"$MLVIZ" formats --json
