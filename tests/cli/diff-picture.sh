# Pictures: what stands in them, that they are the same each time, and how they fail.
cp "$SAMPLES"/train-adamw.pickle.zst "$SAMPLES"/leak-graph.pickle.zst "$TESTDATA"/hyperfine/two.json .
texts() {
	sed -n 's/.*<text[^>]*>\(.*\)<\/text>.*/\1/p' "$1"
}
"$MLVIZ" diff -o a.svg train-adamw.pickle.zst leak-graph.pickle.zst | tail -n 1
"$MLVIZ" diff -o b.svg train-adamw.pickle.zst leak-graph.pickle.zst >/dev/null
cmp a.svg b.svg
texts a.svg
for align in start step peak; do
	"$MLVIZ" diff -q --align $align --x time -o $align.svg train-adamw.pickle.zst leak-graph.pickle.zst >/dev/null
	texts $align.svg | grep -e '^step' -e '^time' -e '^event'
done
"$MLVIZ" diff -o a.png --theme dark --size 900x600 train-adamw.pickle.zst leak-graph.pickle.zst >/dev/null
head -c 4 a.png | tail -c 3
echo
sed 's/"mean": 0\.0/"mean": 0.9/' two.json >other.json
"$MLVIZ" diff -o table.svg two.json other.json >/dev/null
texts table.svg
"$MLVIZ" diff -o - two.json other.json | head -c 4 || true
echo
exits 3 "$MLVIZ" diff -q -o none.svg two.json two.json
test ! -e none.svg
exits 2 "$MLVIZ" diff -q -o small.svg --size 200x150 train-adamw.pickle.zst leak-graph.pickle.zst
exits 5 "$MLVIZ" diff -q -o missing/a.svg two.json other.json >/dev/null
exits 2 "$MLVIZ" diff --align nonsense two.json other.json
# Looked at: where room is short the names stay readable, and the values behind a change give way.
"$MLVIZ" diff -q --size 800x450 -o short.svg train-adamw.pickle.zst leak-graph.pickle.zst >words
grep -o '>[^<]*train_step gen[^<]*<\|>[^<]*by st[^<]*<\|>[-+][0-9.]* MiB *(*[^<]*<' short.svg | head -12
# That a change is within the spread stays, too.
sed 's/"mean": 0\.0/"mean": 0.021/; s/"median": 0\.0/"median": 0.021/' two.json >near.json
"$MLVIZ" diff -q --size 500x400 -o near.svg two.json near.json >/dev/null
texts near.svg
