# Host memory in KiB: 1644 and 1704 with 12 and 24 layers are 5 per layer, and 2064 with 96.
cd "$TESTDATA"
"$MLVIZ" classify --param layers=12,24,96 gnu-time/default.txt gnu-time/verbose.txt
"$MLVIZ" classify --json --param layers=12,24,96 gnu-time/default.txt gnu-time/verbose.txt
# 106.6 MiB of activations with a batch of 4 on rank 0, which is the constraint.
cd memory-report
"$MLVIZ" classify alpha-ddp-imbalanced.json alpha-batch4.json | sed -n '/^ranks/,$p'
"$MLVIZ" classify --json alpha-ddp-imbalanced.json | sed -n '/"ranks"/,/}/p'
exits 2 "$MLVIZ" classify --param layers=12 beta.json gamma.json
exits 2 "$MLVIZ" classify --param layers beta.json
exits 2 "$MLVIZ" classify --param layers=a,b beta.json gamma.json
