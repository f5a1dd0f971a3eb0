# Options stand anywhere before "--"; a value may be attached; flags may be clustered.
"$MLVIZ" help formats --json >want
"$MLVIZ" help --json formats >a
"$MLVIZ" help -qv --json -- formats >b
"$MLVIZ" help -o c --json formats
"$MLVIZ" help -od formats --json
"$MLVIZ" help -vqoe --json formats
"$MLVIZ" help --output=f --json formats
"$MLVIZ" help --output g formats --json
"$MLVIZ" help -o ignored -o h formats --json
"$MLVIZ" help -o - --json formats >i
for file in a b c d e f g h i; do
	cmp want $file
done
[ ! -e ignored ]
# Behind "--" everything is an operand.
exits 2 "$MLVIZ" help -- --json
