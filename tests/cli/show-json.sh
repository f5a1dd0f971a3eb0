# One item of every kind. Each figure stands in the text that it was read from: the lines are printed
# beside it; the event was looked up in the pickle with Python, and born and died by its address there.
cp -r "$TESTDATA/strace/many" "$TESTDATA/strace/stacks.txt" "$SAMPLES/ring-2000.pickle.zst" .
cp "$SAMPLES/train-adamw.pickle.zst" .
sed -n 2p many/many.30247
"$MLVIZ" show --json --line 2 many/many.30247
sed -n 3p many/many.30248
"$MLVIZ" show --json --line 3 many/many.30248
"$MLVIZ" show --json --event 3 many | sed 1,5d
"$MLVIZ" show --json --event 2 ring-2000.pickle.zst | sed 1,5d
"$MLVIZ" show --json --addr 0x7feffbe01000 train-adamw.pickle.zst | grep -v -e '"f[ui][nl]' -e '"line"' -e '  [{}],*$'
# A text and the same as JSON
"$MLVIZ" show --stack 2 stacks.txt
"$MLVIZ" show --json --stack 2 stacks.txt
printf 'CMDLINE python train.py\nMEM 10.5 1700000000.1000\n' >mem.dat
"$MLVIZ" show --json --line 2 mem.dat
# Of several files each has its name
"$MLVIZ" show --line 2 many/many.30247 mem.dat
# Nothing there: an empty list, and the exit code says so
exits 2 "$MLVIZ" show --json --line 99 mem.dat
exits 2 "$MLVIZ" show --json mem.dat
