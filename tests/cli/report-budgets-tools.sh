# Budgets on what tools of the system measure: calls of strace, time and memory of commands.
mkdir run
cp "$TESTDATA/strace/one.txt" run/strace.txt
cp "$TESTDATA/gnu-time/verbose.txt" "$TESTDATA/shell-time/bash.txt" "$TESTDATA/hyperfine/two.json" run
cp "$TESTDATA/cprofile/small.prof" run
grep -h 'Elapsed\|Maximum\|= -1 E' run/*.txt
cat >budgets.json <<'END'
{
  "schema": "mlviz.budgets/1",
  "budgets": [
    { "metric": "wall_time", "subject": "sh -c *", "max": "220 ms" },
    { "metric": "wall_time", "subject": "sleep 0.0?", "max": "30 ms" },
    { "metric": "max_rss", "max": "1703 KiB" },
    { "metric": "failed_calls", "max": 0 },
    { "metric": "failed_calls", "subject": "* ENOENT", "max": 1 },
    { "metric": "call_time", "subject": "*train.py*", "max": "1 s" },
    { "metric": "call_time", "subject": "*train.py*", "column": "cumtime", "max": "1 s", "input": "small.*" },
    { "metric": "call_time", "subject": "openat", "max": "10 us" }
  ]
}
END
exits 1 "$MLVIZ" report --json --budgets budgets.json run | sed -n '/"budgets": \[/,/^  \]/p' | grep '"state"\|"message"'
