# From standard input, through a file or a pipe, compressed or not: the same.
"$MLVIZ" info - <"$SAMPLES/annotations.pickle.zst"
"$MLVIZ" info --json "$SAMPLES/cpp-pickle.cpp.pickle.gz" | grep -v '"file"' >from-file
cat "$SAMPLES/cpp-pickle.cpp.pickle.gz" | "$MLVIZ" info --json - | grep -v '"file"' | cmp - from-file
gzip -dc "$SAMPLES/cpp-pickle.cpp.pickle.gz" | "$MLVIZ" info --json - | grep -v '"file"' | cmp - from-file
gzip -dc "$SAMPLES/cpp-pickle.cpp.pickle.gz" >plain
"$MLVIZ" info --json plain | grep -v '"file"' | cmp - from-file
gzip -dc "$SAMPLES/cpp-pickle.cpp.pickle.gz" | COLUMNS=40 "$MLVIZ" timeline -
ls
