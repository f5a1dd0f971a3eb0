# leak-graph: reckoned in Python from events and annotations, 13 stacks hold 75 534 376 bytes more
# after each step. oom-3.6-native keeps a window of outputs, which it has not filled yet.
cd "$SAMPLES"
"$MLVIZ" classify --top 3 leak-graph.pickle.zst
"$MLVIZ" classify --json leak-graph.pickle.zst >"$OLDPWD/leaks.json"
sed -n '/"leaks"/,/}/p; /"categories"/,/"recomm/p' "$OLDPWD/leaks.json"
sed -n 's/.*"bytes_per_step": //p' "$OLDPWD/leaks.json" | tr -d , | awk '{ sum += $1 } END { print NR " stacks", sum }'
for f in train-adamw annotations ring-2000 oom-3.6-native multi-gpu; do
	"$MLVIZ" classify $f.pickle.zst | sed '/what to do/,$d'
done
