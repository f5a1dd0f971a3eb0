/* SPDX-License-Identifier: MIT */
/*
 * Whole logs and tables of strace: those of demo.c in tests/data/strace, whose
 * calls are known, what others recorded, and both with lines missing.
 */
#include "text_reading.h"

static const char *name_of(const struct reading *r, const struct mlv_span *s)
{
	return reading_str(r, s->name);
}

static const char *path_of(const struct reading *r, const struct mlv_span *s)
{
	const struct mlv_attr *a = mlv_run_attr(&r->run, s->attrs, "path");
	return a ? reading_str(r, a->text) : "";
}

static bool data_file(struct reading *r, const char *file)
{
	char path[128];
	size_t n;
	snprintf(path, sizeof(path), "strace/%s", file);
	char *data = unit_file("TESTDATA", path, &n);
	if (!data)
		return false;
	reading_of(r, data, n, NULL);
	free(data);
	if (r->rc)
		ck_abort_msg("%s: %s", file, r->err.msg);
	return true;
}

/* A cell of the first table as text; "" if it is not there. */
static const char *cell(const struct reading *r, const char *call, const char *column)
{
	static char text[64];
	for (size_t i = 0; i < r->run.metrics.len; i++) {
		const struct mlv_metric *m = &r->run.metrics.data[i];
		if (m->section == 0 && strcmp(reading_str(r, m->subject), call) == 0 &&
		    strcmp(reading_str(r, m->metric), column) == 0)
			return mlv_decimal_text(m->value, text, sizeof(text));
	}
	return "";
}

/* ---- demo.c ---- */

struct moved {
	int64_t read, written;
};

static struct moved moved(const struct reading *r, const char *part)
{
	struct moved m = { 0 };
	for (size_t i = 0; i < r->run.spans.len; i++) {
		const struct mlv_span *s = &r->run.spans.data[i];
		if (s->bytes < 0 || !strstr(path_of(r, s), part))
			continue;
		if (strncmp(name_of(r, s), "re", 2) == 0)
			m.read += s->bytes;
		else
			m.written += s->bytes;
	}
	return m;
}

static size_t processes(const struct reading *r, enum mlv_track_kind kind)
{
	size_t n = 0;
	for (size_t i = 0; i < r->run.tracks.len; i++)
		n += r->run.tracks.data[i].kind == kind;
	return n;
}

/* demo.data gets 1000 + … + 1006 bytes, all of which are read again. */
static void check_demo(const struct reading *r, bool follows, bool sockets_named)
{
	struct moved m = moved(r, "demo.data");
	ck_assert_int_eq(m.written, 7021);
	ck_assert_int_eq(m.read, 7021);
	m = moved(r, "pipe");
	ck_assert_int_eq(m.read, 5);
	ck_assert_int_eq(m.written, follows ? 5 : 0);
	if (sockets_named && follows) {
		m = moved(r, "socket to 127.0.0.1:");
		ck_assert_int_eq(m.written, 777);
		ck_assert_int_eq(m.read, 333);
	}
	if (follows) {
		ck_assert_uint_eq(processes(r, MLV_TRACK_THREAD), 4);
		ck_assert_uint_eq(processes(r, MLV_TRACK_PROCESS), 3);
		ck_assert_uint_eq(reading_count(r, "exit"), 3);
		ck_assert_uint_eq(reading_count(r, "killed"), 1);
		ck_assert_str_eq(reading_attr(r, reading_finding(r, "killed", 0), "signal"),
				 "SIGKILL");
	}
	ck_assert_uint_eq(reading_count(r, "signal"), 3);
	for (size_t i = 0; i < r->run.diags.list.len; i++)
		ck_assert_int_eq(r->run.diags.list.data[i].severity, MLV_NOTE);
	for (size_t i = 0; i < r->run.spans.len; i++) {
		const struct mlv_span *s = &r->run.spans.data[i];
		bool ends = s->end_ns == MLV_NO_TIME || s->start_ns == MLV_NO_TIME ||
			    s->end_ns >= s->start_ns;
		unit_check(ends && s->line);
		if (strcmp(name_of(r, s), "openat") == 0 &&
		    strcmp(path_of(r, s), "missing) = 5") == 0)
			ck_assert_str_eq(reading_str(r, s->status), "ENOENT");
	}
}

