/* SPDX-License-Identifier: MIT */
/* Lines that Python executed: the last one, and the hottest ones. */
#include "text_reading.h"

static struct reading r;

#define READ(text) reading_of(&r, text, sizeof(text) - 1, NULL)

START_TEST(plain)
{
	READ("starting\n"
	     " --- modulename: tt, funcname: <module>\n"
	     "tt.py(1): import math\n"
	     "tt.py(9): main()\n"
	     " --- modulename: tt, funcname: main\n"
	     "tt.py(7):     for i in range(3):\n"
	     "printed by the program\n"
	     "tt.py(8):         raise E(\"CUDA error: none\")\n"
	     "tt.py(7):     for i in range(3):\n"
	     "tt.py(8):         f(i)\n");
	ck_assert_str_eq(r.run.format, "python-trace");
	ck_assert_uint_eq(r.run.findings.len, 1);
	const struct mlv_finding *f = reading_finding(&r, "last-line", 0);
	ck_assert_str_eq(reading_str(&r, f->text), "tt.py:8: f(i)");
	ck_assert_str_eq(reading_str(&r, f->file), "tt.py");
	ck_assert_uint_eq(f->file_line, 8);
	ck_assert_uint_eq(f->line, 10);
	ck_attr(&r, f, "last_call", "main");
	ck_attr(&r, f, "lines", "6");
	ck_assert_str_eq(reading_metric(&r, "tt.py:8", "executions"), "2");
	ck_assert_str_eq(reading_metric(&r, "tt.py:1", "executions"), "1");
	ck_assert_str_eq(reading_metric(&r, "tt.py:1", "time until the next line"), "");
	ck_assert_uint_eq(r.run.metrics.len, 4);
	ck_assert_uint_eq(r.run.sections.data[0].rows, 6);
	reading_fini(&r);
}
END_TEST

START_TEST(timed)
{
	READ("0.00 tt.py(1): import math\n"
	     "0.25 tt.py(2): a()\n"
	     "1.50 tt.py(1): import math\n"
	     "1.51 tt.py(2): a()\n");
	ck_assert_str_eq(reading_metric(&r, "tt.py:1", "time until the next line"), "0.26 s");
	ck_assert_str_eq(reading_metric(&r, "tt.py:2", "time until the next line"), "1.25 s");
	ck_assert_str_eq(reading_str(&r, r.run.metrics.data[0].subject), "tt.py:2");
	ck_attr(&r, reading_finding(&r, "last-line", 0), "time", "1.51 s");
	reading_fini(&r);
}
END_TEST

START_TEST(nicer)
{
	READ("        PIL.Image:2868 new\n"
	     "4711 0:00:00 Image.py:  2889:     if size is None:\n"
	     "4712 0:00:01 Image.py:  2889:     if size is None:\n"
	     "4711         torch.distributed:40 barrier\n"
	     "4711 0:00:02 dist.py:    41:     work.wait()\n"
	     "4712 1 day, 0:00:05 Image.py: 12890:     pass\n");
	ck_assert_uint_eq(reading_count(&r, "last-line"), 2);
	const struct mlv_finding *f = reading_finding(&r, "last-line", 0);
	ck_assert_str_eq(reading_str(&r, f->text), "pid 4711: dist.py:41: work.wait()");
	ck_attr(&r, f, "pid", "4711");
	ck_attr(&r, f, "last_call", "barrier");
	ck_attr(&r, f, "time", "2.00 s");
	f = reading_finding(&r, "last-line", 1);
	ck_assert_uint_eq(f->file_line, 12890);
	ck_attr(&r, f, "time", "86405.00 s");
	reading_fini(&r);
}
END_TEST

START_TEST(ranks_that_wait_in_one_line)
{
	READ("[rank0]: --- modulename: tt, funcname: main\n"
	     "[rank1]:  --- modulename: tt, funcname: main\n"
	     "[rank0]:  --- modulename: tt, funcname: main\n"
	     "[rank0]: tt.py(7):     wait()\n"
	     "[rank1]: tt.py(7):     wait()\n");
	const struct mlv_finding *f = reading_finding(&r, "last-line", 0);
	ck_attr(&r, f, "ranks", "0,1");
	ck_attr(&r, f, "count", "2");
	reading_fini(&r);
}
END_TEST

START_TEST(what_is_no_trace)
{
	READ("x.py:12: error: bad\nx.py:123456: import os\n        a:1 b\n        c:2 d\n"
	     "tt.py(1): warning\nfile.c(12): error C2065\n12 x.py\n0.01 seconds\n"
	     "tt.py(1): a\ntt.py(2): b\ntt.py(3): c\nother\ntt.py(4): d\n");
	ck_assert_int_eq(r.rc, MLV_E_FORMAT);
	reading_fini(&r);
}
END_TEST

/* The table is bounded, whatever comes. */
START_TEST(many_lines)
{
	size_t room = 80000 * 24, n = 0;
	char *text = malloc(room);
	for (int i = 0; i < 70000; i++)
		n += (size_t)snprintf(text + n, room - n, "0.%02d a.py(%d): x\n", i / 1000, i + 1);
	reading_of(&r, text, n, NULL);
	ck_assert_uint_eq(r.run.metrics.len, 50 * 2);
	ck_assert(mlv_diags_have(&r.run.diags, MLV_WARNING));
	ck_attr(&r, reading_finding(&r, "last-line", 0), "lines", "70000");
	reading_fini(&r);
	free(text);
}
END_TEST

UNIT_MAIN("python_trace", plain, timed, nicer, ranks_that_wait_in_one_line, what_is_no_trace,
	  many_lines)
