# Tables of small inputs in full.
"$MLVIZ" export --to csv "$TESTDATA/mprof/small.dat"
"$MLVIZ" export --to csv "$TESTDATA/cgmemtime/"*.txt | head -5
"$MLVIZ" export --to csv --table spans "$TESTDATA/fr-dump" | head -4
"$MLVIZ" export --to csv --table process_groups "$TESTDATA/fr-dump"
mem=$SAMPLES/train-adamw.pickle.zst
"$MLVIZ" export --to csv "$mem" | head -3
"$MLVIZ" export --to csv --table devices "$mem"
# What was never freed sums to what info says is requested at the end.
"$MLVIZ" export --to csv "$mem" | awk -F, 'NR > 1 && $8 == "" { sum += $5 } END { printf "%.0f\n", sum }'
# A file for each table that has rows; the lines are counted as the rows are.
cp "$mem" mem.pickle.zst
"$MLVIZ" export --to csv --table all -o out --json mem.pickle.zst
echo $(cat out/* | wc -c) bytes
wc -l out/*
"$MLVIZ" export --to csv --table all -o out "$mem"
# What a spreadsheet would run.
printf '%s\n' 'Traceback (most recent call last):' '  File "a.py", line 3, in =cmd' \
	'ValueError: one, "two"' >bad.log
"$MLVIZ" export --to csv --table frames bad.log
"$MLVIZ" export --to csv --table frames --raw bad.log
"$MLVIZ" export --to csv --table findings bad.log
