# What cannot be replayed, and options that make no sense.
cd "$SAMPLES"
exits 2 "$MLVIZ" replay --conf expandable_segments:yes train-adamw.pickle.zst
exits 2 "$MLVIZ" replay --fraction 0.5 train-adamw.pickle.zst
exits 2 "$MLVIZ" replay --fraction 2 --capacity 1GiB train-adamw.pickle.zst
exits 2 "$MLVIZ" replay --gpu 7 multi-gpu.pickle.zst
exits 2 "$MLVIZ" replay --device gpu train-adamw.pickle.zst
exits 2 "$MLVIZ" replay --at peak train-adamw.pickle.zst
exits 2 "$MLVIZ" replay --at soon -o a.svg train-adamw.pickle.zst
exits 2 "$MLVIZ" replay --limit much train-adamw.pickle.zst
exits 4 "$MLVIZ" replay --limit rows=10 train-adamw.pickle.zst
exits 0 "$MLVIZ" replay --conf max_split_size:64 --limit 1GiB train-adamw.pickle.zst | grep outcome
exits 3 "$MLVIZ" replay /dev/null
