# A file or a directory that is protected stays as it is.
mkdir closed
echo precious >file
chmod 500 closed
chmod 400 file
if [ "$(id -u)" = 0 ]; then
	# Root may write everywhere, so somebody else tries.
	command -v setpriv >/dev/null || {
		echo "root may write everywhere, and setpriv is not here" >&2
		exit 77
	}
	cp "$MLVIZ" mlviz
	chmod 711 ..
	chmod 777 .
	chown 65534 closed file
	set -- setpriv --reuid 65534 --regid 65534 --clear-groups ./mlviz
else
	set -- "$MLVIZ"
fi
exits 5 "$@" formats -o closed/new
exits 5 "$@" formats -o file
"$@" formats -o open
ls -A closed
cat file
ls open
