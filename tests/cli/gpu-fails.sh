# A device that fails on the way: what was learnt until then is told, and all that was taken is given
# back, or the fake driver would say so.
ln -s "$SAMPLES/train-adamw.pickle.zst" "$SAMPLES/leak-graph.pickle.zst" .
sample=train-adamw.pickle.zst
exits 6 on-gpu lost=60 "$sample"
exits 6 on-gpu fail=cuMemAlloc:20:ILLEGAL_ADDRESS "$sample"
exits 6 on-gpu 'fail=cuMemMap:20:INVALID_VALUE report=left' --conf expandable_segments:True "$sample"
cat left
exits 6 on-gpu mapping=no --conf expandable_segments:True "$sample"
exits 6 on-gpu fail=cuMemFree:100:UNKNOWN --raw "$sample"
# Several recordings: the others are replayed nevertheless.
exits 6 on-gpu fail=cuMemAlloc:1:UNKNOWN "$sample" leak-graph.pickle.zst >/dev/null
