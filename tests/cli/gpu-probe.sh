# Where the driver puts memory: which profile explains it, kept for what-ifs.
export MLVIZ_LIBCUDA="$FAKECUDA_LIB"
for policy in chunks ascending descending; do
	FAKECUDA="capacity=140G policy=$policy" "$MLVIZ" replay --probe -o $policy.json
	"$MLVIZ" replay --profile $policy.json --conf max_split_size_mb:64 \
		"$SAMPLES/train-adamw.pickle.zst" | grep 'profile'
done
head -9 chunks.json
FAKECUDA='capacity=140G' "$MLVIZ" replay --probe --json | cmp -n 200 - chunks.json
FAKECUDA='capacity=1G' exits 6 "$MLVIZ" replay --probe -o none.json
FAKECUDA='fail=cuMemAlloc:30:UNKNOWN' exits 6 "$MLVIZ" replay --probe -o none.json
FAKECUDA='fail=cuMemAlloc:30:OUT_OF_MEMORY' "$MLVIZ" replay --probe
exits 2 "$MLVIZ" replay --profile none.json "$SAMPLES/train-adamw.pickle.zst"
echo '{"schema": "mlviz.addresses/1"}' >none.json
exits 3 "$MLVIZ" replay --profile none.json "$SAMPLES/train-adamw.pickle.zst"
