# A file that ends early is read as far as it goes; the message says where, --strict makes it a failure.
zstd -dqc "$SAMPLES/train-adamw.pickle.zst" >whole || exit 77
cut() {
	head -c "$1" whole >cut.pickle
	"$MLVIZ" info cut.pickle
}
# In the segments, early in the trace (where the final heap says nothing of it), behind the trace
cut 1000
cut 60000
cut 390990
exits 3 "$MLVIZ" info --strict cut.pickle >/dev/null
exits 3 "$MLVIZ" timeline --strict cut.pickle -o strict.svg
"$MLVIZ" info --quiet cut.pickle >/dev/null
head -c 200000 whole | COLUMNS=60 "$MLVIZ" timeline --top 1 -
# Before there is anything
cut 2 && exit 1
cut 20 && exit 1
# Compressed: what was decoded before the end is read
head -c 14000 "$SAMPLES/cpp-pickle.cpp.pickle.gz" >cut.gz
"$MLVIZ" info cut.gz
exits 3 "$MLVIZ" info --strict cut.gz >/dev/null
head -c 20000 "$SAMPLES/train-adamw.pickle.zst" >cut.zst
"$MLVIZ" info cut.zst
head -c 1000 "$SAMPLES/train-adamw.pickle.zst" >cut.zst
exits 3 "$MLVIZ" info cut.zst
# Bytes behind the end
cat whole whole >twice
"$MLVIZ" info twice >/dev/null
exits 3 "$MLVIZ" info --strict twice >/dev/null
