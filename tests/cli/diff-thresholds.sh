# A gate: thresholds of either kind, what passes them, and what cannot be judged.
cp "$SAMPLES"/train-adamw.pickle.zst "$SAMPLES"/leak-graph.pickle.zst "$SAMPLES"/ring-2000.pickle.zst .
gate() {
	code=$1
	limits=$2
	shift 2
	echo "== $limits"
	exits "$code" "$MLVIZ" diff --top 0 --fail-on "$limits" "$@" >out
	grep -A1 '^  threshold' out || true
}
gate 1 'peak>+5%' train-adamw.pickle.zst leak-graph.pickle.zst
gate 0 'peak>+14%' train-adamw.pickle.zst leak-graph.pickle.zst
gate 1 'growth>+1MiB, reserved>+10MiB' train-adamw.pickle.zst leak-graph.pickle.zst
gate 0 'reserved>+42MiB' train-adamw.pickle.zst leak-graph.pickle.zst
gate 1 'peak<-10%' leak-graph.pickle.zst train-adamw.pickle.zst
gate 0 'segments>+76,segments>+200%' train-adamw.pickle.zst leak-graph.pickle.zst
# It began in the middle: a sum over it is no peak.
gate 0 'peak>+1%' ring-2000.pickle.zst leak-graph.pickle.zst
gate 1 'peak>+1%,unknown' ring-2000.pickle.zst leak-graph.pickle.zst
for side in 1.00 1.05; do
	printf '\tCommand being timed: "python train.py"\n\tUser time (seconds): %s\n' $side >$side.txt
	printf '\tMaximum resident set size (kbytes): 1628\n\tExit status: 0\n' >>$side.txt
done
gate 1 'User time>+4%' 1.00.txt 1.05.txt
gate 0 'user time>+100ms' 1.00.txt 1.05.txt
gate 0 'Maximum resident set size>+0%' 1.00.txt 1.05.txt
# A rank, or a device, that one side lacks is held against nothing.
mkdir a b
cp train-adamw.pickle.zst a/mem-rank0.pickle.zst
cp leak-graph.pickle.zst b/mem-rank0.pickle.zst
cp leak-graph.pickle.zst b/mem-rank1.pickle.zst
cp 1.05.txt b
gate 0 'peak>+14%' a b
gate 1 'peak>+14%,unknown' a b
gate 0 'peak>+1000%' "$SAMPLES/multi-gpu.pickle.zst" train-adamw.pickle.zst
gate 1 'peak>+1000%,unknown' "$SAMPLES/multi-gpu.pickle.zst" train-adamw.pickle.zst
# Nothing that is judged is no pass.
rm b/mem-rank0.pickle.zst
gate 3 'peak>+14%' a b
gate 2 'reserved>+1ms' train-adamw.pickle.zst leak-graph.pickle.zst
gate 2 'user time>+1MiB' 1.00.txt 1.05.txt
gate 2 'peak>+5%' --ignore peak train-adamw.pickle.zst leak-graph.pickle.zst
gate 2 'peak>+5%' --device 5 train-adamw.pickle.zst leak-graph.pickle.zst
for limits in '' ' ' , unknown peak 'peak>' 'peak>x' '>5%' 'peak>+5%,nonsense'; do
	exits 2 "$MLVIZ" diff --fail-on "$limits" train-adamw.pickle.zst leak-graph.pickle.zst
done
exits 2 "$MLVIZ" diff -q --fail-on 'nonsense>1%' 1.00.txt 1.05.txt >out
"$MLVIZ" diff --json --fail-on 'peak>+5%' train-adamw.pickle.zst leak-graph.pickle.zst >out ||
	sed -n '/"thresholds"/,$p' out