START_TEST(test_demo)
{
	static const struct {
		const char *file;
		bool follows, sockets;
		size_t spans, events;
	} logs[] = {
		{ "all.txt", true, true, 94, 14 },       { "terminal.txt", true, true, 94, 14 },
		{ "relative.txt", false, true, 77, 14 }, { "paths.txt", true, false, 94, 14 },
		{ "pointers.txt", true, true, 94, 14 },
	};
	struct reading r;
	for (size_t i = 0; i < sizeof(logs) / sizeof(logs[0]); i++) {
		if (!data_file(&r, logs[i].file))
			return;
		ck_assert_uint_eq(r.run.spans.len, logs[i].spans);
		ck_assert_uint_eq(r.run.mem_events.len, logs[i].events);
		check_demo(&r, logs[i].follows, logs[i].sockets);
		/* mmap of the thread's stack and brk remain. */
		ck_assert_uint_eq(r.run.devices.len, 1);
		ck_assert_uint_eq(
			r.run.devices.data[0].ordinal,
			(unsigned)r.run.tracks.data[r.run.devices.data[0].track.i].number);
		unit_check(r.run.devices.data[0].ordinal > 0);
		reading_fini(&r);
	}
	if (!data_file(&r, "hex.txt"))
		return;
	ck_assert_int_eq(moved(&r, "demo.data").written, 7021);
	ck_assert_int_eq(moved(&r, "socket to 127.0.0.1:").written, 777);
	reading_fini(&r);
	unit_check(data_file(&r, "paths.txt"));
	ck_assert_int_eq(moved(&r, "->127.0.0.1:").written, 777 + 333);
	ck_assert_int_eq(moved(&r, "->127.0.0.1:").read, 777 + 333);
	reading_fini(&r);
	unit_check(data_file(&r, "stacks.txt"));
	for (size_t i = 0; i < r.run.spans.len; i++)
		unit_check(mlv_stack_has_frame(r.run.spans.data[i].stack));
	reading_fini(&r);
}
END_TEST

/* The table that -C puts under a log counts the same calls, errors and times. */
START_TEST(test_counts)
{
	struct reading r;
	if (!data_file(&r, "all.txt"))
		return;
	ck_assert_uint_eq(r.run.sections.len, 2);
	ck_assert_str_eq(r.run.sections.data[1].format, "strace-summary");
	int64_t calls = 0, total = 0;
	for (size_t i = 0; i < r.run.metrics.len; i++) {
		const struct mlv_metric *m = &r.run.metrics.data[i];
		const char *call = reading_str(&r, m->subject), *what = reading_str(&r, m->metric);
		int64_t n = 0, errors = 0, ns = 0, seconds;
		if (strcmp(call, "(total)") == 0) {
			if (strcmp(what, "calls") == 0)
				total = m->value.mantissa;
			continue;
		}
		for (size_t k = 0; k < r.run.spans.len; k++) {
			const struct mlv_span *s = &r.run.spans.data[k];
			const struct mlv_attr *a = mlv_run_attr(&r.run, s->attrs, "duration_ns");
			if (s->name.i != m->subject.i || !a)
				continue;
			n++;
			errors += s->status.i != 0;
			ns += a->number;
		}
		if (strcmp(what, "calls") == 0) {
			ck_assert_int_eq(m->value.mantissa, n);
			calls += n;
		} else if (strcmp(what, "errors") == 0) {
			ck_assert_int_eq(m->value.mantissa, errors);
		} else if (strcmp(what, "seconds") == 0) {
			unit_check(mlv_decimal_ns(m->value, &seconds));
			unit_check(llabs(seconds - ns) <= 1000 * (n + 1));
		}
	}
	ck_assert_int_eq(calls, total);
	unit_check(total == 90);
	reading_fini(&r);
}
END_TEST

