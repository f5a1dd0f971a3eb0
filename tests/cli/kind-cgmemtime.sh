# The report is printed first.
cp "$TESTDATA/cgmemtime/child.txt" .
cat child.txt
"$MLVIZ" info child.txt
"$MLVIZ" top child.txt
"$MLVIZ" top --by child_RSS child.txt
"$MLVIZ" timeline child.txt
