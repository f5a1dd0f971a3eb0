# 16 lines of 8 figures. Those of "before fwd" are printed first: growth is the last less the first.
cp "$TESTDATA/memory-log/train-rank0.log" .
grep -A1 'before fwd' train-rank0.log | grep MA
"$MLVIZ" info train-rank0.log
"$MLVIZ" top --grep 'before fwd' train-rank0.log
"$MLVIZ" top --grep host --by last --top 2 train-rank0.log
"$MLVIZ" timeline train-rank0.log
"$MLVIZ" show --line 2 train-rank0.log
