# Sums by name and category, and the number of events, were computed from the JSON with Python.
cp "$TESTDATA/kineto/trace.json" .
"$MLVIZ" info trace.json
"$MLVIZ" top --top 6 trace.json
"$MLVIZ" top --by count --top 3 trace.json
"$MLVIZ" top --grep Launch trace.json
"$MLVIZ" timeline trace.json
"$MLVIZ" show --span 0 trace.json
