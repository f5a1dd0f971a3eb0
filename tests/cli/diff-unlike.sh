# Unlike kinds are compared by what they share, or share nothing.
cp "$SAMPLES/train-adamw.pickle.zst" mem.pickle.zst
printf '\nreal\t0m1.5s\nuser\t0m1.0s\nsys\t0m0.1s\n' >time.txt
cp "$TESTDATA"/hyperfine/two.json "$TESTDATA"/hyperfine/two.csv .
exits 3 "$MLVIZ" diff mem.pickle.zst time.txt
"$MLVIZ" diff two.json two.csv
exits 3 "$MLVIZ" diff missing.txt time.txt
exits 2 "$MLVIZ" diff time.txt
exits 2 "$MLVIZ" diff time.txt time.txt time.txt
mkdir a b
cp time.txt two.csv a
cp time.txt two.json b
"$MLVIZ" diff a b
