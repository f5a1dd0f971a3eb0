# MA "before fwd" is 1.81, 2.06 and 2.31 GiB in steps 1 to 3, and 2.56 "after step" at the end.
cd "$TESTDATA"
"$MLVIZ" classify memory-log/leak.log
"$MLVIZ" classify memory-timeline/timeline.json
[ -z "${CORPUS-}" ] || "$MLVIZ" classify "$CORPUS/profiler/memory-timeline.json" >"$OLDPWD/out"
# Growth that begins late, in steps 9 to 11 of 12, is not steady, and it is not said to be none.
cd "$OLDPWD"
for i in 0 1 2 3 4 5 6 7 8 9 10 11; do
	base=$((2 + (i > 8 ? i - 8 : 0)))
	for when in fwd:0 bwd:2 step:1; do
		echo "[0] mp: before ${when%:*}"
		echo "[0] mp: MA $((base + ${when#*:})).00 GiB | Max_MA 9.00 GiB | CA 9.00 GiB | Max_CA 9.00 GiB | NV 9.00 GiB | CPU mem: proc 0.72 GiB / node 1.18 GiB (0.5%)"
	done
done >late.log
"$MLVIZ" classify late.log | sed -n '2p;/baseline/p'
"$MLVIZ" classify --json late.log | grep confidence
