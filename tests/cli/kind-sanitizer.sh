# Records begin where grep finds them; equal ones of several threads are one.
cp "$TESTDATA"/sanitizer/* .
grep -n -e Invalid -e Leaked -e 'Race reported' -e SUMMARY -e 'Program hit' memcheck.txt leakcheck.txt racecheck.txt
"$MLVIZ" info memcheck.txt leakcheck.txt racecheck.txt
"$MLVIZ" top --grep 1,024 leakcheck.txt
"$MLVIZ" show --line 2 memcheck.txt
"$MLVIZ" show --line 14 leakcheck.txt
