# Budgets on a run of four ranks that got worse: one of each kind of figure.
[ -d "${CORPUS-}/run-base" ] || exit 77
cp -r "$CORPUS/run-base" "$CORPUS/run-regressed" .
cat >budgets.json <<'END'
{
  "schema": "mlviz.budgets/1",
  "budgets": [
    { "name": "reserved on any rank", "metric": "reserved_peak", "max": "6 GiB" },
    { "metric": "allocated_peak", "max_increase": "80%", "floor": "64 MiB" },
    { "name": "sum of peaks", "metric": "requested_peak", "max_increase": "78.5%", "per": "sum" },
    { "metric": "growth", "max": "32 MiB" },
    { "metric": "leak", "subject": "step", "max": "1 MiB", "per": "mean" },
    { "metric": "fragmentation", "max_increase": "1%" },
    { "metric": "call_time", "subject": "aten::mm", "input": "table-*", "max_increase": "0%" },
    { "metric": "call_time", "subject": "aten::mm", "column": "CPU total", "max": "30 ms", "per": "max" },
    { "metric": "collective_wait", "max": "1.2 s" },
    { "metric": "findings", "subject": "errors", "max": 0 }
  ]
}
END
# No run differs from itself, whichever form its baseline has.
cat >none.json <<'END'
{
  "schema": "mlviz.budgets/1",
  "budgets": [
    { "metric": "reserved_peak", "max_increase": "0%", "required": true },
    { "metric": "growth", "max_increase": "0 B", "per": "mean", "required": true },
    { "metric": "fragmentation", "max_increase": "0%", "required": true },
    { "metric": "call_time", "subject": "*", "max_increase": "0%", "required": true },
    { "metric": "collective_wait", "max_increase": "0%", "required": true }
  ]
}
END
"$MLVIZ" report -q --budgets none.json --baseline run-base run-base >/dev/null
"$MLVIZ" report -q --budgets none.json --baseline none-base.json --update-baseline run-base >/dev/null || :
"$MLVIZ" report -q --budgets none.json --baseline none-base.json run-base >/dev/null

exits 1 "$MLVIZ" report -q --budgets budgets.json --baseline base.json --update-baseline run-base >/dev/null
grep -c . base.json
exits 1 "$MLVIZ" report --json --budgets budgets.json --baseline base.json run-regressed |
	sed -n '/"budgets": \[/,/^  \]/p' | grep '"message"'
