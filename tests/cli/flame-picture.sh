# A small one in full; the same bytes for the same input; PNG and dark.
"$MLVIZ" flame --size 700x300 -o a.svg "$TESTDATA/py-spy/dump.txt"
sed '/<script>/,/<\/script>/d' a.svg
"$MLVIZ" flame -o b.svg "$SAMPLES/train-adamw.pickle.zst"
"$MLVIZ" flame -o c.svg "$SAMPLES/train-adamw.pickle.zst"
cmp b.svg c.svg
"$MLVIZ" flame -o - "$SAMPLES/train-adamw.pickle.zst" | cmp - b.svg
"$MLVIZ" flame --inverted -o c.svg "$SAMPLES/train-adamw.pickle.zst"
cmp -s b.svg c.svg && exit 1
"$MLVIZ" flame --theme dark -o d.png "$SAMPLES/train-adamw.pickle.zst"
head -c 4 d.png | tail -c 3
# Bars narrower than asked for are one bar each.
for min in 2 20 200; do
	"$MLVIZ" flame --min $min -o m.svg "$SAMPLES/oom-3.6-native.pickle.zst"
	sed '/<metadata/,$d' m.svg | grep -c '<rect'
done
