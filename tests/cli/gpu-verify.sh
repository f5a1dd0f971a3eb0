# Blocks that hold what they should, on the device and by samples; and blocks that do not.
ln -s "$SAMPLES/train-adamw.pickle.zst" .
sample=train-adamw.pickle.zst
verify='--verify --scale 1/64'
# shellcheck disable=SC2086 # several options
{
	on-gpu granularity=64K $verify "$sample"
	on-gpu 'step=4K modules=no' $verify --raw "$sample"
	on-gpu granularity=64K $verify --conf expandable_segments:True "$sample"
	exits 6 on-gpu damage=100 $verify "$sample"
	exits 6 on-gpu 'damage=100 modules=no' $verify "$sample"
	exits 6 on-gpu alias=9 $verify "$sample"
}
