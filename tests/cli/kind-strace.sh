# Sums by call were computed from the log with awk, as for the demo program's 94 calls in strace-files.sh.
cp "$TESTDATA/strace/one.txt" "$TESTDATA/strace/summary.txt" "$TESTDATA/strace/stacks.txt" .
grep -E ' read\(|<... read resumed' one.txt | awk '/= [0-9]+ </ { match($0, /<[0-9.]+>$/)
	s += substr($0, RSTART + 1, RLENGTH - 2); n++ } END { print n, "read", s * 1e6, "us" }'
"$MLVIZ" info one.txt
"$MLVIZ" top --top 3 one.txt
"$MLVIZ" top --by count --grep rea --top 2 one.txt
"$MLVIZ" top --errors one.txt
"$MLVIZ" top --errors --grep nothing one.txt
"$MLVIZ" timeline one.txt
"$MLVIZ" show --line 18 one.txt
"$MLVIZ" show --span 0 stacks.txt
sed -n '1,5p;$p' summary.txt
"$MLVIZ" info summary.txt
"$MLVIZ" top --top 3 summary.txt
"$MLVIZ" top --by calls --top 2 summary.txt
"$MLVIZ" timeline summary.txt
