# The sizes are those of the text in bytes: 70.00 GiB = 75161927680.
cp "$TESTDATA/oom-text/messages.txt" .
"$MLVIZ" info messages.txt
"$MLVIZ" top --top 1 messages.txt
"$MLVIZ" top --grep '90.00 GiB' messages.txt
"$MLVIZ" show --line 3 messages.txt
