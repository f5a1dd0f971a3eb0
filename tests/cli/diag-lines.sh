# What is wrong with a text is said with its line: the third record is none, the table of line 1 ends
# before its totals, line 20 of a log was cut, and of gzip data that is cut 4 lines can be read.
cat >mem.dat <<'END'
CMDLINE python train.py
MEM 10.5 1700000000.1000
MEM nothing
MEM 11.5 1700000000.2000
END
"$MLVIZ" info mem.dat >/dev/null
"$MLVIZ" info --json mem.dat | sed -n '/"diagnostics"/,/]/p'
head -8 "$TESTDATA/strace/summary.txt" >calls.txt
"$MLVIZ" info calls.txt >/dev/null
{
	echo 'Some other line.'
	sed -n '1,30p' "$TESTDATA/strace/one.txt" | sed '19s/".*//; 10s/.*/and one more/'
} >cut.log
"$MLVIZ" info -v cut.log >/dev/null
gzip -n <mem.dat | head -c 70 >mem.dat.gz
"$MLVIZ" info mem.dat.gz >/dev/null
