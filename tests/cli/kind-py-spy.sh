# Threads and frames as they stand in the dumps, innermost first.
cp "$TESTDATA"/py-spy/* .
cat dump.txt
"$MLVIZ" info dump.txt dump.json
"$MLVIZ" top --grep Thread-1 dump.txt
"$MLVIZ" show --line 4 dump.txt
"$MLVIZ" top dump.json
