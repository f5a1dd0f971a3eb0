# The tables behind help, and that the same command gives the same bytes.
"$MLVIZ" help --json >all
"$MLVIZ" help --json -o again
cmp all again
"$MLVIZ" help formats --json
