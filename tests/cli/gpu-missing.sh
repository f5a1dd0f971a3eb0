# Nothing to replay on: each message says what is missing.
ln -s "$SAMPLES/train-adamw.pickle.zst" .
sample=train-adamw.pickle.zst
MLVIZ_LIBCUDA=/nonexistent/libcuda.so.1 exits 6 "$MLVIZ" replay --device cuda "$sample"
MLVIZ_LIBCUDA=libm.so.6 exits 6 "$MLVIZ" replay --device cuda "$sample"
MLVIZ_LIBCUDA=/nonexistent/libcuda.so.1 exits 6 "$MLVIZ" replay --probe
exits 6 on-gpu devices=0 "$sample"
exits 6 on-gpu devices=2 --device cuda:2 "$sample"
exits 6 on-gpu fail=cuInit:1:SYSTEM_DRIVER_MISMATCH "$sample"
exits 6 on-gpu fail=cuDevicePrimaryCtxRetain:1:OUT_OF_MEMORY "$sample"
exits 6 on-gpu mapping=no --ballast --capacity 1GiB "$sample"
exits 6 on-gpu capacity=1G --limit 2GiB "$sample"
exits 6 on-gpu capacity=1G --ballast --capacity 2GiB "$sample"
