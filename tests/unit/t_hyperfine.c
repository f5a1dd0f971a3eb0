/* SPDX-License-Identifier: MIT */
/* hyperfine's JSON, CSV and terminal output. */
#include "tables_text.h"

/* As version 1.20 writes it; the second command ran once, and failed. */
static const char version1[] =
	"{\n  \"results\": [\n    {\n"
	"      \"command\": \"sleep 0.01\",\n"
	"      \"mean\": 0.011324918666666668,\n      \"stddev\": 0.00021003391880916085,\n"
	"      \"median\": 0.011217879,\n      \"user\": 0.0010376666666666666,\n"
	"      \"system\": 0.0,\n      \"min\": 0.011189968,\n      \"max\": 0.011566909,\n"
	"      \"times\": [\n        0.011566909,\n        0.011217879,\n        0.0111899680\n"
	"      ],\n"
	"      \"memory_usage_byte\": [\n        1703936,\n        1638400,\n        1638401\n"
	"      ],\n"
	"      \"exit_codes\": [\n        0,\n        0,\n        0\n      ],\n"
	"      \"parameters\": {\n        \"n\": \"0.01\",\n        \"word\": \"a b\"\n      }\n"
	"    },\n    {\n"
	"      \"command\": \"exit 2\",\n"
	"      \"mean\": 3.0220133333329403e-6,\n      \"stddev\": null,\n"
	"      \"median\": 3e-6,\n      \"user\": 0.0,\n      \"system\": 0.0,\n"
	"      \"min\": 3e-6,\n      \"max\": 3e-6,\n"
	"      \"times\": [\n        3e-6\n      ],\n"
	"      \"exit_codes\": [\n        2\n      ]\n    }\n  ]\n}\n";

START_TEST(test_json)
{
	struct tables t;
	tables_of(&t, version1);
	ck_assert_str_eq(t.run.format, "hyperfine");
	ck_assert_str_eq(tables_metrics(&t), "0 sleep 0.01 | mean | 0.011324918666666668 s\n"
					     "0 sleep 0.01 | stddev | 0.00021003391880916085 s\n"
					     "0 sleep 0.01 | median | 0.011217879 s\n"
					     "0 sleep 0.01 | user | 0.0010376666666666666 s\n"
					     "0 sleep 0.01 | system | 0.0 s\n"
					     "0 sleep 0.01 | min | 0.011189968 s\n"
					     "0 sleep 0.01 | max | 0.011566909 s\n"
					     "1 exit 2 | mean | 0.0000030220133333329403 s\n"
					     "1 exit 2 | median | 0.000003 s\n"
					     "1 exit 2 | user | 0.0 s\n"
					     "1 exit 2 | system | 0.0 s\n"
					     "1 exit 2 | min | 0.000003 s\n"
					     "1 exit 2 | max | 0.000003 s\n");
	ck_assert_str_eq(tables_samples(&t), "process 1 | 1 |  | time | 0.011566909 s\n"
					     "process 1 | 2 |  | time | 0.011217879 s\n"
					     "process 1 | 3 |  | time | 0.0111899680 s\n"
					     "process 1 | 1 |  | memory | 1703936 B\n"
					     "process 1 | 2 |  | memory | 1638400 B\n"
					     "process 1 | 3 |  | memory | 1638401 B\n"
					     "process 2 | 1 |  | time | 0.000003 s\n");
	ck_assert_str_eq(tables_properties(&t), "parameters/result 1: n = 0.01\n"
						"parameters/result 1: word = a b\n");
	ck_assert_str_eq(tables_findings(&t),
			 "0 error exit-status: 1 of 1 runs exited with a status other than 0, the "
			 "first of them with 2 {status=2, command=exit 2}\n");
	ck_assert_uint_eq(t.run.diags.list.len, 0);
	tables_fini(&t);
}
END_TEST

