# A result replaces a file as a whole, with the permissions of a new file, behind a link as well.
"$MLVIZ" formats --json >want
mkdir dir
echo old >dir/file
chmod 600 dir/file
ln -s dir/file link
"$MLVIZ" formats --json -o link
cmp want dir/file
[ -L link ]
"$MLVIZ" formats --json -o new
cmp want new
(umask 077 && "$MLVIZ" formats --json -o private)
ls -l new private dir/file | cut -c 1-10
# Nothing else is left.
ls -A . dir
