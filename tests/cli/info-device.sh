# One device of several, and one that is not there. The rank is what the user says.
cd "$SAMPLES"
"$MLVIZ" info --device 2 --rank 5 multi-gpu.pickle.zst
exits 2 "$MLVIZ" info --device 7 multi-gpu.pickle.zst
exits 2 "$MLVIZ" timeline --device 7 multi-gpu.pickle.zst -o /dev/null