/* ---- tables ---- */

START_TEST(test_tables)
{
	struct reading r;
	if (!data_file(&r, "columns.txt"))
		return;
	ck_assert_str_eq(r.run.format, "strace-summary");
	ck_assert_uint_eq(r.run.sections.data[0].rows, 40);
	ck_assert_str_eq(cell(&r, "openat", "calls"), "2");
	ck_assert_str_eq(cell(&r, "openat", "errors"), "1");
	ck_assert_str_eq(cell(&r, "write", "errors"), "0");
	ck_assert_str_eq(cell(&r, "write", "calls"), "9");
	ck_assert_str_eq(cell(&r, "(total)", "calls"), "90");
	ck_assert_str_eq(cell(&r, "(total)", "% time"), "100.00 %");
	unit_check(strstr(cell(&r, "clock_nanosleep", "longest"), "0.02"));
	reading_fini(&r);
	unit_check(data_file(&r, "summary.txt"));
	ck_assert_str_eq(cell(&r, "openat", "errors"), "1");
	ck_assert_str_eq(cell(&r, "openat", "calls"), "2");
	ck_assert_uint_eq(r.run.diags.list.len, 0);
	reading_fini(&r);
}
END_TEST

#define RULE "------ ----------- ----------- --------- --------- ----------------\n"
#define NAMES "% time     seconds  usecs/call     calls    errors syscall\n"

START_TEST(test_table_shapes)
{
	/* Two tables in a log; old totals without usecs/call; no line between. */
	static const char text[] =
		"epoch 1 loss 0.5\n" NAMES RULE
		" 99.50 12345.678901      104882    117704      1433 read\n"
		"  0.50    0.000100         100         1           "
		"a_name_of_a_call_that_is_long\n" RULE
		"100.00    1.000000                117705      1433 total\n"
		"System call usage summary for 32 bit mode:\n" NAMES RULE
		"100.00    0.000001           1         1         1 access\n" RULE
		"100.00    0.000001           1         1         1 total\n"
		"done\n";
	struct reading r;
	reading_of(&r, text, sizeof(text) - 1, NULL);
	ck_assert_int_eq(r.rc, MLV_OK);
	ck_assert_str_eq(r.run.format, "strace-summary");
	ck_assert_uint_eq(r.run.sections.len, 2);
	ck_assert_uint_eq(r.run.sections.data[0].line, 2);
	ck_assert_uint_eq(r.run.sections.data[0].last_line, 7);
	ck_assert_uint_eq(r.run.sections.data[0].rows, 2);
	ck_assert_str_eq(reading_str(&r, r.run.sections.data[1].title),
			 "calls of strace, 32 bit mode");
	ck_assert_str_eq(cell(&r, "read", "seconds"), "12345.678901 s");
	ck_assert_str_eq(cell(&r, "read", "usecs/call"), "104882 us");
	ck_assert_str_eq(cell(&r, "read", "errors"), "1433");
	ck_assert_str_eq(cell(&r, "a_name_of_a_call_that_is_long", "calls"), "1");
	ck_assert_str_eq(cell(&r, "a_name_of_a_call_that_is_long", "errors"), "0");
	ck_assert_str_eq(cell(&r, "(total)", "calls"), "117705");
	ck_assert_str_eq(cell(&r, "(total)", "errors"), "1433");
	ck_assert_str_eq(cell(&r, "(total)", "usecs/call"), "");
	reading_fini(&r);
	/* The name first and too long: what follows is moved. */
	static const char moved_cells[] = "syscall              calls    errors\n"
					  "---------------- --------- ---------\n"
					  "sched_get_priority_max         2          \n"
					  "read                     3         1\n";
	reading_of(&r, moved_cells, sizeof(moved_cells) - 1, NULL);
	ck_assert_int_eq(r.rc, MLV_OK);
	ck_assert_str_eq(cell(&r, "sched_get_priority_max", "calls"), "2");
	ck_assert_str_eq(cell(&r, "sched_get_priority_max", "errors"), "0");
	ck_assert_str_eq(cell(&r, "read", "errors"), "1");
	ck_assert_str_eq(r.run.diags.list.data[0].code, "strace-summary-cut");
	reading_fini(&r);
}
END_TEST

