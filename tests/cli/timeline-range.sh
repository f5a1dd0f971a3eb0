# --from and --to: event numbers or times since the first event; what lies beyond the end is its last event.
cp "$SAMPLES/train-adamw.pickle.zst" .
range() {
	"$MLVIZ" timeline --json --top 0 train-adamw.pickle.zst -o part.svg "$@" |
		sed -n 's/^ *"\(first_event\|last_event\|requested_peak_bytes\)"/\1/p'
	grep -o '>peak [^<]*' part.svg || echo "(the peak is not in the picture)"
}
range
range --from 1500 --to 2000
range --from 6.08s
range --from 0s --to 5.99s
range --from 2ms --to 1000000
# Wrong ones
fails() {
	exits 2 "$MLVIZ" timeline train-adamw.pickle.zst -o part.svg "$@"
}
fails --from 2000 --to 1500
fails --from start
fails --to 3parsecs
fails --from -1
fails --from ''
