# What each option of the picture changes in it.
cp "$SAMPLES/train-adamw.pickle.zst" "$SAMPLES/oom-3.6-native.pickle.zst" .
text() {
	"$MLVIZ" timeline -o - "$@" | sed -n 's/.*<text[^>]*>\(.*\)<\/text>.*/\1/p'
}
echo "== --color size"
text --color size train-adamw.pickle.zst | sed -n '/^Alive/,/^reserved, not/p'
echo "== --color stream"
text --color stream train-adamw.pickle.zst | sed -n '/^Alive/,/^reserved, not/p'
echo "== --color pool"
text --color pool train-adamw.pickle.zst | sed -n '/^Alive/,/^reserved, not/p'
echo "== --color lifetime"
text --color lifetime "$SAMPLES/leak-graph.pickle.zst" | sed -n '/^Alive/,/^reserved, not/p'
echo "== --x time"
text --x time train-adamw.pickle.zst | grep -e ' s$' -e '^time'
echo "== --capacity"
text --capacity 3.6GiB oom-3.6-native.pickle.zst | grep capacity
echo "== --title"
text --title 'A & B <run 7>' train-adamw.pickle.zst | head -n 1
echo "== --top 1"
text --top 1 train-adamw.pickle.zst | sed -n '/^Alive/,/^reserved, not/p'
echo "== --theme"
for theme in light dark; do
	"$MLVIZ" timeline --theme $theme train-adamw.pickle.zst -o - | grep -m 1 '<rect'
done
echo "== --top beyond what fits the page"
for top in 8 1000000; do
	"$MLVIZ" timeline --size 800x400 --top $top train-adamw.pickle.zst -o top-$top.svg
done
cmp top-8.svg top-1000000.svg && echo "the same picture"
