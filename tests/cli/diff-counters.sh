# A snapshot against what PyTorch itself counted, and against a trace and a report of the same run.
[ -d "${CORPUS-}/snapshots" ] || exit 77
cp "$CORPUS"/snapshots/train-adamw.pickle.zst "$CORPUS"/snapshots/train-adamw.stats.json .
cp "$CORPUS"/snapshots/train-adamw-bs8.stats.json "$CORPUS"/memory-reports/gamma.json .
cp "$CORPUS"/memory-reports/gamma-snapshot-rank0.pickle.zst gamma.pickle.zst
cp "$CORPUS"/run-base/mem-rank0.pickle.zst "$CORPUS"/run-base/trace-rank0.json.zst .
"$MLVIZ" diff train-adamw.pickle.zst train-adamw.stats.json
"$MLVIZ" diff train-adamw.pickle.zst train-adamw-bs8.stats.json
"$MLVIZ" diff gamma.pickle.zst gamma.json
"$MLVIZ" diff trace-rank0.json.zst mem-rank0.pickle.zst
"$MLVIZ" diff --json gamma.pickle.zst gamma.json | sed -n '/"counters"/,/"phases"/p'
exits 1 "$MLVIZ" diff --fail-on 'peak>+1%,reserved>+1GiB' train-adamw.pickle.zst train-adamw-bs8.stats.json |
	grep -A1 threshold
cp "$CORPUS"/snapshots/ring-2000.pickle.zst .
exits 0 "$MLVIZ" diff --fail-on 'peak>+1%' ring-2000.pickle.zst train-adamw-bs8.stats.json | grep -e unknown -e complete
