/* SPDX-License-Identifier: MIT */
/* GNU time in all its forms, time of shells and of BSD, cgmemtime. */
#include "tables_text.h"

/* As GNU time 1.9 printed it. */
#define REST                                                                                       \
	"\tUser time (seconds): 0.27\n"                                                            \
	"\tSystem time (seconds): 0.53\n"                                                          \
	"\tPercent of CPU this job got: 28%\n"                                                     \
	"\tElapsed (wall clock) time (h:mm:ss or m:ss): 0:02.83\n"                                 \
	"\tAverage shared text size (kbytes): 0\n"                                                 \
	"\tAverage unshared data size (kbytes): 0\n"                                               \
	"\tAverage stack size (kbytes): 0\n"                                                       \
	"\tAverage total size (kbytes): 0\n"                                                       \
	"\tMaximum resident set size (kbytes): 13376\n"                                            \
	"\tAverage resident set size (kbytes): 0\n"                                                \
	"\tMajor (requiring I/O) page faults: 1\n"                                                 \
	"\tMinor (reclaiming a frame) page faults: 9373\n"                                         \
	"\tVoluntary context switches: 115\n"                                                      \
	"\tInvoluntary context switches: 208\n"                                                    \
	"\tSwaps: 0\n"                                                                             \
	"\tFile system inputs: 112\n"                                                              \
	"\tFile system outputs: 8\n"                                                               \
	"\tSocket messages sent: 0\n"                                                              \
	"\tSocket messages received: 0\n"                                                          \
	"\tSignals delivered: 0\n"                                                                 \
	"\tPage size (bytes): 4096\n"
#define STATUS(n) "\tExit status: " #n "\n"
#define COMMAND(c) "\tCommand being timed: \"" c "\"\n"

static void has(const char *text, const char *part)
{
	if (!strstr(text, part))
		ck_abort_msg("no \"%s\" in:\n%s", part, text);
}

static void has_not(const char *text, const char *part)
{
	if (strstr(text, part))
		ck_abort_msg("\"%s\" in:\n%s", part, text);
}

START_TEST(test_verbose)
{
	struct tables t;
	tables_of(&t, COMMAND("python3 train.py") REST STATUS(0));
	ck_assert_str_eq(t.run.format, "gnu-time");
	ck_assert_str_eq(tables_sections(&t), "gnu-time 1-23 rank -1, 22 rows: python3 train.py\n");
	ck_assert_str_eq(tables_metrics(&t),
			 "0 python3 train.py | User time | 0.27 s\n"
			 "0 python3 train.py | System time | 0.53 s\n"
			 "0 python3 train.py | Percent of CPU this job got | 28 %\n"
			 "0 python3 train.py | Elapsed (wall clock) time | 2.83 s\n"
			 "0 python3 train.py | Average shared text size | 0 KiB\n"
			 "0 python3 train.py | Average unshared data size | 0 KiB\n"
			 "0 python3 train.py | Average stack size | 0 KiB\n"
			 "0 python3 train.py | Average total size | 0 KiB\n"
			 "0 python3 train.py | Maximum resident set size | 13376 KiB\n"
			 "0 python3 train.py | Average resident set size | 0 KiB\n"
			 "0 python3 train.py | Major (requiring I/O) page faults | 1\n"
			 "0 python3 train.py | Minor (reclaiming a frame) page faults | 9373\n"
			 "0 python3 train.py | Voluntary context switches | 115\n"
			 "0 python3 train.py | Involuntary context switches | 208\n"
			 "0 python3 train.py | Swaps | 0\n"
			 "0 python3 train.py | File system inputs | 112\n"
			 "0 python3 train.py | File system outputs | 8\n"
			 "0 python3 train.py | Socket messages sent | 0\n"
			 "0 python3 train.py | Socket messages received | 0\n"
			 "0 python3 train.py | Signals delivered | 0\n"
			 "0 python3 train.py | Page size | 4096 B\n"
			 "0 python3 train.py | Exit status | 0\n");
	ck_assert_uint_eq(t.run.findings.len, 0);
	ck_assert_uint_eq(t.run.diags.list.len, 0);
	tables_fini(&t);
}
END_TEST

