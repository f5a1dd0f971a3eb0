# Small ones in full; their sums against those of info.
"$MLVIZ" export --to chrome "$TESTDATA/mprof/small.dat" | sed 's,"file":"[^"]*/,"file":",'
"$MLVIZ" export --to chrome "$TESTDATA/kineto/trace.json" | sed 's,"file":"[^"]*/,"file":",' |
	cut -c-300 | head -30
oom=$SAMPLES/oom-3.6-native.pickle.zst
"$MLVIZ" export --to chrome -o a.json "$oom"
"$MLVIZ" export --to chrome "$oom" | cmp - a.json
grep -e '"ph":"i"' a.json
# The greatest and the last value of each counter.
tr '{,}' '\n\n\n' <a.json | awk -F: '
	$1 ~ /"(requested|allocated|reserved)"/ {
		if ($2 > most[$1]) most[$1] = $2
		last[$1] = $2
	}
	END { for (name in most) printf "%s %.0f %.0f\n", name, most[name], last[name] }' | sort
"$MLVIZ" info "$oom" | grep -e '^ *requested' -e '^ *allocated' -e '^ *reserved'
# Ranks are processes of their own.
"$MLVIZ" export --to chrome "$TESTDATA/fr-dump" | grep process_name
# Paths stand in what is written: one that is the same wherever the tests lie.
cp -r "$TESTDATA/fr-dump" dumps
"$MLVIZ" export --json --to chrome -o b.json dumps
[ "$(wc -c <b.json)" = "$("$MLVIZ" export --json --to chrome -o b.json dumps | sed -n 's/.*"written_bytes": //p')" ] &&
	echo 'as many bytes as are said'
