# Two runs of four ranks: activation checkpointing off, and a slice of logits kept in each step.
[ -d "${CORPUS-}/run-base" ] || exit 77
cp -r "$CORPUS/run-base" "$CORPUS/run-regressed" .
"$MLVIZ" diff run-base run-regressed | sed -n 1,10p
"$MLVIZ" diff run-base/mem-rank3.pickle.zst run-regressed/mem-rank3.pickle.zst
"$MLVIZ" diff --json run-base run-regressed | sed -n '/"statements"/,$p' | head -40
