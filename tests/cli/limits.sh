# Each limit ends with exit code 4 and says how to raise it.
cp "$SAMPLES/cpp-pickle.cpp.pickle.gz" in
for limit in rows=10 bytes=1000 memo=10 string=5 depth=2; do
	exits 4 "$MLVIZ" info --limit $limit in
	exits 4 "$MLVIZ" timeline --limit $limit in
done
exits 4 "$MLVIZ" info --limit rows=1K --limit bytes=1G in
"$MLVIZ" info --json --limit rows=10K --limit depth=10 in | grep '"events"'
# 80 MB of blanks within a document, in a few KB: a ratio that no report reaches
{
	printf '{"device_traces": [[]], "segments": ['
	head -c 80000000 /dev/zero | tr '\0' ' '
	printf ']}'
} | gzip >blanks
exits 4 "$MLVIZ" info --limit ratio=100 blanks
# 400000 lists in a few hundred bytes
{
	printf '{"device_traces": [], "segments": ['
	head -c 400000 /dev/zero | sed 's/\x00/[],/g'
	printf '0]}'
} | gzip >lists
exits 4 "$MLVIZ" info --limit memory=1M lists
exits 4 "$MLVIZ" info blanks
"$MLVIZ" info --limit ratio=2000 blanks
ls
