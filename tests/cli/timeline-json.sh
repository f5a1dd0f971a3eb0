cp "$SAMPLES/oom-3.6-native.pickle.zst" "$SAMPLES/multi-gpu.pickle.zst" .
"$MLVIZ" timeline --json --top 3 oom-3.6-native.pickle.zst -o memory.png
"$MLVIZ" timeline --json --top 1 --device 3 multi-gpu.pickle.zst
ls
