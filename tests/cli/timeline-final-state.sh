# No events: the final state is drawn, and the words say so. Made from a sample: what is behind the
# segments is cut off, and the dict is closed.
zstd -dqc "$SAMPLES/train-adamw.pickle.zst" >whole
at=$(grep -abo device_traces whole | head -n 1 | cut -d : -f 1)
{
	head -c $((at + 13)) whole
	printf '\224]u.'
} >final.pickle
"$MLVIZ" info final.pickle
COLUMNS=40 "$MLVIZ" timeline --top 3 final.pickle
