# Plots of several files: settings are said once where they agree, and by each plot where they do not.
for name in native split; do
	setting=
	[ $name = native ] || setting=max_split_size_mb:64
	echo '{"segments": [], "device_traces": [[{"action": "alloc", "addr": 1, "size": 1, "stream": 0}]],
	 "allocator_settings": {"PYTORCH_CUDA_ALLOC_CONF": "'$setting'"}}' >$name.json
done
cp native.json other.json
for second in other split; do
	echo "== native and $second"
	"$MLVIZ" timeline -q -o - native.json $second.json |
		sed -n 's/.*<text[^>]*>\(.*settings.*\|.*device.*\)<\/text>.*/\1/p'
done
