# Python printed two tracebacks, the first line of the second at line 11; frames are innermost first.
cp "$TESTDATA/traceback/chained.txt" .
grep -n -e File -e Error chained.txt
"$MLVIZ" info chained.txt
"$MLVIZ" top --grep Runtime chained.txt
"$MLVIZ" show --line 12 chained.txt
"$MLVIZ" show --line 2 chained.txt
