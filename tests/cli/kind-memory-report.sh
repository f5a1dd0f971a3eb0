# 22 samples of 4 figures, and 4 indicators: counted in the JSON with Python, as were the growths of
# device_used_mib and reserved_mib by phase from the first to the last step.
cp "$TESTDATA/memory-report/alpha.json" .
grep -c '"step"' alpha.json
grep -A1 -e after_forward alpha.json | grep -c allocated_mib
"$MLVIZ" info alpha.json
"$MLVIZ" top --top 3 alpha.json
"$MLVIZ" top --by last --grep reserved --top 2 alpha.json
"$MLVIZ" timeline alpha.json
