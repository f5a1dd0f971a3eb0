# A column that one table of a file has and another lacks ranks the one.
printf '%s\n' \
	'--------  ------------  ------------  ------------  ' \
	'    Name      Self CPU     Self CUDA    # of Calls  ' \
	'--------  ------------  ------------  ------------  ' \
	'aten::mm       1.500ms     900.000us            12  ' \
	'aten::add      2.500ms     100.000us            70  ' \
	'--------  ------------  ------------  ------------  ' \
	'Self CPU time total: 4.000ms' \
	'Self CUDA time total: 1.000ms' \
	'	Command being timed: "python train.py"' \
	'	User time (seconds): 3.00' \
	'	Maximum resident set size (kbytes): 1628' \
	'	Exit status: 0' >log.txt
"$MLVIZ" top log.txt
"$MLVIZ" top --by "# of" log.txt
"$MLVIZ" top --by User log.txt
exits 2 "$MLVIZ" top --by nonsense log.txt
# Findings are searched as well, in both forms
printf '%s\n' 'Traceback (most recent call last):' '  File "a.py", line 3, in <module>' \
	'ValueError: one' >bad.log
"$MLVIZ" top --grep one bad.log
"$MLVIZ" top --grep two bad.log
"$MLVIZ" top --json --grep two bad.log
exits 2 "$MLVIZ" top --by nonsense "$SAMPLES/train-adamw.pickle.zst" 2>err && sed 's,/.*/,,' err
exits 2 "$MLVIZ" top --at soon "$SAMPLES/train-adamw.pickle.zst" 2>err && sed 's,/.*/,,' err
"$MLVIZ" top --json --by calls log.txt || "$MLVIZ" top --json --top 1 --grep mm log.txt
