# Without arguments: short help on standard error, and exit code 2.
"$MLVIZ"
