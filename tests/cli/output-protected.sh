# A file or a directory that is protected stays as it is.
[ "$(id -u)" != 0 ] || {
	echo "root may write everywhere" >&2
	exit 77
}
mkdir closed
chmod 500 closed
exits 5 "$MLVIZ" formats -o closed/file
ls -A closed
echo precious >file
chmod 400 file
exits 5 "$MLVIZ" formats -o file
cat file