START_TEST(test_json_signal)
{
	struct tables t;
	tables_of(&t, "{\"results\":[{\"command\":\"x\",\"mean\":1.0,\"stddev\":null,\"median\":1,"
		      "\"exit_codes\":[0,null,3]}]}");
	ck_assert_str_eq(tables_findings(&t),
			 "0 error exit-status: 2 of 3 runs failed, the first of them without an "
			 "exit status: a signal ended it {command=x}\n");
	tables_fini(&t);
}
END_TEST

START_TEST(test_json_version2)
{
	struct tables t;
	tables_of(&t, "{\"metadata\": {\"hyperfine_version\": \"2.0.0\"}, \"schema_version\": 2,\n"
		      "\"results\": [{\"command\": \"example\", \"measurements\": [{\n"
		      "\"time_wall_clock\": {\"value\": 0.5, \"unit\": \"second\"},\n"
		      "\"time_user\": {\"value\": 250, \"unit\": \"millisecond\"},\n"
		      "\"memory_peak_resident\": {\"value\": 1024, \"unit\": \"byte\"},\n"
		      "\"instructions\": {\"value\": 7, \"unit\": \"count\"}, \"exit_code\": 0},\n"
		      "{\"time_wall_clock\": {\"value\": 0.7, \"unit\": \"second\"}, "
		      "\"exit_code\": 1}],\n"
		      "\"summary\": {\"time_wall_clock\": {\"mean\": 0.6, \"stddev\": 0.1, "
		      "\"min\": 0.5,\n"
		      "\"max\": 0.7, \"median\": 0.6, \"unit\": \"second\"},\n"
		      "\"time_user\": {\"mean\": 0.25, \"max\": 0.3, \"unit\": \"second\"},\n"
		      "\"memory_peak_resident\": {\"mean\": 1024.0, \"max\": 1024, \"unit\": "
		      "\"byte\"}}}]}"
		      "\n");
	ck_assert_str_eq(tables_metrics(&t), "0 example | mean | 0.6 s\n"
					     "0 example | stddev | 0.1 s\n"
					     "0 example | median | 0.6 s\n"
					     "0 example | min | 0.5 s\n"
					     "0 example | max | 0.7 s\n"
					     "0 example | user | 0.25 s\n"
					     "0 example | user max | 0.3 s\n"
					     "0 example | memory mean | 1024.0 B\n"
					     "0 example | memory max | 1024 B\n");
	ck_assert_str_eq(tables_samples(&t), "process 1 | 1 |  | time | 0.5 s\n"
					     "process 1 | 1 |  | user | 250 ms\n"
					     "process 1 | 1 |  | memory | 1024 B\n"
					     "process 1 | 1 |  | instructions | 7\n"
					     "process 1 | 2 |  | time | 0.7 s\n");
	ck_assert_uint_eq(t.run.findings.len, 1);
	tables_fini(&t);
}
END_TEST

/* Everything before the place where a file was cut is there. */
START_TEST(test_json_truncated)
{
	struct tables t;
	const char *cut = strstr(version1, "\"exit 2\"") + strlen("\"exit 2\"");
	tables_read(&t, version1, (size_t)(cut - version1), 0, NULL, 0);
	ck_assert_int_eq(t.rc, MLV_OK);
	ck_assert_uint_eq(t.run.sections.len, 2);
	ck_assert_uint_eq(t.run.metrics.len, 7);
	ck_assert(tables_told(&t, "json-truncated"));
	tables_fini(&t);
	for (size_t chunk = 1; chunk < 100; chunk += 7) {
		tables_read(&t, version1, sizeof(version1) - 1, chunk, NULL, 0);
		ck_assert_int_eq(t.rc, MLV_OK);
		ck_assert_uint_eq(t.run.samples.len, 7);
		tables_fini(&t);
	}
}
END_TEST

#define HEADER "command,mean,stddev,median,user,system,min,max"

