# A picture appears whole or not at all.
cp "$SAMPLES/train-adamw.pickle.zst" in
mkdir sub
exits 5 "$MLVIZ" timeline in -o sub/no/such.svg
exits 5 "$MLVIZ" timeline in -o /dev/full
exits 5 "$MLVIZ" timeline in -o - >/dev/full
exits 5 "$MLVIZ" timeline in --json -o picture.svg >/dev/full
rm picture.svg
mkdir directory.svg
exits 5 "$MLVIZ" timeline in -o directory.svg
echo precious >kept.svg
# 4 blocks of 512 bytes
(ulimit -f 4 && exec "$MLVIZ" timeline in -o kept.svg) 2>&1 || echo "exit code $?"
(ulimit -f 4 && exec "$MLVIZ" timeline in -o new.png) 2>&1 || echo "exit code $?"
cat kept.svg
ls -A . sub
