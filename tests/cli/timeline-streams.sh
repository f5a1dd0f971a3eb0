# Streams of several devices are named and coloured by their order, pools by their numbers, so that
# legends merge what is the same although handles and rows differ.
event() {
	printf '%s{"action": "alloc", "addr": %s, "size": %s, "stream": %s%s}' "$@"
}
{
	echo '{"segments": [], "device_traces": [['
	event "" 4096 1000000 0 ', "pool_id": [0, 0]'
	event , 8192 3000000 624816528 ', "pool_id": [0, 7]'
	event , 12288 500000 777777777 ', "pool_id": [3, 0]'
	echo '], ['
	event "" 4096 2000000 99999999 ', "pool_id": [3, 0]'
	event , 8192 1500000 0 ', "pool_id": [0, 7]'
	event , 12288 250000 0 ''
	echo ']]}'
} >two.json
for by in stream pool; do
	echo "== --color $by"
	"$MLVIZ" timeline -q --color $by -o two.svg two.json 2>/dev/null
	tr '\n' ' ' <two.svg | grep -o '<rect[^>]*><title>[^<]*allocations, [^<]*</title>' |
		sed 's/.*fill="\([^"]*\)".*<title>\(.*\)<.title>/\1 \2/'
	"$MLVIZ" timeline --json --color $by -o two.svg two.json 2>/dev/null |
		grep -o '"device":[^,]*\|"name":"[^"]*"\|"name": "[^"]*"'
done
