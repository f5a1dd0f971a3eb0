# From standard input, through a file or a pipe, compressed or not: the same but for how it is stored.
content() {
	"$MLVIZ" info --json "$1" | grep -v '"file"\|"compression"\|"stored_bytes"'
}
"$MLVIZ" info - <"$SAMPLES/annotations.pickle.zst"
content "$SAMPLES/cpp-pickle.cpp.pickle.gz" >from-file
cat "$SAMPLES/cpp-pickle.cpp.pickle.gz" | content - | cmp - from-file
gzip -dc "$SAMPLES/cpp-pickle.cpp.pickle.gz" | content - | cmp - from-file
gzip -dc "$SAMPLES/cpp-pickle.cpp.pickle.gz" >plain
content plain | cmp - from-file
gzip -dc "$SAMPLES/cpp-pickle.cpp.pickle.gz" | COLUMNS=40 "$MLVIZ" timeline -
ls
echo "== how it is stored"
for input in plain "$SAMPLES/cpp-pickle.cpp.pickle.gz"; do
	"$MLVIZ" info --json "$input" | grep '"compression"\|"stored_bytes"'
	cat "$input" | "$MLVIZ" info --json - | grep '"compression"\|"stored_bytes"'
done
