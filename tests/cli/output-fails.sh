# Whatever makes writing fail: exit code 5, a reason, and neither a part of a file nor a temporary one.
exits 5 "$MLVIZ" formats -o /dev/full
exits 5 "$MLVIZ" formats -o no/such/dir/file
mkdir dir
exits 5 "$MLVIZ" formats -o dir
exits 5 "$MLVIZ" formats -o dir/
exits 5 "$MLVIZ" formats -o /dev/null/file
exits 5 "$MLVIZ" formats >/dev/full
exits 5 "$MLVIZ" help --json >/dev/full
exits 5 "$MLVIZ" --version >/dev/full
# A limit on the size of files: it holds for what the test prints as well, unless that is a pipe.
limited() {
	(ulimit -f 0 && exec "$MLVIZ" help --json -o "$1") 2>&1 || echo "exit code $?"
}
limited new | cat
echo precious >kept
limited kept | cat
cat kept
ls -A . dir
