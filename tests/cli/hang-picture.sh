# Looked at: rank 3 is named in red, its second call in group 3 is framed, and the all_gather of group 2
# that it left out is an empty frame beside rank 2's, at the dashed line.
cp -r "$TESTDATA/hang/subgroups-4" "$TESTDATA/hang/extra-allreduce-4" .
"$MLVIZ" hang -q -o hang.svg subgroups-4 | head -2
cat hang.svg
"$MLVIZ" hang -q -o hang.png --theme dark --size 900x500 extra-allreduce-4 | head -2
head -c 8 hang.png | od -An -c | head -1
exits 2 "$MLVIZ" hang -q -o small.svg --size 300x80 subgroups-4
test ! -e small.svg
