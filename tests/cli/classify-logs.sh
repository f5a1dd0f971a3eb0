# MA "before fwd" is 1.81, 2.06 and 2.31 GiB in steps 1 to 3, and 2.56 "after step" at the end.
cd "$TESTDATA"
"$MLVIZ" classify memory-log/leak.log
"$MLVIZ" classify memory-timeline/timeline.json
[ -z "${CORPUS-}" ] || "$MLVIZ" classify "$CORPUS/profiler/memory-timeline.json" >"$OLDPWD/out"
