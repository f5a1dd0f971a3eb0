# Four ranks that keep a slice of the logits in each step (line 32, 32 768 000 bytes; 49 152 000 on
# rank 3, whose batch is larger by half), against the run that worked.
[ -d "${CORPUS-}/run-base" ] || exit 77
cp -r "$CORPUS/run-base" "$CORPUS/run-regressed" .
chmod -R u+w run-base run-regressed
"$MLVIZ" report -o out --baseline run-base run-regressed >out.txt
cat out.txt
# The same bytes again, also with the report below the run, where it is no input.
"$MLVIZ" report -o run-regressed/out --baseline run-base run-regressed >/dev/null
"$MLVIZ" report -o run-regressed/out --baseline run-base run-regressed >/dev/null
diff -r out run-regressed/out && echo "the same"
"$MLVIZ" report --json --baseline run-base run-regressed | sed -n '/"findings"/,/"budgets"/p' |
	grep -E '"(rule|actual|ranks|fingerprint)"' | head -12
