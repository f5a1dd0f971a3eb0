# Wrong values are told before anything is read or written.
cp "$SAMPLES/train-adamw.pickle.zst" in
for option in '--color=rainbow' '--x=steps' '--capacity=big' '--device=-1' '--device=gpu0' \
	'--size=1600' '--size=40000x10' '--theme=blue' '--top=-1' '--top=few' '--format' \
	'--rank=one' '--limit=rows' '--strict=yes' '--json=1'; do
	exits 2 "$MLVIZ" timeline in $option
done
exits 2 "$MLVIZ" timeline in -o picture.pdf
exits 2 "$MLVIZ" timeline in -o picture
exits 2 "$MLVIZ" timeline in -o picture.svg.gz
exits 2 "$MLVIZ" timeline in -o small.svg --size 100x80
exits 2 "$MLVIZ" timeline
exits 2 "$MLVIZ" info --format torch-snapshots in
ls
