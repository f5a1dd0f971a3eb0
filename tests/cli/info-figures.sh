# What info says of tables and of reports on one command: what leads them, totals, figures.
{
	echo '--------  ------------  ------------  ------------  '
	echo '    Name      Self CPU     Self CUDA    # of Calls  '
	echo '--------  ------------  ------------  ------------  '
	for i in 4 3 2 1; do
		echo "aten::a$i       1.500ms     ${i}00.000us            12  "
	done
	echo '--------  ------------  ------------  ------------  '
	printf 'Self CPU time total: 4.000ms\nSelf CUDA time total: 1.000ms\n'
	echo '========= COMPUTE-SANITIZER'
	echo '========= ERROR SUMMARY: 0 errors'
	printf '\nuser:   0.856 s\nsys:    0.101 s\nwall:   0.989 s\n'
	printf 'child_RSS_high:     389572 KiB\ngroup_mem_high:     209240 KiB\n'
} >log.txt
"$MLVIZ" info log.txt
# Members of groups as ranges; those that are elided stay as they are.
printf '{"traceEvents":[{"ph":"X","name":"a","ts":1,"dur":2,"pid":1,"tid":1}],"distributedInfo":
{"rank":0,"pg_config":[{"pg_name":"0","pg_desc":"all","pg_size":9,"ranks":[0,1,2,3,5,6,8,9,10]},
{"pg_name":"1","pg_desc":"one","pg_size":1,"ranks":[0]}]}}' >trace.json
"$MLVIZ" info trace.json | grep group
"$MLVIZ" show --line 5 log.txt
"$MLVIZ" show --line 9 log.txt
"$MLVIZ" show --line 16 --json log.txt
