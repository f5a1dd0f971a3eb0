# Long names are whole in JSON; where there is no room for them, an ellipsis says so.
a=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
a=$a$a$a$a$a$a$a$a
cat >long.json <<EOF
{"segments": [], "device_traces": [[
  {"action": "alloc", "addr": 4096, "size": 10, "stream": 0,
   "frames": [{"name": "é$a", "filename": "/x/$a.py", "line": 7}]}]]}
EOF
"$MLVIZ" timeline --json -o out.svg long.json >timeline.json
"$MLVIZ" top --json long.json >top.json
for file in timeline.json top.json; do
	echo "== $file"
	grep -q "é$a" $file && echo "the whole function"
	grep -q "[ \"]$a.py:7\"" $file && echo "the whole place"
done
"$MLVIZ" timeline long.json | grep -o 'é.*' | tr -s a
"$MLVIZ" timeline -o - long.json | grep -o '<text.*é.*' | sed 's/.*>\(é.*\)<.*/\1/' | tr -s a