START_TEST(test_csv)
{
	struct tables t;
	tables_of(&t, HEADER ",parameter_n\n"
			     "sleep 0.01,0.0113,0.0002,0.0112,0.001,0,0.0111,0.0115,0.01\n"
			     "\"echo \"\"a, b\"\"\nsecond\",1.5,,1.5,1e-05,0.0,1.5,1.5,\"x,y\"\n");
	ck_assert_str_eq(t.run.format, "hyperfine-csv");
	ck_assert_str_eq(tables_metrics(&t), "0 sleep 0.01 | mean | 0.0113 s\n"
					     "0 sleep 0.01 | stddev | 0.0002 s\n"
					     "0 sleep 0.01 | median | 0.0112 s\n"
					     "0 sleep 0.01 | user | 0.001 s\n"
					     "0 sleep 0.01 | system | 0 s\n"
					     "0 sleep 0.01 | min | 0.0111 s\n"
					     "0 sleep 0.01 | max | 0.0115 s\n"
					     "1 echo \"a, b\"\nsecond | mean | 1.5 s\n"
					     "1 echo \"a, b\"\nsecond | median | 1.5 s\n"
					     "1 echo \"a, b\"\nsecond | user | 0.00001 s\n"
					     "1 echo \"a, b\"\nsecond | system | 0.0 s\n"
					     "1 echo \"a, b\"\nsecond | min | 1.5 s\n"
					     "1 echo \"a, b\"\nsecond | max | 1.5 s\n");
	ck_assert_str_eq(tables_properties(&t),
			 "parameters/result 1: n = 0.01\nparameters/result 2: n = x,y\n");
	ck_assert_str_eq(tables_sections(&t),
			 "hyperfine-csv 2-2 rank -1, 7 rows: sleep 0.01\n"
			 "hyperfine-csv 3-4 rank -1, 6 rows: echo \"a, b\"\nsecond\n");
	tables_fini(&t);
	tables_of(&t, "command,time_wall_clock_unit,time_wall_clock_mean,time_wall_clock_max,"
		      "time_user_unit,time_user_mean,time_user_max,memory_peak_resident_unit,"
		      "memory_peak_resident_mean\na,ms,9,12,s,7,8,KiB,1\n");
	ck_assert_str_eq(tables_metrics(&t), "0 a | mean | 9 ms\n"
					     "0 a | max | 12 ms\n"
					     "0 a | user | 7 s\n"
					     "0 a | user max | 8 s\n"
					     "0 a | memory mean | 1 KiB\n");
	tables_fini(&t);
	tables_of(&t, HEADER "\nx,1,2\n\"y,1,2,3,4,5,6,7\n");
	ck_assert(tables_told(&t, "csv-columns"));
	ck_assert(tables_told(&t, "csv-truncated"));
	tables_fini(&t);
}
END_TEST

/* Quotes that never end, on very many lines, must not cost their square. */
START_TEST(test_csv_hostile)
{
	struct tables t;
	size_t n = 3 << 20;
	char *text = malloc(n);
	memset(text, '\n', n);
	memcpy(text, HEADER "\n\"", sizeof(HEADER) + 1);
	tables_read(&t, text, n, 0, NULL, 0);
	ck_assert_int_eq(t.rc, MLV_OK);
	tables_fini(&t);
	free(text);
}
END_TEST

#define MEAN "  Time (mean \xc2\xb1 \xcf\x83):"
#define RANGE "  Range (min \xe2\x80\xa6 max):"
#define PM " \xc2\xb1 "
#define TO " \xe2\x80\xa6 "

static const char terminal[] =
	"$ hyperfine 'sleep 0.1' 'sleep 0.2' true\n"
	"\x1b[1mBenchmark 1: \x1b[0msleep 0.1\n" MEAN "     101.9 ms" PM
	"  0.3 ms    [User: 1.1 ms, System: 0.4 ms]\n" RANGE "   101.4 ms" TO
	"102.6 ms    28 runs\n \n"
	"Benchmark 2: sleep 0.2\n" MEAN "      1.412 s" PM
	" 0.024 s    [User: 8.160 s, System: 0.290 s]\n" RANGE "    1.378 s" TO
	" 1.454 s    10 runs\n \n"
	"  Warning: Statistical outliers were detected. Consider re-running this benchmark.\n"
	"Benchmark 3: true\n"
	"  Time (abs \xe2\x89\xa1):         49.7 \xc2\xb5s               [User: 12.2 \xc2\xb5s, "
	"System: 23.5 \xc2\xb5s]\n \n"
	"  Warning: Ignoring non-zero exit code.\n \n"
	"Summary\n"
	"  true ran\n"
	"   13.86" PM "0.24 times faster than sleep 0.1\n"
	"    1.02 times faster than 'sleep 0.2'\n";

