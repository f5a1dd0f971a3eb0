# Neither the name of a file nor that of its case is read.
for case in alpha-batch4 beta gamma alpha-ddp-imbalanced synthetic-beta-batch8; do
	file=$TESTDATA/memory-report/$case.json
	"$MLVIZ" classify "$file" | sed 1d >own
	sed 's/"case": "[a-z]*"/"case": "nonsense"/; s/"preset": "[a-z]*"/"preset": "gamma"/' "$file" >alpha.json
	cmp -s "$file" alpha.json && echo "the case was not replaced"
	"$MLVIZ" classify alpha.json | sed 1d >other
	cmp own other
	sed -n 1p own
done
