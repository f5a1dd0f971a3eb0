# Keys and their order; verdicts also by the exit code.
cp -r "$TESTDATA/hang/extra-allreduce-4" "$TESTDATA/fr-dump" .
"$MLVIZ" hang --json extra-allreduce-4
exits 1 "$MLVIZ" hang -q --fail-on hang -o words extra-allreduce-4
exits 0 "$MLVIZ" hang -q --fail-on hang -o words extra-allreduce-4/fr_0
exits 1 "$MLVIZ" hang -q --fail-on unknown -o words extra-allreduce-4/fr_0
exits 1 "$MLVIZ" hang -q --fail-on hang -o words fr-dump
