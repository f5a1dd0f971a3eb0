"$MLVIZ" flame --json --top 2 -o a.svg "$SAMPLES/train-adamw.pickle.zst"
"$MLVIZ" flame --json --top 1 -o a.png --value count "$TESTDATA/fr-dump"
