# One program in two forms, and two programs. What is listed sums to the change of the peak.
cp "$SAMPLES"/*.pickle.* .
"$MLVIZ" diff train-adamw.pickle.zst leak-graph.pickle.zst
"$MLVIZ" diff --top 2 --ignore "reserved,largest,mlp" train-adamw.pickle.zst leak-graph.pickle.zst
"$MLVIZ" diff --json --top 3 train-adamw.pickle.zst leak-graph.pickle.zst >ab.json
"$MLVIZ" diff --json --top 3 leak-graph.pickle.zst train-adamw.pickle.zst >ba.json
cat ab.json
# Exchanged, each change has the other sign.
changes() {
	sed -n 's/.*"\(change\|change_bytes\|peak_change_bytes\)": \(-*[0-9]*\),*$/\1 \2/p' "$1"
}
changes ab.json >ab
changes ba.json | sed 's/ -/ +/; t; s/ \([1-9]\)/ -\1/' | sed 's/+//' >ba
test -s ab
diff ab ba
