# By hand from the samples, in MiB. beta: after_forward of step 1 less after_clear_gradients of step
# 0 is 216.74 - 164.78; the first optimizer step adds 204.33 - 136.98. gamma: each baseline is 52.33
# above the one before. 64 MiB of library workspace stay in all of them.
cd "$TESTDATA/memory-report"
"$MLVIZ" classify beta.json gamma.json
"$MLVIZ" classify --json alpha-ddp-imbalanced.json
