# First, last and largest value of each column, and how often it changed, were taken from the JSON with
# Python: activations grow from 524288 to 7352320 bytes in 23 steps after the first row, which has none.
cp "$TESTDATA/memory-timeline/timeline.json" .
"$MLVIZ" info timeline.json
"$MLVIZ" top timeline.json
"$MLVIZ" top --by last --grep t --top 2 timeline.json
"$MLVIZ" timeline timeline.json
