# alpha: activations, beta: optimizer state, gamma: retained graphs; but with a batch of 8 the
# activations of synthetic-beta (548 MiB) outweigh its state (211 MiB).
[ -n "${CORPUS-}" ] || {
	echo "no recordings beside the checkout"
	exit 77
}
cd "$CORPUS/memory-reports"
for f in *.json; do
	"$MLVIZ" classify "$f" | sed -n "s/^  \(rank [0-9]*\): /$f \1 /p"
done
cd ../run-base
"$MLVIZ" classify train-rank*.log | grep confidence
