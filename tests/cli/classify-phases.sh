cd "$TESTDATA/memory-report"
"$MLVIZ" classify --show-phases beta.json gamma.json alpha-ddp-imbalanced.json | sed '/^$/q'
"$MLVIZ" classify --show-phases --json beta.json | sed -n "/\"phases\": \[/,\$p" | head -n 30
# A log has its messages for phases; the first one that comes again begins a step.
cd ../memory-log
"$MLVIZ" classify --show-phases * | sed '/^[^ ].*: /,$d'
