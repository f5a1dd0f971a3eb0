# Sizes that no device has: sums stay within the plot and nothing overflows.
cat >huge.json <<'EOF'
{"segments": [{"device": 0, "address": 4096, "total_size": 18446744073709551615,
  "allocated_size": 18446744073709551615, "stream": 0, "segment_type": "large", "blocks":
  [{"address": 4096, "size": 18446744073709551615, "requested_size": 18446744073709551615,
    "state": "active_allocated"}]}],
 "device_traces": [[
  {"action": "segment_alloc", "addr": 4096, "size": 9223372036854775807, "stream": 0},
  {"action": "alloc", "addr": 4096, "size": 9223372036854775807, "stream": 0},
  {"action": "segment_free", "addr": 9000, "size": 18446744073709551615, "stream": 0},
  {"action": "alloc", "addr": 8192, "size": 18446744073709551615, "stream": 0}]]}
EOF
"$MLVIZ" timeline -q -o huge.png huge.json
"$MLVIZ" timeline -q -o huge.svg huge.json
"$MLVIZ" timeline -q -o capacity.svg --capacity 18446744073709551615 huge.json
# No coordinate leaves the page; what is said of sizes may be as long as they are.
for file in huge.svg capacity.svg; do
	tr '\n' ' ' <$file | sed 's|<title>[^<]*</title>||g' |
		grep -o '[0-9]\{6,\}\|[ "ML,]-[0-9.]*' || echo "$file: all within the page"
done
