# Who is waited for, by the kernels of four traces: counts and sums were reckoned with Python from the
# traces. Dumps without durations do not tell.
[ -n "${CORPUS-}" ] || {
	echo "no recordings beside the checkout"
	exit 77
}
cd "$CORPUS"
for d in run-base run-regressed; do
	"$MLVIZ" hang -q $d | sed -n '/^who/,$p'
	"$MLVIZ" hang -q $d/fr_* | sed -n '/^who/,$p'
done
"$MLVIZ" hang -q run-base/trace-rank[0-3].json.zst
