# All ways to ask for the help of a command give the same page, whatever else is on the line.
"$MLVIZ" help timeline >a
"$MLVIZ" timeline --help >b
"$MLVIZ" -h timeline >c
"$MLVIZ" timeline one two --no-such-option -h >d
cmp a b
cmp a c
cmp a d
# Eighty columns at most.
grep -n '.\{81\}' a && exit 1
cat a