START_TEST(test_endings)
{
	struct tables t;
	/* After a signal the exit status is a lie. */
	tables_of(&t,
		  "Command terminated by signal 9\n" COMMAND("sh -c kill -9 $$") REST STATUS(0));
	ck_assert_str_eq(tables_findings(&t), "1 error signal: Command terminated by signal 9 "
					      "{signal=9, command=sh -c kill -9 $$}\n");
	ck_assert_str_eq(tables_sections(&t), "gnu-time 1-24 rank -1, 21 rows: sh -c kill -9 $$\n");
	has_not(tables_metrics(&t), "Exit status");
	tables_fini(&t);
	tables_of(&t, "Command exited with non-zero status 3\n" COMMAND("false") REST STATUS(3));
	ck_assert_str_eq(tables_findings(&t),
			 "1 error exit-status: Command exited with non-zero status 3 "
			 "{status=3, command=false}\n");
	has(tables_metrics(&t), "0 false | Exit status | 3\n");
	tables_fini(&t);
	/* -q leaves that line out. */
	tables_of(&t, COMMAND("false") REST STATUS(1));
	ck_assert_str_eq(tables_findings(&t),
			 "23 error exit-status: Command exited with non-zero status "
			 "{status=1, command=false}\n");
	tables_fini(&t);
	tables_of(&t,
		  "/usr/bin/time: cannot run nosuch: No such file or directory\n"
		  "Command exited with non-zero status 127\n" COMMAND("nosuch") REST STATUS(127));
	ck_assert_str_eq(tables_findings(&t),
			 "1 error not-run: /usr/bin/time: cannot run nosuch: No such file or "
			 "directory {command=nosuch}\n");
	tables_fini(&t);
	/* With -f nothing else may be known. */
	tables_of(&t, "Command terminated by signal 11\n0.01 972\n");
	ck_assert_str_eq(tables_findings(&t),
			 "1 error signal: Command terminated by signal 11 {signal=11}\n");
	ck_assert_str_eq(tables_sections(&t), "gnu-time 1-1 rank -1, 0 rows: Command terminated by "
					      "signal 11\n");
	tables_fini(&t);
}
END_TEST

START_TEST(test_commands)
{
	static const char *const commands[] = {
		"sh -c sleep 0.01; echo \"multi\nline\" >/dev/null",
		"sh -c echo \"a\"\necho b >/dev/null\necho \"c\"",
		"python3 -c print(\"User time\")\nimport sys\nsys.exit(3)",
		"sh -c true \nx",
		"",
	};
	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
		struct tables t;
		char text[2048];
		snprintf(text, sizeof(text), "\tCommand being timed: \"%s\"\n%s%s", commands[i],
			 REST, STATUS(0));
		tables_of(&t, text);
		ck_assert_uint_eq(t.run.sections.len, 1);
		ck_assert_str_eq(tables_str(&t, t.run.sections.data[0].title), commands[i]);
		ck_assert_uint_eq(t.run.metrics.len, 22);
		tables_fini(&t);
	}
}
END_TEST