/* ---- what is not strace's ---- */

START_TEST(test_strict)
{
	static const char *const logs[] = {
		"epoch 1\nread(file) = 3\nclose(connection) = 0\nloss(3) = 0.5\nopen(a, b) = 4\n",
		"12:00:01 INFO training\n12:00:02 INFO f(3) = 4\n12:00:03 time(x) = 1\n",
		"x = foo(1)\nfoo(\"a\") = 3\nsquare(4) = 16\nlog(10) = 2\n",
		"+++ done +++\n--- a\n+++ b\n--- SIGNAL\n[pid 5] started\n > quoted\n | table\n",
		"strace: must have PROG [ARGS] or -p PID\n[ Process ] runs in 32 bit mode. ]\n",
		"% time calls\n--------\n syscall 3\n",
	};
	for (size_t i = 0; i < sizeof(logs) / sizeof(logs[0]); i++) {
		struct reading r;
		reading_of(&r, logs[i], strlen(logs[i]), NULL);
		if (!r.rc)
			ck_abort_msg("text %zu was read as %s", i, r.run.format);
		reading_fini(&r);
	}
}
END_TEST

/* A few lines of strace in the log of a program. */
START_TEST(test_in_log)
{
	static const char text[] = "step 1 loss 2.5\n"
				   "step 2 loss 2.4\n"
				   "step 3 loss 2.3\n"
				   "step 4 loss 2.2\n"
				   "[pid    77] read(3, \"abc\", 10) = 3\n"
				   "step 5 loss 2.1\n"
				   "[pid    77] +++ exited with 1 +++\n";
	struct reading r;
	reading_of(&r, text, sizeof(text) - 1, NULL);
	ck_assert_int_eq(r.rc, MLV_OK);
	ck_assert_uint_eq(r.run.spans.len, 1);
	ck_assert_uint_eq(r.run.findings.len, 1);
	ck_assert_uint_eq(r.run.sections.data[0].line, 5);
	ck_assert_uint_eq(r.run.sections.data[0].last_line, 7);
	reading_fini(&r);
	/* Of two ranks, whose calls do not mix. */
	static const char ranks[] = "[rank0]: [pid 5] read(3,  <unfinished ...>\n"
				    "[rank1]: [pid 5] read(3,  <unfinished ...>\n"
				    "[rank0]: [pid 5] <... read resumed>\"a\", 9) = 1\n"
				    "[rank1]: [pid 5] <... read resumed>\"ab\", 9) = 2\n";
	reading_of(&r, ranks, sizeof(ranks) - 1, NULL);
	ck_assert_int_eq(r.rc, MLV_OK);
	ck_assert_uint_eq(r.run.spans.len, 2);
	for (size_t i = 0; i < 2; i++) {
		const struct mlv_span *s = &r.run.spans.data[i];
		const struct mlv_track *process =
			&r.run.tracks.data[r.run.tracks.data[s->track.i].parent.i];
		ck_assert_int_eq(s->bytes, (int64_t)i + 1);
		ck_assert_int_eq(r.run.tracks.data[process->parent.i].kind, MLV_TRACK_RANK);
		ck_assert_int_eq(r.run.tracks.data[process->parent.i].number, (int64_t)i);
	}
	reading_fini(&r);
}
END_TEST

/* ---- what others recorded ---- */

