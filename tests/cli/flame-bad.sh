mem=$SAMPLES/train-adamw.pickle.zst
exits 2 "$MLVIZ" flame -o out.gif "$mem"
exits 2 "$MLVIZ" flame --value end --at 7 "$mem"
exits 2 "$MLVIZ" flame --size 100x60 -o a.svg "$mem"
exits 2 "$MLVIZ" flame --at oom -o a.svg "$mem" 2>err && sed 's,/.*/,,' err >&2
exits 2 "$MLVIZ" flame --device 3 --value peak -o a.svg "$mem"
# Not the time of its spans instead.
exits 2 "$MLVIZ" flame --device 3 -o a.svg "$mem"
exits 2 "$MLVIZ" flame --device 0 --value time -o a.svg "$mem"
exits 2 "$MLVIZ" export --to folded --device 3 "$mem"
exits 3 "$MLVIZ" flame -o a.svg "$TESTDATA/memory-report/alpha.json"
exits 3 "$MLVIZ" flame -o a.svg none
exits 5 "$MLVIZ" flame -o none/a.svg "$mem"
test -z "$(ls *.svg 2>/dev/null)"
