# Spans, samples and metrics have their JSON, too. Sums by thread, and the times of the first call and of
# the end of the last, were computed by awk from the stamps and durations of the four files; growth is
# 12.5 - 10.5; figures of the table are those that summary.txt prints.
cp -r "$TESTDATA/strace/many" "$TESTDATA/strace/summary.txt" .
"$MLVIZ" timeline --json --top 1 many
"$MLVIZ" timeline --json --top 1 --from 10ms --to 20ms many -o range.svg | grep _time_
printf 'CMDLINE python train.py\nMEM 10.5 1700000000.1000\nMEM 12.5 1700000002.1000\n' >mem.dat
"$MLVIZ" timeline --json mem.dat
"$MLVIZ" timeline --json --top 1 summary.txt -o bars.png
exits 2 "$MLVIZ" timeline --json --from 2s --to 1s many
ls
