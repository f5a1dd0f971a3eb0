# The lines with inf or nan are printed first; the frames stand above them.
cp "$TESTDATA/underflow/linear.txt" .
grep -n -e inf -e nan -e Detected linear.txt | head -9
"$MLVIZ" info linear.txt
"$MLVIZ" top --top 4 linear.txt
"$MLVIZ" top --grep 0.d linear.txt
"$MLVIZ" timeline linear.txt
"$MLVIZ" show --line 5 linear.txt
