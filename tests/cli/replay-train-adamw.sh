# Peaks and calls equal train-adamw.stats.json of the recording: allocated 777734144, active the same,
# reserved 851443712, inactive split 194343936; 47 calls, no retry.
cd "$SAMPLES"
"$MLVIZ" replay train-adamw.pickle.zst
"$MLVIZ" replay --json train-adamw.pickle.zst
