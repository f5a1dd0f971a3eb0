# The same program with expandable segments under the same limit: its recording with these settings
# (oom-3.6-expandable) has reserved 3581935616 at that request.
cd "$SAMPLES"
"$MLVIZ" replay --conf expandable_segments:True --limit 3.6GiB oom-3.6-native.pickle.zst | sed -n '/what if/,$p'
"$MLVIZ" replay --capacity 700MiB train-adamw.pickle.zst --top 2 | sed -n '/what if/,$p'
"$MLVIZ" replay --fit --resolution 8MiB train-adamw.pickle.zst | tail -1
