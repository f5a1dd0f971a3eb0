# The files of strace -ff are one recording. Calls, errors and times were summed by awk from the files,
# and are the same as in the log that strace-log-merge made of them.
cp "$TESTDATA"/strace/many/* "$TESTDATA"/strace/many-merged.txt .
"$MLVIZ" info -v many.* 2>&1
"$MLVIZ" top --top 50 many.30247 many.30245 many.30248 many.30246 >files
"$MLVIZ" top --top 50 many-merged.txt >merged
grep -v -e ': ' -e ' alike, ' files >files.rows
grep -v -e ': ' -e ' alike, ' merged >merged.rows
cmp files.rows merged.rows
"$MLVIZ" top --top 3 --by count many.*
"$MLVIZ" top --errors many.*
"$MLVIZ" timeline many.*
"$MLVIZ" show --line 2 many.3*
# A folder, with a rank, and beside something else; one file of several; another format on request
mkdir folder
mv many.3* folder
echo hello >folder/notes.1
"$MLVIZ" info --json --rank 3 folder/many.* | tr , '\n' | grep -e '"file"' -e '"rank"'
"$MLVIZ" info folder | grep -v -e events -e mapped -e history
"$MLVIZ" info folder/many.30247
exits 3 "$MLVIZ" info --format mprof folder/many.30247
# Numbers that are no processes: logs of their own
printf 'set_tid_address(0x1) = 7\nclose(1) = 0\n' >run.1
printf 'set_tid_address(0x1) = 8\nclose(1) = 0\n' >run.2
"$MLVIZ" info run.1 run.2
