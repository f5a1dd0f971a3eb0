# Annotations nested deeper than there are lanes are counted in a band of their own.
{
	echo '{"segments": [{"device": 0, "address": 0, "total_size": 40960, "allocated_size": 0, "stream": 0,'
	echo '"segment_type": "small", "blocks": []}], "device_traces": [['
	for i in 0 1 2 3 4 5 6 7 8; do
		echo "{\"action\": \"alloc\", \"addr\": $((i * 4096)), \"size\": 4096, \"stream\": 0, \"time_us\": $((i * 100))},"
	done
	echo '{"action": "oom", "addr": 0, "size": 1, "stream": 0, "time_us": 1000}]], "external_annotations": ['
	for span in A:0:900 B:100:800 C:200:700 D:300:500 E:350:450 F:400:440 G:600:640; do
		IFS=: read -r name start end <<-END
			$span
		END
		echo "{\"stage\": \"START\", \"name\": \"$name\", \"device\": 0, \"time_us\": $start},"
		echo "{\"stage\": \"END\", \"name\": \"$name\", \"device\": 0, \"time_us\": $end},"
	done
	echo '{"stage": "START", "name": "H", "device": 0, "time_us": 950}]}'
} >deep.json
"$MLVIZ" timeline -q -o deep.svg deep.json
grep -o '<title>[A-Z0-9][: ].*</title>' deep.svg
