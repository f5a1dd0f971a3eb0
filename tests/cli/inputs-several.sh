# Of several inputs the usable ones are still read, and the worst code wins.
cp "$SAMPLES/cpp-pickle.cpp.pickle.gz" good.pickle.gz
printf '\200\004](K\001K\002e.' >bad.pickle
exits 3 "$MLVIZ" info missing good.pickle.gz bad.pickle
exits 3 "$MLVIZ" timeline bad.pickle good.pickle.gz -o good.svg
exits 4 "$MLVIZ" info --json --limit string=20 bad.pickle good.pickle.gz
exits 3 "$MLVIZ" info --json missing bad.pickle
grep -c '>good.pickle.gz<' good.svg
# Small multiples on one scale
cp "$SAMPLES/train-adamw.pickle.zst" .
"$MLVIZ" timeline good.pickle.gz train-adamw.pickle.zst -o both.svg
sed -n 's/.*<text[^>]*>\(.*\)<\/text>.*/\1/p' both.svg | grep -e peak -e plots -e more -e GiB
