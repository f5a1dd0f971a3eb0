# Every figure stands in the box, which is printed first; figures of one column are ranked by bytes.
cp "$TESTDATA/memory-summary/abbreviated.txt" box.txt
grep '|' box.txt | grep -v -e --- -e ===
"$MLVIZ" info box.txt
"$MLVIZ" top box.txt
"$MLVIZ" top --by 'Cur Usage' --grep allocs box.txt
"$MLVIZ" timeline box.txt
