# --device N holds for all that is said: annotations, contradictions. What was wrong with the file is
# told even when it has no such device, and --strict heeds it.
cat >two.json <<'EOF'
{"segments": [{"device": 1, "address": 0, "total_size": 200, "allocated_size": 0, "stream": 0,
  "segment_type": "small", "blocks": [{"address": 0, "size": 100, "state": "inactive"}]}],
 "device_traces": [[{"action": "alloc", "addr": 4096, "size": 10, "stream": 0, "time_us": 5}],
  [{"action": "alloc", "addr": 4096, "size": 20, "stream": 0, "time_us": 5},
   {"action": "free_completed", "addr": 4096, "size": 20, "stream": 0, "time_us": 6}]],
 "external_annotations": [
  {"stage": "START", "name": "zero", "device": 0, "time_us": 1},
  {"stage": "END", "name": "zero", "device": 0, "time_us": 2},
  {"stage": "START", "name": "one", "device": 1, "time_us": 1},
  {"stage": "END", "name": "one", "device": 1, "time_us": 2}]} trailing
EOF
for n in 0 1; do
	"$MLVIZ" info --device $n two.json 2>&1 | grep -e annotations -e damage
	"$MLVIZ" timeline --device $n -q -o two.svg two.json
done
echo "== no such device"
exits 2 "$MLVIZ" info --device 7 two.json 2>&1
exits 3 "$MLVIZ" info --strict --device 7 two.json 2>&1
exits 3 "$MLVIZ" timeline --strict --device 7 -o two.svg two.json 2>&1
echo "== one rank for several"
exits 2 "$MLVIZ" info --rank 3 two.json two.json 2>&1
