# Options that make no sense with a GPU, or without one.
ln -s "$SAMPLES/train-adamw.pickle.zst" .
sample=train-adamw.pickle.zst
export MLVIZ_LIBCUDA="$FAKECUDA_LIB"
exits 2 "$MLVIZ" replay --raw "$sample"
exits 2 "$MLVIZ" replay --verify "$sample"
exits 2 "$MLVIZ" replay --ballast "$sample"
exits 2 "$MLVIZ" replay --scale 1/2 "$sample"
exits 2 "$MLVIZ" replay --device cuda:x "$sample"
exits 2 "$MLVIZ" replay --device cudo "$sample"
exits 2 "$MLVIZ" replay --device cuda --scale 2 "$sample"
exits 2 "$MLVIZ" replay --device cuda --scale 1/0 "$sample"
exits 2 "$MLVIZ" replay --device cuda --scale 1/65 "$sample"
exits 2 "$MLVIZ" replay --device cuda --sweep "$sample"
exits 2 "$MLVIZ" replay --device cuda --predict "$sample"
exits 2 "$MLVIZ" replay --device cuda --raw --conf '' "$sample"
exits 2 "$MLVIZ" replay --device cuda --ballast "$sample"
exits 2 "$MLVIZ" replay --device cuda --capacity 1GiB "$sample"
exits 2 "$MLVIZ" replay --device cuda
exits 3 "$MLVIZ" replay --device cuda /dev/null
