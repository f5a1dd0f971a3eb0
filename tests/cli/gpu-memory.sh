# Out of memory on a GPU that ballast made as small as the recording's limit: at the request that
# failed in the recording, under other settings at the one that the model says, or nowhere.
ln -s "$SAMPLES/oom-3.6-native.pickle.zst" .
sample=oom-3.6-native.pickle.zst
small='--ballast --capacity 3.6GiB'
gpu='capacity=140G context=497M'
# shellcheck disable=SC2086 # several options
{
	on-gpu "$gpu" $small "$sample"
	on-gpu "$gpu" $small --conf '' "$sample"
	on-gpu "$gpu" $small --conf expandable_segments:True "$sample"
	on-gpu "$gpu" "$sample"
}
# Memory that is created and cannot be mapped goes back; the model gives back what it can, and asks
# again.
on-gpu 'fail=cuMemMap:40:OUT_OF_MEMORY' --conf expandable_segments:True \
	"$SAMPLES/train-adamw.pickle.zst"
# A limit of the user's is no failure of the device.
on-gpu '' --limit 300MiB "$SAMPLES/train-adamw.pickle.zst"
# What the driver adds to each piece is measured.
on-gpu 'overhead=64K' "$SAMPLES/train-adamw.pickle.zst"
