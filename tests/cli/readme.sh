# The README shows what the program prints.
readme=$SAMPLES/../README.md
shown() {
	awk -v command="\$ $*" '$0 == command { on = 1; next } /^```/ { on = 0 } on' "$readme"
}
cp "$SAMPLES/oom-3.6-native.pickle.zst" .
for command in info timeline; do
	shown mlviz $command oom-3.6-native.pickle.zst >shown
	test -s shown
	COLUMNS=80 LC_ALL=C.UTF-8 "$MLVIZ" $command oom-3.6-native.pickle.zst | diff -u shown -
done
