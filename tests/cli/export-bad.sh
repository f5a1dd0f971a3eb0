oom=$SAMPLES/oom-3.6-native.pickle.zst
exits 2 "$MLVIZ" export "$oom"
exits 2 "$MLVIZ" export --to nothing "$oom"
exits 2 "$MLVIZ" export --to folded --json "$oom"
exits 2 "$MLVIZ" export --to folded --value end --at peak "$oom"
exits 2 "$MLVIZ" export --to folded --at soon "$oom" 2>err && sed 's,/.*/,,' err >&2
exits 3 "$MLVIZ" export --to folded --value count "$TESTDATA/memory-report/alpha.json" 2>err &&
	sed 's,/.*/,,' err >&2
exits 5 "$MLVIZ" export --to folded -o none/out "$oom"
test ! -e none
exits 2 "$MLVIZ" export --to csv --table all "$oom"
exits 2 "$MLVIZ" export --to csv --table nothing "$oom"
exits 2 "$MLVIZ" export --to chrome --table spans "$oom"
touch file
exits 5 "$MLVIZ" export --to csv --table all -o file "$oom"
exits 5 "$MLVIZ" export --to csv --table all -o none/dir "$oom"
