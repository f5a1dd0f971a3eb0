# Without -o: a picture beside, a summary and a chart in text, in Unicode or in ASCII.
cp "$SAMPLES/train-adamw.pickle.zst" "$SAMPLES/ring-2000.pickle.zst" .
COLUMNS=80 LC_ALL=C.UTF-8 "$MLVIZ" timeline train-adamw.pickle.zst
ls
COLUMNS=60 "$MLVIZ" timeline --top 2 ring-2000.pickle.zst
"$MLVIZ" timeline --quiet ring-2000.pickle.zst
# Several devices: one summary each.
cp "$SAMPLES/multi-gpu.pickle.zst" .
COLUMNS=40 "$MLVIZ" timeline --top 0 multi-gpu.pickle.zst
ls *.svg