START_TEST(test_several_in_a_log)
{
	struct tables t;
	tables_of(&t,
		  "epoch 1\n" COMMAND("a") REST STATUS(
			  0) "Swaps: 3\nExit status: 0\n"
			     "Command exited with non-zero status 2\n" COMMAND("b")
				     REST STATUS(2) "Maximum resident set size (kbytes): 640688\n"
						    "Maximum resident set size (kbytes): 640700\n");
	ck_assert_str_eq(tables_sections(&t), "gnu-time 2-24 rank -1, 22 rows: a\n"
					      "gnu-time 27-50 rank -1, 22 rows: b\n"
					      "gnu-time 51-51 rank -1, 1 rows: \n"
					      "gnu-time 52-52 rank -1, 1 rows: \n");
	has(tables_metrics(&t), "2 command | Maximum resident set size | 640688 KiB\n");
	ck_assert_uint_eq(t.run.findings.len, 1);
	tables_fini(&t);
	/* A second command before the first had its exit status, foreign lines within. */
	tables_of(&t, COMMAND("a") "\tUser time (seconds): 1.00\nsaving\n"
				   "\tSwaps: 0\n" COMMAND("b") REST STATUS(0));
	ck_assert_str_eq(tables_sections(&t), "gnu-time 1-4 rank -1, 2 rows: a\n"
					      "gnu-time 5-27 rank -1, 22 rows: b\n");
	ck_assert(tables_told(&t, "time-cut"));
	tables_fini(&t);
}
END_TEST

START_TEST(test_ranks_interleaved)
{
	struct tables t;
	tables_of(&t, "[rank0]:\tCommand being timed: \"a\"\n"
		      "[rank1]:Command terminated by signal 6\n"
		      "[rank1]:\tCommand being timed: \"b\"\n"
		      "[rank0]:\tUser time (seconds): 1.00\n"
		      "[rank1]:\tUser time (seconds): 2.00\n"
		      "[rank1]:\tExit status: 0\n"
		      "[rank0]:\tExit status: 0\n");
	ck_assert_str_eq(tables_metrics(&t), "0 a | User time | 1.00 s\n"
					     "1 b | User time | 2.00 s\n"
					     "0 a | Exit status | 0\n");
	ck_assert_str_eq(tables_sections(&t), "gnu-time 1-7 rank 0, 2 rows: a\n"
					      "gnu-time 2-6 rank 1, 1 rows: b\n");
	ck_assert_int_eq(t.run.findings.data[0].rank, 1);
	tables_fini(&t);
}
END_TEST

START_TEST(test_elapsed)
{
	static const struct {
		const char *printed, *value;
	} times[] = {
		{ "0:00.00", "0.00 s" },     { "13:13.73", "793.73 s" }, { "1:02:03", "3723 s" },
		{ "6:00:54", "21654 s" },    { "0m 1.25s", "1.25 s" },   { "2h 01m 05s", "7265 s" },
		{ "100:00:00", "360000 s" },
	};
	for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++) {
		struct tables t;
		char text[256], want[256];
		snprintf(text, sizeof(text), "\tElapsed (wall clock) time (h:mm:ss or m:ss): %s\n",
			 times[i].printed);
		snprintf(want, sizeof(want), "0 command | Elapsed (wall clock) time | %s\n",
			 times[i].value);
		tables_of(&t, text);
		ck_assert_str_eq(tables_metrics(&t), want);
		tables_fini(&t);
	}
	struct tables t;
	tables_of(&t, COMMAND("x") "\tPercent of CPU this job got: ?%\n" STATUS(0));
	ck_assert_str_eq(tables_metrics(&t), "0 x | Exit status | 0\n");
	tables_fini(&t);
}
END_TEST

#define PLAIN                                                                                      \
	"0.01user 0.02system 0:00.04elapsed 27%CPU (0avgtext+0avgdata 1524maxresident)k\n"         \
	"16inputs+8outputs (1major+83minor)pagefaults 0swaps\n"

