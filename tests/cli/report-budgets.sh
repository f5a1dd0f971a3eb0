# Budgets that are kept, passed and not judged; baselines as a file, as recordings, and missing.
mkdir run && cp "$SAMPLES/leak-graph.pickle.zst" run
cat >budgets.json <<'END'
{
  "schema": "mlviz.budgets/1",
  "budgets": [
    { "name": "peak", "metric": "reserved_peak", "max": "1 GiB", "required": true },
    { "metric": "growth", "max": "1 MiB" },
    { "metric": "leak", "subject": "*", "max": "32 MiB" },
    { "metric": "allocated_peak", "max_increase": "5%", "floor": "1 MiB" },
    { "metric": "wall_time", "max": "10 s" }
  ]
}
END
exits 1 "$MLVIZ" report --budgets budgets.json --top 2 run

echo "== a baseline that is written"
exits 1 "$MLVIZ" report --budgets budgets.json --baseline base.json --update-baseline run | grep allocated_peak
cat base.json
exits 1 "$MLVIZ" report --budgets budgets.json --baseline base.json run | grep budgets:
echo "== and was less"
sed '/allocated_peak/s/"value": [0-9]*/"value": 100000000/' base.json >less.json
exits 1 "$MLVIZ" report --budgets budgets.json --baseline less.json run | grep allocated_peak
echo "== recordings"
exits 1 "$MLVIZ" report --budgets budgets.json --baseline run run | grep budgets:

echo "== what is required and not measured"
cat >need.json <<'END'
{ "schema": "mlviz.budgets/1", "budgets": [
  { "metric": "collective_wait", "max": "1 s", "required": true } ] }
END
exits 1 "$MLVIZ" report --budgets need.json run | grep collective_wait

echo "== documents"
exits 1 "$MLVIZ" report -q --budgets budgets.json --attachments out/ -o out run >/dev/null
cat out/junit.xml
sed -n '/"budgets": \[/,/^  \]/p' out/report.json

echo "== errors"
printf '{"schema": "mlviz.budgets/1",\n "budgets": [{"metric": "growht"}]}' >bad.json
exits 3 "$MLVIZ" report --budgets bad.json run
exits 3 "$MLVIZ" report --budgets missing.json run
exits 2 "$MLVIZ" report --update-baseline run
exits 2 "$MLVIZ" report --update-baseline --baseline run run
exits 2 "$MLVIZ" report --baseline base.json run
