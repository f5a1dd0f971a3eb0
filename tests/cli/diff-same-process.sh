# An earlier and a later snapshot of one process: written when it ran out of memory, and at its end.
[ -d "${CORPUS-}/snapshots" ] || exit 77
cp "$CORPUS/snapshots/oom-3.6-native.at-oom.pickle.zst" early.pickle.zst
cp "$CORPUS/snapshots/oom-3.6-native.pickle.zst" late.pickle.zst
"$MLVIZ" diff --same-process --top 3 early.pickle.zst late.pickle.zst
"$MLVIZ" diff --same-process --json --top 1 early.pickle.zst late.pickle.zst |
	sed -n '/"same_process"/,/"stacks"/p'
"$MLVIZ" diff --same-process early.pickle.zst early.pickle.zst
