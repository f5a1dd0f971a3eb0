# An input does not differ from itself, whatever it is.
for file in "$SAMPLES"/*.pickle.* "$TESTDATA"/*/*; do
	case $file in *.md | *broken* | *trunc* | *damag*) continue ;; esac
	"$MLVIZ" diff -q "$file" "$file" >out 2>err || continue # nothing that mlviz reads
	grep -q '^  no difference$' out || {
		echo "$file"
		cat out
	}
	echo compared >>count
done
test "$(wc -l <count)" -gt 50
"$MLVIZ" diff "$SAMPLES" "$SAMPLES" | grep -c '^  no difference$'
