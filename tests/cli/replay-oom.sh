# The exception's own text says 3.04 GiB allocated and 471.38 MiB reserved but unallocated; the
# request was number 3589. The limit was 3.6 GiB, which the recording does not tell.
cd "$SAMPLES"
"$MLVIZ" replay oom-3.6-native.pickle.zst
"$MLVIZ" replay --top 2 --predict --limit 3.6GiB oom-3.6-native.pickle.zst
