# A history that begins late: what was there before is inferred.
cd "$SAMPLES"
"$MLVIZ" replay ring-2000.pickle.zst
"$MLVIZ" replay --predict ring-2000.pickle.zst | grep predicted
