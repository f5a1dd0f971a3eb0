# The first line of a report is what a reader wants to know first; docs of the recordings say what
# is wrong with each.
[ -n "${CORPUS-}" ] || {
	echo 'skipped: no corpus'
	exit 77
}
for name in "$CORPUS"/flight-recorder/*; do
	"$MLVIZ" report -q "$name" | head -n 1
done
mkdir oom
cp "$CORPUS"/snapshots/oom-3.6-native.* oom/
"$MLVIZ" report -q oom
"$MLVIZ" report -q "$CORPUS/snapshots/leak-graph.pickle.zst" | head -n 7
"$MLVIZ" report -q "$CORPUS/snapshots/train-adamw.pickle.zst"
"$MLVIZ" report -q "$CORPUS/snapshots/empty.pickle.zst"
"$MLVIZ" report -q "$CORPUS/run-base" | grep -v '^       '
"$MLVIZ" report -q "$CORPUS/memory-reports" | grep -E "^  [0-9]" | head -n 8
"$MLVIZ" report -q --top 9 "$CORPUS/text"
# A dump that may be of any rank is no proof that all is well.
mkdir nameless
cp "$CORPUS/flight-recorder/size-4/fr_0" nameless/dump
"$MLVIZ" report -q nameless
