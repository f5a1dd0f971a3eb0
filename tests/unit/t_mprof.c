/* SPDX-License-Identifier: MIT */
/* mprof files and the tables of memory_profiler. */
#include "tables_text.h"

static const char dat[] = "CMDLINE python train.py --lr 0.1\n"
			  "MEM 0.136719 1700000000.1234\n"
			  "MEM 20.500000 1700000000.2235\n"
			  "FUNC __main__.load 20.5000 1700000000.1500 99.2500 1700000001.0000 2\n"
			  "CHLD 0 13.250000 1700000000.3000\n"
			  "CHLD 1 14.000000 1700000000.3001\n"
			  "FUNC m.f 1.0000 1700000000.5000 1.0000 1700000000.6000\n"
			  "MEM 100.000000 1700000001.0001\n";

START_TEST(test_mprof)
{
	struct tables t;
	tables_of(&t, dat);
	ck_assert_str_eq(t.run.format, "mprof");
	ck_assert_str_eq(tables_samples(&t),
			 "process 0 | 1700000000123400000 |  | rss | 0.136719 MiB\n"
			 "process 0 | 1700000000223500000 |  | rss | 20.500000 MiB\n"
			 "process 0 | 1700000000300000000 |  | rss | 13.250000 MiB\n"
			 "process 1 | 1700000000300100000 |  | rss | 14.000000 MiB\n"
			 "process 0 | 1700000001000100000 |  | rss | 100.000000 MiB\n");
	/* The first child is a track below that of the main process. */
	mlv_trackid main = t.run.samples.data[0].track, child = t.run.samples.data[2].track;
	ck_assert_uint_ne(child.i, main.i);
	ck_assert_uint_eq(t.run.tracks.data[child.i].parent.i, main.i);
	ck_assert_str_eq(tables_sections(&t),
			 "mprof 1-8 rank -1, 7 rows: python train.py --lr 0.1\n");
	ck_assert_str_eq(tables_properties(&t), "mprof/command = python train.py --lr 0.1\n");
	ck_assert_uint_eq(t.run.spans.len, 2);
	const struct mlv_span *s = &t.run.spans.data[0];
	ck_assert_str_eq(tables_str(&t, s->name), "__main__.load");
	ck_assert_str_eq(tables_str(&t, s->category), "function");
	ck_assert_int_eq(s->start_ns, INT64_C(1700000000150000000));
	ck_assert_int_eq(s->end_ns, INT64_C(1700000001000000000));
	ck_assert_int_eq(mlv_run_attr(&t.run, s->attrs, "memory_start")->number, 21495808);
	ck_assert_int_eq(mlv_run_attr(&t.run, s->attrs, "memory_end")->number, 104071168);
	ck_assert_int_eq(mlv_run_attr(&t.run, s->attrs, "level")->number, 2);
	ck_assert_ptr_null(mlv_run_attr(&t.run, t.run.spans.data[1].attrs, "level"));
	ck_assert_uint_eq(t.run.diags.list.len, 0);
	tables_fini(&t);
}
END_TEST

START_TEST(test_mprof_damaged)
{
	struct tables t;
	tables_of(&t, "MEM 1.0 10.0\r\nMEM 2.0 11.0\r\n\nMEM 3.0 12.0\nMEM 4.0 13.0\nMEM 5.");
	ck_assert_uint_eq(t.run.samples.len, 4);
	ck_assert(tables_told(&t, "mprof-line"));
	tables_fini(&t);
	/* A word of a log is no record. */
	static const char log[] = "MEM usage 5 6\nCHLD 1\nFUNC x\nCMDLINE python\n";
	tables_read(&t, log, sizeof(log) - 1, 0, NULL, 0);
	ck_assert_int_eq(t.rc, MLV_E_FORMAT);
	tables_fini(&t);
	/* The profiled process wrote first. */
	tables_of(&t, "FUNC m.f 1.5 10.5 2.5 11.5 1\nCMDLINE x y\nMEM 1.5 12.5\n");
	ck_assert_str_eq(tables_sections(&t), "mprof 1-3 rank -1, 2 rows: x y\n");
	ck_assert_str_eq(tables_properties(&t), "mprof/command = x y\n");
	tables_fini(&t);
	tables_spoil(dat, sizeof(dat) - 1, NULL);
}
END_TEST

static const char table[] = "Filename: x.py\n\n"
			    "Line #    Mem usage    Increment  Occurrences   Line Contents\n"
			    "=============================================================\n"
			    "    70     99.8 MiB     99.8 MiB           1   @profile\n"
			    "    71                                         def my_func():\n"
			    "    72    107.4 MiB  -2205.1 MiB      100003       task = make(7)\n"
			    "    73\n\n\n"
			    "Filename: y.py\n\n"
			    "Line #    Mem usage    Increment   Line Contents\n"
			    "================================================\n"
			    "     7   13.973 MB   13.973 MB   @profile\n";

START_TEST(test_table)
{
	struct tables t;
	tables_of(&t, table);
	ck_assert_str_eq(t.run.format, "memory-profiler");
	ck_assert_str_eq(tables_metrics(&t), "0 x.py:70: @profile | Mem usage | 99.8 MiB\n"
					     "0 x.py:70: @profile | Increment | 99.8 MiB\n"
					     "0 x.py:70: @profile | Occurrences | 1\n"
					     "0 x.py:72: task = make(7) | Mem usage | 107.4 MiB\n"
					     "0 x.py:72: task = make(7) | Increment | -2205.1 MiB\n"
					     "0 x.py:72: task = make(7) | Occurrences | 100003\n"
					     "1 y.py:7: @profile | Mem usage | 13.973 MiB\n"
					     "1 y.py:7: @profile | Increment | 13.973 MiB\n");
	ck_assert_str_eq(tables_sections(&t), "memory-profiler 3-8 rank -1, 2 rows: x.py\n"
					      "memory-profiler 13-15 rank -1, 1 rows: y.py\n");
	ck_assert_uint_eq(t.run.metrics.data[3].row, 1);
	tables_fini(&t);
	tables_spoil(table, sizeof(table) - 1, NULL);
}
END_TEST

UNIT_MAIN("mprof", test_mprof, test_mprof_damaged, test_table)
