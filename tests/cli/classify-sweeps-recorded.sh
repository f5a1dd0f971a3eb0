# By hand: activations of 24.67, 52.46 and 105.91 MiB with a batch of 1, 2 and 4. Reserved memory of
# 176 and 230 MiB with 2 and 4 goes on with 27 a sample up to 80 GiB less what is outside of PyTorch.
[ -n "${CORPUS-}" ] || {
	echo "no recordings beside the checkout"
	exit 77
}
cd "$CORPUS/memory-reports"
"$MLVIZ" classify --capacity 80GiB *.json | sed -n '/^ranks/,$p'
"$MLVIZ" classify beta.json beta-medium.json | sed -n '/^experiment/,$p'
cd ..
"$MLVIZ" classify run-base | sed -n '/^ranks/,$p'
"$MLVIZ" classify -q run-regressed/mem* | grep -e rank -e "gen_run.py:"
