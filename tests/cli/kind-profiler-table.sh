# The rows that are printed, with the digits of the table: its lines are printed first, cut.
cp "$TESTDATA/profiler-table/memory.txt" .
awk '$1 ~ /^aten::(mm|sum|addmm|empty)$/ { print $1, $2, $3, $7, $8, $(NF - 1) }' memory.txt
sed -n '/^---/,/^Self/p' memory.txt | grep -v -e --- -e Self -e Name | grep -c .
tail -3 memory.txt
"$MLVIZ" info memory.txt
"$MLVIZ" top --top 3 memory.txt
"$MLVIZ" top --by 'Self CPU %' --top 2 memory.txt
"$MLVIZ" top --by 'CUDA Mem' --grep mm memory.txt
"$MLVIZ" timeline memory.txt
