# Python printed two tracebacks, the first line of the second at line 11; frames are innermost first.
cp "$TESTDATA/traceback/chained.txt" .
grep -n -e File -e Error chained.txt
"$MLVIZ" info chained.txt
"$MLVIZ" top --grep Runtime chained.txt
"$MLVIZ" show --line 12 chained.txt
"$MLVIZ" show --line 2 chained.txt
# Whose lines they are, by the prefix
printf '(Worker pid=%d) %s\n' 7 'Traceback (most recent call last):' 9 'Traceback (most recent call last):' \
	7 '  File "a.py", line 3, in f' 9 '  File "a.py", line 3, in f' 7 'ValueError: one' 9 'ValueError: one' \
	8 'Traceback (most recent call last):' 8 '  File "b.py", line 3, in f' 8 "KeyError: 'x'" >workers.log
"$MLVIZ" info workers.log