START_TEST(test_terminal)
{
	struct tables t;
	tables_of(&t, terminal);
	ck_assert_str_eq(t.run.format, "hyperfine-text");
	ck_assert_str_eq(tables_metrics(&t), "0 sleep 0.1 | mean | 101.9 ms\n"
					     "0 sleep 0.1 | stddev | 0.3 ms\n"
					     "0 sleep 0.1 | user | 1.1 ms\n"
					     "0 sleep 0.1 | system | 0.4 ms\n"
					     "0 sleep 0.1 | min | 101.4 ms\n"
					     "0 sleep 0.1 | max | 102.6 ms\n"
					     "0 sleep 0.1 | runs | 28\n"
					     "1 sleep 0.2 | mean | 1.412 s\n"
					     "1 sleep 0.2 | stddev | 0.024 s\n"
					     "1 sleep 0.2 | user | 8.160 s\n"
					     "1 sleep 0.2 | system | 0.290 s\n"
					     "1 sleep 0.2 | min | 1.378 s\n"
					     "1 sleep 0.2 | max | 1.454 s\n"
					     "1 sleep 0.2 | runs | 10\n"
					     "2 true | mean | 49.7 us\n"
					     "2 true | user | 12.2 us\n"
					     "2 true | system | 23.5 us\n"
					     "3 sleep 0.1 | relative | 13.86\n"
					     "3 sleep 0.1 | relative stddev | 0.24\n"
					     "4 sleep 0.2 | relative | 1.02\n");
	ck_assert_str_eq(tables_findings(&t),
			 "10 warning benchmark-outliers: Statistical outliers were detected. "
			 "Consider re-running this benchmark. {command=sleep 0.2}\n"
			 "14 warning exit-status: Ignoring non-zero exit code. {command=true}\n");
	tables_fini(&t);
}
END_TEST

START_TEST(test_terminal_parts)
{
	struct tables t;
	/* Versions before 1.11 number with '#'; output of the command may stand between. */
	tables_of(&t, "Benchmark #1: python3 ./related.py\n"
		      "Processing time (w/o IO): 23.654s\nWarning: of the command itself\n" MEAN
		      "     23.8 s" PM "0.1 s    [User: 23.7 s, System: 0.1 s]\n" RANGE
		      "   23.1 s" TO "24.0 s\n");
	ck_assert_uint_eq(t.run.findings.len, 0);
	ck_assert_uint_eq(t.run.metrics.len, 6);
	ck_assert_str_eq(tables_str(&t, t.run.metrics.data[0].subject), "python3 ./related.py");
	tables_fini(&t);
	/* A command that fails ends it all. */
	tables_of(&t, "Benchmark 1: false\nError: Command terminated with non-zero exit code 1 in "
		      "the first benchmark run. Use the '-i'/'--ignore-failure' option.\n");
	ck_assert_str_eq(tables_findings(&t),
			 "2 error exit-status: Command terminated with non-zero exit code 1 in the "
			 "first benchmark run. Use the '-i'/'--ignore-failure' option. "
			 "{command=false}\n");
	tables_fini(&t);
}
END_TEST

START_TEST(test_spoiled)
{
	tables_spoil(version1, sizeof(version1) - 1, NULL);
	tables_spoil(terminal, sizeof(terminal) - 1, NULL);
	static const char csv[] = HEADER ",parameter_n\nsleep,1,2,3,4,5,6,7,x\n\"a\"\"\nb\",1\n";
	tables_spoil(csv, sizeof(csv) - 1, NULL);
}
END_TEST

UNIT_MAIN("hyperfine", test_json, test_json_signal, test_json_version2, test_json_truncated,
	  test_csv, test_csv_hostile, test_terminal, test_terminal_parts, test_spoiled)
