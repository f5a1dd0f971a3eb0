# The segments at a moment as JSON. At its peak train-adamw holds 777734144 allocated bytes (the
# allocated_bytes.all.peak of its own memory_stats()); the sums of its blocks by state must be those.
cd "$SAMPLES"
"$MLVIZ" replay --json --at peak train-adamw.pickle.zst | sed -n '/"moment"/,/"segments"/p'
sums() {
	"$MLVIZ" replay --json "$@" | sed -n '/"moment"/,$p' | awk -F'[:,]' '
	/"mapped_bytes"/ { mapped += $2 }
	/"expandable"/ { segment = 1; segments++ }
	/"bytes"/ { bytes = $2 }
	/"state"/ { blocks++; gsub(/[" ]/, "", $2); of[$2] += bytes; count[$2]++ }
	END {
		printf "%d segments, %d bytes mapped, %d blocks\n", segments, mapped, blocks
		for (s in of)
			printf "%s: %d, %d bytes\n", s, count[s], of[s] | "sort"
	}'
}
sums --at peak train-adamw.pickle.zst
"$MLVIZ" replay --json --at scattered --conf expandable_segments:True oom-3.6-native.pickle.zst |
	sed -n '/"moment"/,/"segments"/p'
sums --at scattered --conf expandable_segments:True oom-3.6-native.pickle.zst
exits 2 "$MLVIZ" replay --json --at oom train-adamw.pickle.zst >/dev/null
