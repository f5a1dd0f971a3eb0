# A tar archive stands for the files in it, compressed or not, in every command; its names are those
# of the archive and of the file in it.
mkdir -p run/logs run/.hidden
cp "$SAMPLES/oom-3.6-native.pickle.zst" run/mem.pickle.zst
cp "$TESTDATA/oom-text/messages.txt" run/logs/train.log
cp "$TESTDATA/oom-text/messages.txt" run/.hidden/train.log
echo nothing >run/logs/README
tar cf run.tar run
gzip -k run.tar
zstd -q run.tar
for name in run.tar run.tar.gz run.tar.zst; do
	"$MLVIZ" info "$name" >a 2>b
	sed "s/$name/NAME/" a >"a.$name"
	sed "s/$name/NAME/" b >>"a.$name"
	cmp "a.$name" a.run.tar
done
grep -v '^  ' a.run.tar
"$MLVIZ" info - <run.tar.zst 2>/dev/null | grep -c '^standard input:run/'

echo '# what belongs together in it is one recording'
mkdir ff
cp "$TESTDATA"/strace/many/* ff/
tar cf ff.tar ff
"$MLVIZ" info ff | sed 's|^ff/||' >a
"$MLVIZ" info ff.tar | sed 's|^ff.tar:ff/||' >b
cmp a b && head -n 1 a

echo '# of a truncated or damaged one, what could be read'
head -c 40000 run.tar >short.tar
"$MLVIZ" info short.tar 2>&1 | grep -v '^  '
"$MLVIZ" report short.tar 2>/dev/null | grep 'could not be read'
exits 3 "$MLVIZ" info --strict short.tar >/dev/null 2>&1
head -c 30000 run.tar.zst >short.tar.zst
"$MLVIZ" info short.tar.zst 2>&1 | grep -v '^  '

echo '# limits'
exits 4 "$MLVIZ" info --limit files=2 run.tar 2>&1 >/dev/null
exits 4 "$MLVIZ" info --limit bytes=50K run.tar 2>&1 >/dev/null
# So few that nothing can be told by them.
exits 4 "$MLVIZ" info --limit bytes=100 run.tar 2>&1 >/dev/null
mkdir other
echo a >other/a
tar cf other.tar other
exits 3 "$MLVIZ" info other.tar

echo '# one rank is of one file'
exits 2 "$MLVIZ" info --rank 3 run.tar 2>&1 >/dev/null

echo '# from standard input it is the same report, under that name'
"$MLVIZ" report -o out run.tar.zst >/dev/null 2>&1
"$MLVIZ" report -o piped - <run.tar.zst 2>/dev/null | head -n 1
for name in report.json summary.md findings.sarif junit.xml; do
	sed 's/standard input/run.tar.zst/' piped/$name | cmp - out/$name
done

echo '# of an archive it is that of the directory, byte by byte'
mkdir packed
tar --sort=name -cf packed/run -C run .
"$MLVIZ" report -o plain run >/dev/null 2>&1
(cd packed && "$MLVIZ" report -o ../unpacked run >/dev/null 2>&1)
diff -r plain unpacked && echo the same
