# 13 lines were executed, "return n * n" three times: counted with grep.
cp "$TESTDATA/python-trace/loop.txt" .
grep -c '^loop.py(' loop.txt
grep -c 'return n' loop.txt
"$MLVIZ" info loop.txt
"$MLVIZ" top loop.txt
"$MLVIZ" top --by exec --top 1 --grep :7 loop.txt
"$MLVIZ" timeline loop.txt
"$MLVIZ" show --line 17 loop.txt
