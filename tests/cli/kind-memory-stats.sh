# The four counters of each that is printed stand in the JSON, in bytes.
cp "$TESTDATA/memory-stats/stats.json" .
grep -E '"(reserved_bytes.all|active_bytes.all|num_|segment.all)' stats.json
"$MLVIZ" info stats.json
"$MLVIZ" top --top 3 stats.json
"$MLVIZ" top --by count stats.json --top 1 --grep num
"$MLVIZ" top --grep segment.all stats.json
"$MLVIZ" timeline stats.json
