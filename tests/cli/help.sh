# All ways to ask for the overview give the same page, on standard output.
"$MLVIZ" help >a
"$MLVIZ" --help >b
"$MLVIZ" -h >c
cmp a b
cmp a c
cat a
