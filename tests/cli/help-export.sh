"$MLVIZ" help export >a
grep -n '.\{81\}' a && exit 1
cat a