START_TEST(test_public)
{
	static const struct {
		const char *file;
		size_t spans, events, findings;
	} logs[] = {
		{ "clamav.txt", 196, 0, 0 },
		{ "cuda-ioctl.txt", 1277, 261, 1 },
		{ "ff.13433", 1417, 274, 3 },
		{ "ff.13435", 175, 31, 1 },
		{ "git2-segfault.log", 512, 163, 3 },
		{ "handbook-0.txt", 8, 10, 0 },
		{ "hex-strings.txt", 105, 67, 0 },
		{ "o_Y.txt", 1609, 312, 5 },
		{ "o_delay.txt", 110, 31, 1 },
		{ "o_in.txt", 1609, 312, 5 },
		{ "o_k.txt", 31, 0, 1 },
		{ "o_t.txt", 1606, 312, 5 },
		{ "o_ttr.txt", 1609, 312, 5 },
		{ "o_x.txt", 1410, 274, 3 },
		{ "old-env-sigsegv.txt", 3478, 325, 2 },
		{ "plain_f.txt", 224, 72, 3 },
		{ "stderr_f.txt", 1606, 312, 5 },
		{ "zookeeper4311.out", 70, 54, 1 },
	};
	for (size_t i = 0; i < sizeof(logs) / sizeof(logs[0]); i++) {
		char path[128];
		size_t n;
		struct reading r;
		snprintf(path, sizeof(path), "text/strace/%s", logs[i].file);
		char *data = unit_file("PUBLIC", path, &n);
		if (!data)
			return;
		reading_of(&r, data, n, NULL);
		if (r.rc || strcmp(r.run.format, "strace") != 0 ||
		    r.run.spans.len != logs[i].spans || r.run.mem_events.len != logs[i].events ||
		    r.run.findings.len != logs[i].findings)
			ck_abort_msg("%s: %s %zu calls, %zu events, %zu findings", logs[i].file,
				     r.run.format, r.run.spans.len, r.run.mem_events.len,
				     r.run.findings.len);
		/* Every line was understood. */
		for (size_t k = 0; k < r.run.diags.list.len; k++)
			ck_assert_str_ne(r.run.diags.list.data[k].code, "strace-other-lines");
		reading_fini(&r);
		free(data);
	}
}
END_TEST

/* ---- damage ---- */

static void check_sane(const struct reading *r)
{
	const struct mlv_run *run = &r->run;
	if (r->rc)
		return;
	for (size_t i = 0; i < run->spans.len; i++) {
		const struct mlv_span *s = &run->spans.data[i];
		unit_check(s->track.i < run->tracks.len);
		unit_check(s->attrs.first + s->attrs.count <= run->attrs.len);
	}
	size_t events = 0;
	for (size_t i = 0; i < run->devices.len; i++) {
		unit_check(run->devices.data[i].first_event == events);
		events += run->devices.data[i].events;
	}
	unit_check(events == run->mem_events.len);
}

/* Each line missing, and the file cut in each line. */
START_TEST(test_damage)
{
	static const char *const files[] = { "all.txt", "terminal.txt", "columns.txt",
					     "stacks.txt" };
	for (size_t f = 0; f < sizeof(files) / sizeof(files[0]); f++) {
		char path[64];
		size_t n;
		snprintf(path, sizeof(path), "strace/%s", files[f]);
		char *data = unit_file("TESTDATA", path, &n);
		if (!data)
			return;
		char *copy = malloc(n);
		for (size_t from = 0; from < n;) {
			const char *lf = memchr(data + from, '\n', n - from);
			size_t end = lf ? (size_t)(lf - data) + 1 : n;
			struct reading r;
			memcpy(copy, data, from);
			memcpy(copy + from, data + end, n - end);
			reading_of(&r, copy, n - (end - from), NULL);
			check_sane(&r);
			reading_fini(&r);
			reading_of(&r, data, from + (end - from) / 2, NULL);
			check_sane(&r);
			reading_fini(&r);
			from = end;
		}
		free(copy);
		free(data);
	}
}
END_TEST

UNIT_MAIN("strace_logs", test_demo, test_counts, test_tables, test_table_shapes, test_strict,
	  test_in_log, test_public, test_damage)
