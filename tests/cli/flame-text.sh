# Totals and shares are those of info and top; without -o the picture lies in the current directory.
"$MLVIZ" flame "$SAMPLES/leak-graph.pickle.zst"
"$MLVIZ" flame --top 6 --value allocated "$SAMPLES/train-adamw.pickle.zst"
"$MLVIZ" flame --top 6 --at 1000 "$SAMPLES/train-adamw.pickle.zst"
"$MLVIZ" flame --top 5 --grep varlen --at oom "$SAMPLES/oom-3.6-native.pickle.zst"
"$MLVIZ" flame --top 6 "$SAMPLES/multi-gpu.pickle.zst"
"$MLVIZ" flame --top 6 "$TESTDATA/kineto/trace.json"
"$MLVIZ" flame --top 6 "$TESTDATA/fr-dump"
"$MLVIZ" flame "$TESTDATA/py-spy/dump.txt"
"$MLVIZ" flame - <"$TESTDATA/py-spy/dump.txt" | tail -1
ls
# Names on the terminal are text.
printf '%s\n' 'Traceback (most recent call last):' '  File "a.py", line 3, in <module>' \
	"    x" "ValueError: one" >bad.log
printf '  File "\033[31mb.py", line 3, in \033]0;evil\007\n' | sed -i '1r /dev/stdin' bad.log
"$MLVIZ" flame bad.log
