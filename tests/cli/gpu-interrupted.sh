# Ctrl-C: what was taken is given back, what was learnt is told, and the exit code is 130.
ln -s "$SAMPLES/train-adamw.pickle.zst" .
exits 130 on-gpu 'interrupt=cuMemAlloc:20 report=left' train-adamw.pickle.zst
exits 130 on-gpu 'interrupt=cuMemMap:20 report=left' --conf expandable_segments:True \
	train-adamw.pickle.zst
exits 130 on-gpu 'interrupt=cuMemFree:500 report=left' --raw train-adamw.pickle.zst
MLVIZ_LIBCUDA=$FAKECUDA_LIB FAKECUDA='interrupt=cuMemFree:50 report=left' \
	exits 130 "$MLVIZ" replay --probe -o probe.json
cat left
ls
