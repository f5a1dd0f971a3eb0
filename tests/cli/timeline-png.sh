# A PNG of the right size, the same every time.
size() {
	od -An -tu1 -j16 -N8 "$1" | awk '{ print $3 * 256 + $4 "x" $7 * 256 + $8 }'
}
cp "$SAMPLES/train-adamw.pickle.zst" .
"$MLVIZ" timeline train-adamw.pickle.zst -o one.png
"$MLVIZ" timeline -o two.png train-adamw.pickle.zst
cmp one.png two.png
od -An -c -N8 one.png
size one.png
"$MLVIZ" timeline train-adamw.pickle.zst -o small.png --size 640x360 --theme dark
size small.png
ls
