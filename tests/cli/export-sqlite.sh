# The same bytes for the same input; whole or not at all. Its content is the business of t_sqlite.
mem=$SAMPLES/train-adamw.pickle.zst
"$MLVIZ" export --to sqlite -o a.db "$mem"
"$MLVIZ" export --to sqlite -o b.db "$mem"
cmp a.db b.db
head -c 15 a.db
echo
echo before >c.db
exits 3 "$MLVIZ" export --to sqlite -o c.db none
cat c.db
"$MLVIZ" export --to sqlite -o c.db "$TESTDATA/fr-dump"
head -c 15 c.db
echo
ls -A
exits 2 "$MLVIZ" export --to sqlite "$mem"
exits 2 "$MLVIZ" export --to sqlite -o - "$mem"
exits 2 "$MLVIZ" export --to sqlite -o /dev/null "$mem"
exits 5 "$MLVIZ" export --to sqlite -o none/a.db "$mem"
