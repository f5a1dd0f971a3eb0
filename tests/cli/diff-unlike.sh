# Unlike kinds are compared by what they share, or share nothing.
cp "$SAMPLES/train-adamw.pickle.zst" mem.pickle.zst
printf '\nreal\t0m1.5s\nuser\t0m1.0s\nsys\t0m0.1s\n' >time.txt
cp "$TESTDATA"/hyperfine/two.json "$TESTDATA"/hyperfine/two.csv .
exits 3 "$MLVIZ" diff mem.pickle.zst time.txt
"$MLVIZ" diff two.json two.csv
exits 3 "$MLVIZ" diff missing.txt time.txt
exits 2 "$MLVIZ" diff time.txt
exits 2 "$MLVIZ" diff time.txt time.txt time.txt
# What two texts state is compared, also when they state nothing alike.
printf 'CUDA out of memory. Tried to allocate 20.00 MiB\nTraceback (most recent call last):\n  File "a.py", line 1, in f\nValueError: x\n' >f.txt
printf 'Traceback (most recent call last):\n  File "a.py", line 1, in f\nKeyError: y\n' >g.txt
exits 0 "$MLVIZ" diff f.txt g.txt
exits 0 "$MLVIZ" diff f.txt f.txt
# No device of that number is not the same as no difference.
exits 2 "$MLVIZ" diff -q --device 5 mem.pickle.zst mem.pickle.zst
mkdir a b
cp time.txt two.csv a
cp time.txt two.json b
"$MLVIZ" diff a b
# Of more files than one, none has a partner.
mkdir c d
cp time.txt mem.pickle.zst c
cp two.csv two.json d
exits 3 "$MLVIZ" diff c d
exits 3 "$MLVIZ" diff --json c d
