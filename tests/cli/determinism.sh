# The same bytes for the same input, whatever else the machine does.
for sample in "$SAMPLES"/*.pickle.*; do
	name=$(basename "$sample")
	for run in 1 2; do
		"$MLVIZ" info "$sample" >$run.txt
		"$MLVIZ" info --json "$sample" >$run.json
		"$MLVIZ" timeline "$sample" -o $run.svg
		"$MLVIZ" timeline "$sample" -o $run.png
		"$MLVIZ" timeline "$sample" --json --x time -o $run.time.svg >$run.timeline
		sed 's/"[12]\.time\.svg"/"FILE"/' -i $run.timeline
	done
	for form in txt json svg png time.svg timeline; do
		cmp 1.$form 2.$form && echo "$name $form"
	done
done