START_TEST(test_plain)
{
	struct tables t;
	tables_of(&t, "Command terminated by signal 15\n" PLAIN "x\n" PLAIN);
	ck_assert_str_eq(tables_sections(&t), "gnu-time 1-3 rank -1, 12 rows: \n"
					      "gnu-time 5-6 rank -1, 12 rows: \n");
	has(tables_metrics(&t), "0 command | User time | 0.01 s\n"
				"0 command | System time | 0.02 s\n"
				"0 command | Elapsed (wall clock) time | 0.04 s\n"
				"0 command | Percent of CPU this job got | 27 %\n"
				"0 command | Average shared text size | 0 KiB\n"
				"0 command | Average unshared data size | 0 KiB\n"
				"0 command | Maximum resident set size | 1524 KiB\n"
				"0 command | File system inputs | 16\n"
				"0 command | File system outputs | 8\n"
				"0 command | Major (requiring I/O) page faults | 1\n"
				"0 command | Minor (reclaiming a frame) page faults | 83\n"
				"0 command | Swaps | 0\n");
	ck_assert_str_eq(tables_findings(&t),
			 "1 error signal: Command terminated by signal 15 {signal=15}\n");
	tables_fini(&t);
}
END_TEST

START_TEST(test_posix)
{
	struct tables t;
	tables_of(&t, "real 0.05\nuser 0.01\nsys 0.02\n");
	ck_assert_str_eq(tables_metrics(&t), "0 command | real | 0.05 s\n"
					     "0 command | user | 0.01 s\n"
					     "0 command | sys | 0.02 s\n");
	tables_fini(&t);
	/* One such line could be anything. */
	tables_read(&t, "real 0.05\nthen\nsys 0.02\n", 25, 0, NULL, 0);
	ck_assert_int_eq(t.rc, MLV_E_FORMAT);
	tables_fini(&t);
}
END_TEST

static void formatted(struct tables *t, const char *format, const char *text)
{
	tables_read(t, text, strlen(text), 0, format, 0);
	if (t->rc)
		ck_abort_msg("%s: %s", format, t->err.msg);
	ck_assert_str_eq(t->run.format, "gnu-time-format");
}

START_TEST(test_formats)
{
	struct tables t;
	formatted(&t, "%M", "972\n");
	ck_assert_str_eq(tables_metrics(&t), "0 command | Maximum resident set size | 972 KiB\n");
	tables_fini(&t);
	formatted(&t, "%e %U %M", "loading\n0.01 0.00 1004\n12.50 1.00 2000\n");
	ck_assert_str_eq(tables_metrics(&t), "0 command | Elapsed (wall clock) time | 0.01 s\n"
					     "0 command | User time | 0.00 s\n"
					     "0 command | Maximum resident set size | 1004 KiB\n"
					     "1 command | Elapsed (wall clock) time | 12.50 s\n"
					     "1 command | User time | 1.00 s\n"
					     "1 command | Maximum resident set size | 2000 KiB\n");
	tables_fini(&t);
	/* Without anything between, and with what time prints for what it does not know. */
	formatted(&t, "%e%U%S %% %q \\q", "0.020.010.00 % ?q ?\\q\n");
	ck_assert_str_eq(tables_metrics(&t), "0 command | Elapsed (wall clock) time | 0.02 s\n"
					     "0 command | User time | 0.01 s\n"
					     "0 command | System time | 0.00 s\n");
	tables_fini(&t);
	formatted(&t, "%C took %E (%x) by %C", "true a took 0:00.03 (0) by true a\n");
	ck_assert_str_eq(tables_metrics(&t), "0 true a | Elapsed (wall clock) time | 0.03 s\n"
					     "0 true a | Exit status | 0\n");
	tables_fini(&t);
	/* Several lines, with a tab and blanks; a report that is not whole is none. */
	formatted(&t, "%e\\n%U\\t%S\\n  rss=%MKB\\n",
		  "0.01\n0.00\t0.00\n  rss=1072KB\n\n0.08\n0.00\t0.00\n0.09\n0.01\t0.00\n"
		  "  rss=1660KB\n");
	ck_assert_str_eq(tables_sections(&t), "gnu-time-format 1-3 rank -1, 4 rows: \n"
					      "gnu-time-format 7-9 rank -1, 4 rows: \n");
	tables_fini(&t);
}
END_TEST

