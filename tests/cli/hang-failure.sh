# Rank 1 runs out of memory; rank 0 waits for it, times out, aborts, and is what the launcher calls
# the root cause.
cp "$TESTDATA/hang-logs/"* .
"$MLVIZ" hang oom-then-timeout.log
# The same with each rank's lines in a file of its own: there is only one failure, whichever came first.
grep '^.rank0' oom-then-timeout.log >rank0.log
grep '^.rank1' oom-then-timeout.log >rank1.log
"$MLVIZ" hang rank0.log rank1.log | head -7
# Of two failures in two logs it is not known which came first.
sed 's/rank1/rank0/' rank1.log >>rank0.log
"$MLVIZ" hang rank0.log rank1.log | head -7
# Main threads by py-spy: one of four is elsewhere.
"$MLVIZ" hang -q rank*.pyspy.txt
