# Whatever kind of row there are too many of, the message says so and how to raise the limit.
cat >traceback.log <<'EOF'
Traceback (most recent call last):
  File "train.py", line 3, in <module>
    step()
ValueError: bad
EOF
cat >watchdog.log <<'EOF'
[rank0]:[E ProcessGroupNCCL.cpp:616] [Rank 0] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=5, OpType=ALLREDUCE, NumelIn=1, NumelOut=1, Timeout(ms)=600000) ran for 600027 milliseconds before timing out.
EOF
cat >mprof.dat <<'EOF'
CMDLINE python x.py
FUNC main 1.5 1.0 2.5 2.0
MEM 1.500000 1.0000
EOF
cat >time.txt <<'EOF'

real	0m0.012s
user	0m0.004s
sys	0m0.008s
EOF
cat >report.json <<'EOF'
{"parameter_count": 7, "rank_reports": [{"rank": 0, "samples": [{"step": 0, "allocated_mb": 1}]}]}
EOF
cp "$TESTDATA/strace/all.txt" "$TESTDATA/strace/columns.txt" .
for file in traceback.log watchdog.log mprof.dat time.txt report.json all.txt columns.txt; do
	exits 4 "$MLVIZ" info --limit rows=0 "$file"
done
for file in time.txt all.txt columns.txt; do
	exits 4 "$MLVIZ" info --limit rows=1 "$file"
done
