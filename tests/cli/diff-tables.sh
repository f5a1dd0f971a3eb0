# Tables of any kind: rows by subject, columns by name, digits as they were printed.
table() {
	printf '%s\n' \
		'--------  ------------  ------------  ------------  ' \
		'    Name      Self CPU     Self CUDA    # of Calls  ' \
		'--------  ------------  ------------  ------------  ' \
		"$@" \
		'--------  ------------  ------------  ------------  ' \
		'Self CPU time total: 4.000ms' \
		'Self CUDA time total: 1.000ms'
}
table 'aten::mm       1.500ms     900.000us            12  ' \
	'aten::add      2.500ms     100.000us            70  ' \
	'aten::old      0.100ms       1.000us             1  ' \
	'aten::same     0.100ms       1.000us             1  ' >a.txt
table 'aten::mm       1.500ms       1.250ms            12  ' \
	'aten::add      2.500ms      75.000us            70  ' \
	'aten::same     0.100ms       1.000us             1  ' \
	'aten::new      0.100ms       2.000us             4  ' >b.txt
"$MLVIZ" diff a.txt b.txt
"$MLVIZ" diff b.txt a.txt
"$MLVIZ" diff --ignore "Self CUDA" a.txt b.txt
"$MLVIZ" diff --ignore mm,old,new a.txt b.txt
"$MLVIZ" diff --json --top 1 a.txt b.txt
for name in a b; do
	printf '\tCommand being timed: "python %s.py"\n\tUser time (seconds): %s\n' $name 3.$name
	printf '\tMaximum resident set size (kbytes): 1628\n\tExit status: 0\n'
done | sed 's/3\.a/3.00/; s/3\.b/3.15/' >both
sed -n 1,4p both >time-a.txt
sed -n 5,8p both >time-b.txt
"$MLVIZ" diff time-a.txt time-b.txt
# Repeated runs: what stays within their spread, and what does not.
cp "$TESTDATA/hyperfine/two.json" one.json
sed 's/"mean": 0\.0/"mean": 0.9/; s/"median": 0\.0/"median": 0.9/' one.json >other.json
"$MLVIZ" diff one.json other.json
# One rank of two belongs to the same rank of one, and is named once.
cp "$TESTDATA"/memory-report/alpha.json "$TESTDATA"/memory-report/alpha-ddp-imbalanced.json .
"$MLVIZ" diff --top 3 alpha.json alpha-ddp-imbalanced.json
# A fact may be stated as nothing.
sed 's/"torch_version": "[^"]*"/"torch_version": ""/' alpha.json >untold.json
"$MLVIZ" diff untold.json alpha.json
# A command line may be long: it is cut where it is said twice.
for side in 1.0 2.0; do
	printf '\tCommand being timed: "python %0150d"\n\tUser time (seconds): %s\n' 7 $side >long-$side.txt
	printf '\tMaximum resident set size (kbytes): 1628\n\tExit status: 0\n' >>long-$side.txt
done
"$MLVIZ" diff long-1.0.txt long-2.0.txt | sed -n 3p
