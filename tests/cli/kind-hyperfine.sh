# The same run in three forms, as hyperfine wrote them; the figures are its own.
cp "$TESTDATA"/hyperfine/* .
cat two.csv
sed 's/  *$//' two.txt
"$MLVIZ" info two.json two.csv two.txt
"$MLVIZ" top two.json
"$MLVIZ" top two.csv
"$MLVIZ" top two.txt
"$MLVIZ" top --by min --grep 0.01 two.json
"$MLVIZ" timeline two.json