START_TEST(test_format_endings)
{
	struct tables t;
	formatted(&t, "%C|%x|%P", "Command terminated by signal 9\nsh -c kill -9 $$|0|?%\n");
	ck_assert_str_eq(tables_findings(&t), "1 error signal: Command terminated by signal 9 "
					      "{signal=9, command=sh -c kill -9 $$}\n");
	ck_assert_str_eq(tables_metrics(&t), "");
	tables_fini(&t);
	formatted(&t, "%C|%x", "Command exited with non-zero status 4\nsh|4\nls|2\nls|0\n");
	ck_assert_str_eq(tables_findings(&t),
			 "1 error exit-status: Command exited with non-zero status 4 "
			 "{status=4, command=sh}\n"
			 "3 error exit-status: Command exited with non-zero status "
			 "{status=2, command=ls}\n");
	tables_fini(&t);
}
END_TEST

/* Formats that could make a matcher try for ever. */
START_TEST(test_format_hostile)
{
	char format[256] = "", *text = malloc(60001);
	struct tables t;
	for (int i = 0; i < 30; i++)
		strcat(format, "%C ");
	strcat(format, "%e!");
	memset(text, ' ', 60000);
	text[60000] = '\0';
	memcpy(text, "Command exited with non-zero status 1\n", 38);
	tables_read(&t, text, 60000, 0, format, 0);
	tables_fini(&t);
	free(text);
	static const char *const odd[] = {
		"", "%", "\\", "%%", "\\n\\n\\n", "%C%C%C%C", "%C", "x"
	};
	for (size_t i = 0; i < sizeof(odd) / sizeof(odd[0]); i++) {
		tables_read(&t, "a b\n\n%\nx\n", 9, 0, odd[i], 0);
		tables_fini(&t);
	}
	/* More lines and more directives than there is room for. */
	char many[2048] = "";
	for (int i = 0; i < 60; i++)
		strcat(many, "%e %U\\n");
	tables_read(&t, "0.01 0.02\n0.01 0.02\n", 20, 0, many, 0);
	tables_fini(&t);
}
END_TEST

START_TEST(test_shells)
{
	struct tables t;
	tables_of(&t, "\nreal\t0m0.051s\nuser\t1m0.009s\nsys\t0m0,001s\n"
		      "\nreal\t0m 1.05s\nuser\t0m 0.00s\nsys\t2m 0.01s\n"
		      "python main.py no_sleeps foo 100  0.67s user 1.42s system 422% cpu 1:02.495 "
		      "total\n"
		      "( a; b; )  0.84s user 0.08s system 97% cpu 1:00:00.5 total\n");
	ck_assert_str_eq(t.run.format, "shell-time");
	ck_assert_str_eq(tables_metrics(&t),
			 "0 command | real | 0.051 s\n"
			 "0 command | user | 60.009 s\n"
			 "0 command | sys | 0.001 s\n"
			 "1 command | real | 1.05 s\n"
			 "1 command | user | 0.00 s\n"
			 "1 command | sys | 120.01 s\n"
			 "2 python main.py no_sleeps foo 100 | user | 0.67 s\n"
			 "2 python main.py no_sleeps foo 100 | system | 1.42 s\n"
			 "2 python main.py no_sleeps foo 100 | cpu | 422 %\n"
			 "2 python main.py no_sleeps foo 100 | total | 62.495 s\n"
			 "3 ( a; b; ) | user | 0.84 s\n"
			 "3 ( a; b; ) | system | 0.08 s\n"
			 "3 ( a; b; ) | cpu | 97 %\n"
			 "3 ( a; b; ) | total | 3600.5 s\n");
	ck_assert_str_eq(tables_sections(&t),
			 "shell-time 2-4 rank -1, 3 rows: \n"
			 "shell-time 6-8 rank -1, 3 rows: \n"
			 "shell-time 9-9 rank -1, 4 rows: python main.py no_sleeps foo 100\n"
			 "shell-time 10-10 rank -1, 4 rows: ( a; b; )\n");
	tables_fini(&t);
	static const char other[] = "in total\nreal 5m\nreal\tthing\n0 cpu 1 total\nx user total\n"
				    "user\t1m2s x\n";
	tables_read(&t, other, sizeof(other) - 1, 0, NULL, 0);
	ck_assert_int_eq(t.rc, MLV_E_FORMAT);
	tables_fini(&t);
}
END_TEST

