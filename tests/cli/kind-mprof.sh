# The file is printed first.
cp "$TESTDATA/mprof/small.dat" .
cat small.dat
"$MLVIZ" info small.dat
"$MLVIZ" top small.dat
"$MLVIZ" top --by most --top 1 small.dat
"$MLVIZ" top --grep 4711 small.dat
"$MLVIZ" timeline small.dat
"$MLVIZ" show --line 4 small.dat
