"$MLVIZ" explain
"$MLVIZ" explain missing-rank
"$MLVIZ" explain straggler
# Pages are the documents: nothing is kept twice.
for rule in $("$MLVIZ" explain --json | sed -n 's/.*"rule": "\(.*\)",/\1/p'); do
	"$MLVIZ" explain "$rule" >page
	echo "$rule: $(grep -c '^## ' page) parts"
	grep -n '.\{97\}' page && exit 1
done
"$MLVIZ" explain --json lag
exits 2 "$MLVIZ" explain cumulativ
exits 2 "$MLVIZ" explain what-is-that
