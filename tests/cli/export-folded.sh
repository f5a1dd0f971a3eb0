# Folded stacks sum to what info says, to the byte; the sums of spans were reckoned from the JSON
# with Python.
sum() {
	awk '{ sum += $NF } END { printf "%.0f\n", sum }'
}
for sample in "$SAMPLES"/*.pickle.*; do
	peaks=$("$MLVIZ" info "$sample" | sed -n 's/^ *requested .*(\([0-9]*\) bytes).*/\1/p' | sum)
	test "$("$MLVIZ" export --to folded "$sample" | sum)" = "$peaks"
	echo "$(basename "$sample") $peaks"
done
oom=$SAMPLES/oom-3.6-native.pickle.zst
"$MLVIZ" export --to folded "$oom" | head -3
test "$("$MLVIZ" export --to folded "$oom")" = "$("$MLVIZ" export --to folded --at peak "$oom")"
test "$("$MLVIZ" export --to folded --value end "$oom")" = \
	"$("$MLVIZ" export --to folded --at end "$oom")"
"$MLVIZ" export --to folded --value allocated "$oom" | sum
"$MLVIZ" export --to folded --at oom "$oom" | sum
"$MLVIZ" export --to folded --at 100 "$oom" | sum
"$MLVIZ" export --to folded --grep attention "$oom" | sum
# Two devices stand beside each other.
"$MLVIZ" export --to folded "$SAMPLES/multi-gpu.pickle.zst" | sed 's/;.*//' | sort -u
"$MLVIZ" export --to folded --device 1 "$SAMPLES/multi-gpu.pickle.zst" | sum
# Spans within others, spans with stacks, threads.
"$MLVIZ" export --to folded "$TESTDATA/kineto/trace.json"
"$MLVIZ" export --to folded "$TESTDATA/fr-dump" | cut -c-100
"$MLVIZ" export --to folded "$TESTDATA/py-spy/dump.txt"
"$MLVIZ" export --to folded --json -o out.folded "$TESTDATA/py-spy/dump.txt"
wc -c <out.folded
