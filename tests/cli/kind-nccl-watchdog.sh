# Every statement stands in the log at the line that is named: those lines are printed first, cut.
cp "$TESTDATA/nccl-watchdog/two-ranks.log" .
for n in 4 6 12 13 15 21 22 27; do sed -n "${n}p" two-ranks.log | cut -c1-200; done
"$MLVIZ" info two-ranks.log
"$MLVIZ" top --top 2 two-ranks.log
"$MLVIZ" top --grep desync two-ranks.log
"$MLVIZ" show --line 4 two-ranks.log
"$MLVIZ" show --line 27 two-ranks.log
exits 3 "$MLVIZ" timeline two-ranks.log
