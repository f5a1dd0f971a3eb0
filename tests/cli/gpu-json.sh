# Times are never the same; the rest is.
ln -s "$SAMPLES/train-adamw.pickle.zst" .
sample=train-adamw.pickle.zst
export MLVIZ_LIBCUDA="$FAKECUDA_LIB"
gpu() {
	sed -n -e '/"gpu": {/,$!d' -e 's/_ns": [0-9]*/_ns": 0/' -e p
}
FAKECUDA='capacity=140G' "$MLVIZ" replay --device cuda --json $sample | gpu
FAKECUDA='capacity=140G context=437M' "$MLVIZ" replay --device cuda --json \
	--conf expandable_segments:True --ballast --capacity 700MiB $sample | gpu
FAKECUDA=lost=60 exits 6 "$MLVIZ" replay --device cuda --json --verify --scale 1/64 $sample >out
gpu <out
