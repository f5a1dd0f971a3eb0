# What was done in each is in tests/data/README.md; calls, lines and numbers were read from the pickles
# with Python and from the logs by eye.
cp -r "$TESTDATA/hang/"* .
for d in *; do
	echo "== $d, dumps and log"
	"$MLVIZ" hang $d
	echo "== $d, dumps alone"
	"$MLVIZ" hang $d/fr_*
	echo "== $d, log alone"
	"$MLVIZ" hang $d/watchdog.log
done
"$MLVIZ" hang --stacks order-2 | grep -c distributed_c10d