#define MAC_FIRST "        3.35 real         4.69 user         2.08 sys\n"
#define MAC_RSS "          1598685184  maximum resident set size\n"

START_TEST(test_mac)
{
	struct tables t;
	tables_of(&t, MAC_FIRST MAC_RSS "                   0  average shared memory size\n"
					"             2337210  page reclaims\n"
					"                  12  swaps\n"
					"          2123666624  peak memory footprint\n");
	ck_assert_str_eq(tables_metrics(&t),
			 "0 command | real | 3.35 s\n"
			 "0 command | user | 4.69 s\n"
			 "0 command | sys | 2.08 s\n"
			 "0 command | maximum resident set size | 1598685184 B\n"
			 "0 command | average shared memory size | 0 KiB\n"
			 "0 command | page reclaims | 2337210\n"
			 "0 command | swaps | 12\n"
			 "0 command | peak memory footprint | 2123666624 B\n");
	ck_assert_uint_eq(t.run.diags.list.len, 0);
	tables_fini(&t);
	/* Without its columns: what only macOS prints settles the unit, else nothing does. */
	tables_of(&t, MAC_FIRST "1598685184  maximum resident set size\n"
				"5  instructions retired\n" MAC_FIRST
				"1598685184  maximum resident set size\n");
	has(tables_metrics(&t), "0 command | maximum resident set size | 1598685184 B\n");
	has(tables_metrics(&t), "1 command | maximum resident set size | 1598685184\n");
	ck_assert(tables_told(&t, "time-unit"));
	tables_fini(&t);
}
END_TEST

START_TEST(test_bsd)
{
	struct tables t;
	tables_of(&t, "        0.01 real         0.00 user         0.00 sys\n"
		      "      2208  maximum resident set size\n"
		      "         4  average shared memory size\n"
		      "         0  page faults\n"
		      "         7  voluntary context switches\n");
	ck_assert_str_eq(t.run.format, "bsd-time");
	has(tables_metrics(&t), "0 command | maximum resident set size | 2208 KiB\n"
				"0 command | average shared memory size | 4 KiB\n"
				"0 command | page faults | 0\n"
				"0 command | voluntary context switches | 7\n");
	tables_fini(&t);
	/* Counters of other tools. */
	static const char other[] = "        12  page faults\n 0  swaps\n 3  messages sent\n";
	tables_read(&t, other, sizeof(other) - 1, 0, NULL, 0);
	ck_assert_int_eq(t.rc, MLV_E_FORMAT);
	tables_fini(&t);
}
END_TEST

#define CGMEMTIME                                                                                  \
	"\nuser:   0.856 s\nsys:    0.101 s\nwall:   0.989 s\n"                                    \
	"child_RSS_high:     389572 KiB\ngroup_mem_high:     209240 KiB\n"

