# A verdict can be a gate.
cd "$TESTDATA/memory-report"
exits 1 "$MLVIZ" classify --fail-on cumulative,unknown gamma.json >"$OLDPWD/out"
exits 0 "$MLVIZ" classify --fail-on cumulative,unknown beta.json >"$OLDPWD/out"
exits 2 "$MLVIZ" classify --fail-on cumulative,leak beta.json
exits 3 "$MLVIZ" classify ../sanitizer/*
cd "$OLDPWD"
# Indicators that the samples do not bear out.
sed 's/"between_step_growth_mib": .*,/"between_step_growth_mib": 1000.5,/' "$TESTDATA/memory-report/gamma.json" >g.json
exits 3 "$MLVIZ" classify --strict g.json | sed -n 2p
# One step only, and one that ends in its middle.
head -c 2600 "$TESTDATA/memory-report/beta.json" >short.json
exits 1 "$MLVIZ" classify -q --fail-on unknown short.json
