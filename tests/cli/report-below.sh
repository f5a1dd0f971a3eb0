# Files are found at any depth; what lies there beside them does no harm.
mkdir -p run/a/b run/.hidden run/empty
cp "$SAMPLES/leak-graph.pickle.zst" run/a/b/mem-rank0.pickle.zst
cp "$SAMPLES/leak-graph.pickle.zst" run/.hidden/mem-rank1.pickle.zst
ln -s mem-rank0.pickle.zst run/a/b/latest.pickle.zst
ln run/a/b/mem-rank0.pickle.zst run/a/copy.pickle.zst
ln -s .. run/a/up
ln -s nowhere run/a/gone
ln -s loop run/a/loop
mkfifo run/a/fifo
echo text >run/a/README
cp "$TESTDATA/memory-log/megatron.log" run/a/train.log 2>/dev/null || true
tar cf run/a/more.tar -C "$TESTDATA" oom-text
"$MLVIZ" report -o run/report run
cp -r run/report first
# What was written is no input, also of a report in another place.
"$MLVIZ" report -o run/report run >/dev/null
diff -r first run/report && echo 'the same below the run'
"$MLVIZ" report -o other run >/dev/null
diff -r first other && echo 'the same beside it'
sed -n '/"inputs": \[/,$p' first/report.json | grep -E '"(file|ignored)"'

echo '# what an earlier report left goes, and nothing else'
echo mine >run/report/notes.txt
cp "$SAMPLES/train-adamw.pickle.zst" one.pickle.zst
"$MLVIZ" report -o run/report one.pickle.zst >/dev/null
ls run/report

echo '# a list that names what no report writes removes and hides nothing'
mkdir claimed
cp "$SAMPLES/train-adamw.pickle.zst" claimed/mem.pickle.zst
echo mine >claimed/notes.txt
echo old >claimed/old.svg
echo '{"schema":"mlviz.report/1","files":["mem.pickle.zst","notes.txt","old.svg"]}' >claimed/report.json
"$MLVIZ" report -o claimed claimed >/dev/null
ls claimed

echo '# nothing usable, no output'
exits 3 "$MLVIZ" report -o none run/empty
exits 3 "$MLVIZ" report -o none run/a/README
[ ! -e none ] && echo 'nothing was written'
exits 5 "$MLVIZ" report -o one.pickle.zst run >/dev/null
exits 5 "$MLVIZ" report -o missing/dir run >/dev/null
exits 1 "$MLVIZ" report --fail-on error run >/dev/null
exits 0 "$MLVIZ" report --fail-on warning one.pickle.zst