START_TEST(test_cgmemtime)
{
	struct tables t;
	tables_of(&t, "$ ./cgmemtime python -c \"import torch\"\n" CGMEMTIME CGMEMTIME
		      "#child_RSS_high:    1641096 KiB\n#group_mem_high:    1625820 KiB\n");
	ck_assert_str_eq(t.run.format, "cgmemtime");
	ck_assert_str_eq(tables_sections(&t),
			 "cgmemtime 3-7 rank -1, 5 rows: python -c \"import torch\"\n"
			 "cgmemtime 9-13 rank -1, 5 rows: \n"
			 "cgmemtime 14-15 rank -1, 2 rows: \n");
	has(tables_metrics(&t), "0 python -c \"import torch\" | user | 0.856 s\n"
				"0 python -c \"import torch\" | sys | 0.101 s\n"
				"0 python -c \"import torch\" | wall | 0.989 s\n"
				"0 python -c \"import torch\" | child_RSS_high | 389572 KiB\n"
				"0 python -c \"import torch\" | group_mem_high | 209240 KiB\n"
				"1 command | user | 0.856 s\n");
	tables_fini(&t);
	tables_of(&t, "Child user:   0.000 s\nChild sys :   0.010 s\nChild wall:   0.020 s\n"
		      "Child high-water RSS                    :      10720 KiB\n"
		      "Recursive and acc. high-water RSS+CACHE :      61824 KiB\n");
	ck_assert_str_eq(tables_metrics(&t),
			 "0 command | Child user | 0.000 s\n"
			 "0 command | Child sys | 0.010 s\n"
			 "0 command | Child wall | 0.020 s\n"
			 "0 command | Child high-water RSS | 10720 KiB\n"
			 "0 command | Recursive and acc. high-water RSS+CACHE | 61824 KiB\n");
	tables_fini(&t);
}
END_TEST

START_TEST(test_cgmemtime_columns)
{
	struct tables t;
	static const char other[] = "step;1;2;3;4\n0.1;0.2;0.3;400;500\n";
	tables_of(&t, "0.856;0.101;1e-05;389572;209240\n1;2;3.5;400;0\n");
	ck_assert_str_eq(t.run.format, "cgmemtime");
	ck_assert_str_eq(tables_metrics(&t), "0 command | user | 0.856 s\n"
					     "0 command | sys | 0.101 s\n"
					     "0 command | wall | 0.00001 s\n"
					     "0 command | child_RSS_high | 389572 KiB\n"
					     "0 command | group_mem_high | 209240 KiB\n"
					     "1 command | user | 1 s\n"
					     "1 command | sys | 2 s\n"
					     "1 command | wall | 3.5 s\n"
					     "1 command | child_RSS_high | 400 KiB\n"
					     "1 command | group_mem_high | 0 KiB\n");
	tables_fini(&t);
	/* Five columns of something else. */
	tables_read(&t, other, sizeof(other) - 1, 0, NULL, 0);
	ck_assert_int_eq(t.rc, MLV_E_FORMAT);
	tables_fini(&t);
}
END_TEST

START_TEST(test_spoiled)
{
	static const char *const texts[] = {
		"Command terminated by signal 9\n" COMMAND("sh -c kill \"\n$$") REST STATUS(0) PLAIN
		"real 0.05\nuser 0.01\nsys 0.02\n",
		"\nreal\t0m0.051s\nuser\t1m0.009s\nsys\t0m0,001s\nx y 0.67s user 1.42s system 4% "
		"cpu 1:02.495 total\n",
		MAC_FIRST MAC_RSS "             2337210  page reclaims\n",
		"$ cgmemtime x\n" CGMEMTIME "Child user:   0.000 s\nChild sys :   0.010 s\n",
		"0.856;0.101;1e-05;389572;209240\n1;2;3.5;400;0\n",
	};
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		tables_spoil(texts[i], strlen(texts[i]), NULL);
		tables_spoil(texts[i], strlen(texts[i]), "%C %e\\n%M");
	}
}
END_TEST

START_TEST(test_limit)
{
	struct tables t;
	static const char text[] = COMMAND("a") REST STATUS(0);
	tables_read(&t, text, sizeof(text) - 1, 0, NULL, 10);
	ck_assert_int_eq(t.rc, MLV_E_LIMIT);
	tables_fini(&t);
}
END_TEST

UNIT_MAIN("time_tools", test_verbose, test_endings, test_commands, test_several_in_a_log,
	  test_ranks_interleaved, test_elapsed, test_plain, test_posix, test_formats,
	  test_format_endings, test_format_hostile, test_shells, test_mac, test_bsd, test_cgmemtime,
	  test_cgmemtime_columns, test_spoiled, test_limit)
