/* SPDX-License-Identifier: MIT */
/*
 * Recordings of strace -ff, a file for each process: those of tests/data/strace,
 * against what strace-log-merge made of the same files, against a recording of
 * the same program by strace -f, and short ones written here.
 */
#include "text_reading.h"

enum { MOST = 8 };

/* What the files of a recording hold, and their names' numbers. */
struct files {
	const char *data[MOST];
	char *owned[MOST]; /* NULL: written here */
	size_t n[MOST];
	int64_t number[MOST];
	size_t count;
};

static void parse_files(struct reading *r, const struct files *f, size_t chunk)
{
	struct mlv_source *sources[MOST];
	struct mlv_reader readers[MOST];
	struct mlv_part parts[MOST];
	char names[MOST][32];
	const struct mlv_parser *parser = NULL;
	r->err = MLV_ERR_INIT;
	unit_check(mlv_run_init(&r->run, "many.*"));
	for (size_t i = 0; i < f->count; i++) {
		struct mlv_bytes data = { (const uint8_t *)f->data[i], f->n[i] };
		snprintf(names[i], sizeof(names[i]), "many.%d", (int)f->number[i]);
		unit_check(!mlv_source_memory(&sources[i], names[i], data, chunk,
					      &mlv_limits_default, NULL));
		mlv_reader_init(&readers[i], sources[i]);
		parts[i] = (struct mlv_part){ &readers[i], names[i], f->number[i] };
		if (!parser)
			parser = mlv_parser_of_part(data, f->number[i], NULL);
	}
	unit_check(parser != NULL);
	struct mlv_parse p = { .run = &r->run,
			       .limits = &mlv_limits_default,
			       .parts = parts,
			       .part_count = f->count };
	r->rc = parser->parse(&p, &r->err);
	for (size_t i = 0; i < f->count; i++) {
		mlv_reader_fini(&readers[i]);
		mlv_source_close(sources[i]);
	}
	if (r->rc)
		ck_abort_msg("%s", r->err.msg);
}

static bool read_folder(struct files *f, const char *stem, const int *numbers, size_t count)
{
	memset(f, 0, sizeof(*f));
	for (size_t i = 0; i < count; i++) {
		char path[64];
		snprintf(path, sizeof(path), "%s.%d", stem, numbers[i]);
		f->owned[i] = unit_file("TESTDATA", path, &f->n[i]);
		if (!f->owned[i])
			return false;
		f->data[i] = f->owned[i];
		f->number[i] = numbers[i];
		f->count++;
	}
	return true;
}

static void free_files(struct files *f)
{
	for (size_t i = 0; i < f->count; i++)
		free(f->owned[i]);
}

/* Files that are written here: pairs of number and text, NULL at the end. */
static void parse_texts(struct reading *r, int first, const char *text, const char *const *more,
			const int *numbers)
{
	struct files f = { .count = 1, .data = { text }, .n = { strlen(text) } };
	f.number[0] = first;
	for (size_t i = 0; more[i]; i++) {
		f.data[f.count] = more[i];
		f.n[f.count] = strlen(more[i]);
		f.number[f.count++] = numbers[i];
	}
	parse_files(r, &f, 0);
}

/* ---- what is in it ---- */

static const char *text_of(const struct reading *r, const struct mlv_span *s, const char *key)
{
	const struct mlv_attr *a = mlv_run_attr(&r->run, s->attrs, key);
	return a && a->is_text ? reading_str(r, a->text) : "";
}

static int64_t thread_of(const struct reading *r, const struct mlv_span *s)
{
	return r->run.tracks.data[s->track.i].number;
}

static int64_t process_of(const struct reading *r, const struct mlv_span *s)
{
	return r->run.tracks.data[r->run.tracks.data[s->track.i].parent.i].number;
}

/* The i-th call of a name by a thread; -1: by any. */
static const struct mlv_span *call(const struct reading *r, const char *name, int64_t tid, size_t i)
{
	for (size_t k = 0; k < r->run.spans.len; k++) {
		const struct mlv_span *s = &r->run.spans.data[k];
		if (strcmp(reading_str(r, s->name), name) == 0 &&
		    (tid < 0 || thread_of(r, s) == tid) && i-- == 0)
			return s;
	}
	ck_abort_msg("no call %s by %d", name, (int)tid);
	return NULL;
}

struct totals {
	size_t calls, errors, unfinished;
	int64_t ns, bytes;
};

/* Of calls with a name, NULL: all; by a thread, -1: all. */
static struct totals totals(const struct reading *r, const char *name, int64_t tid)
{
	struct totals t = { 0 };
	for (size_t i = 0; i < r->run.spans.len; i++) {
		const struct mlv_span *s = &r->run.spans.data[i];
		const char *status = reading_str(r, s->status);
		if ((name && strcmp(reading_str(r, s->name), name) != 0) ||
		    (tid >= 0 && thread_of(r, s) != tid))
			continue;
		t.calls++;
		t.errors += status[0] == 'E';
		t.unfinished += strcmp(status, "unfinished") == 0;
		if (s->start_ns != MLV_NO_TIME && s->end_ns != MLV_NO_TIME)
			t.ns += s->end_ns - s->start_ns;
		t.bytes += s->bytes > 0 ? s->bytes : 0;
	}
	return t;
}

static void same_totals(struct totals a, struct totals b)
{
	ck_assert_uint_eq(a.calls, b.calls);
	ck_assert_uint_eq(a.errors, b.errors);
	ck_assert_uint_eq(a.unfinished, b.unfinished);
	ck_assert_int_eq(a.ns, b.ns);
	ck_assert_int_eq(a.bytes, b.bytes);
}

/* ---- recordings ---- */

static const int demo[] = { 30245, 30246, 30247, 30248 };

/* strace-log-merge puts the lines of the same files into one, with their numbers. */
START_TEST(test_as_merged)
{
	struct files f;
	struct reading many, merged;
	size_t n = 0;
	if (!read_folder(&f, "strace/many/many", demo, 4))
		return;
	char *log = unit_file("TESTDATA", "strace/many-merged.txt", &n);
	reading_of(&merged, log, n, NULL);
	parse_files(&many, &f, 0);
	ck_assert_int_eq(merged.rc, MLV_OK);
	/* Of 101 lines 7 tell of signals and ends. */
	ck_assert_uint_eq(many.run.spans.len, 94);
	for (size_t i = 0; i < merged.run.spans.len; i++) {
		const char *name = reading_str(&merged, merged.run.spans.data[i].name);
		int64_t tid = thread_of(&merged, &merged.run.spans.data[i]);
		same_totals(totals(&many, name, tid), totals(&merged, name, tid));
	}
	same_totals(totals(&many, NULL, -1), totals(&merged, NULL, -1));
	/* 11 of 12 lines, 3 of 4 and 2 of 3 are calls: wc -l. */
	ck_assert_uint_eq(totals(&many, NULL, 30245).calls, 78);
	ck_assert_uint_eq(totals(&many, NULL, 30246).calls, 11);
	ck_assert_uint_eq(totals(&many, NULL, 30247).calls, 3);
	ck_assert_uint_eq(totals(&many, NULL, 30248).calls, 2);
	ck_assert_uint_eq(many.run.mem_events.len, merged.run.mem_events.len);
	ck_assert_uint_eq(many.run.findings.len, 7);
	reading_fini(&many);
	reading_fini(&merged);
	free(log);
	free_files(&f);
}
END_TEST

/* Another run of the same program: other times and numbers, the same calls. */
START_TEST(test_as_followed)
{
	struct files f;
	struct reading many, one;
	size_t n = 0;
	if (!read_folder(&f, "strace/many/many", demo, 4))
		return;
	char *log = unit_file("TESTDATA", "strace/one.txt", &n);
	reading_of(&one, log, n, NULL);
	parse_files(&many, &f, 0);
	ck_assert_uint_eq(one.run.spans.len, many.run.spans.len);
	for (size_t i = 0; i < one.run.spans.len; i++) {
		const char *name = reading_str(&one, one.run.spans.data[i].name);
		struct totals a = totals(&many, name, -1), b = totals(&one, name, -1);
		a.ns = b.ns = 0;
		same_totals(a, b);
	}
	ck_assert_uint_eq(one.run.mem_events.len, many.run.mem_events.len);
	ck_assert_uint_eq(one.run.devices.len, many.run.devices.len);
	ck_assert_uint_eq(one.run.findings.len, many.run.findings.len);
	reading_fini(&many);
	reading_fini(&one);
	free(log);
	free_files(&f);
}
END_TEST

/* What a child has from its parent, across files. */
START_TEST(test_inherited)
{
	struct files f;
	struct reading r;
	if (!read_folder(&f, "strace/many/many", demo, 4))
		return;
	parse_files(&r, &f, 1);
	ck_assert_str_eq(text_of(&r, call(&r, "write", 30247, 0), "path"), "pipe");
	ck_assert_str_eq(text_of(&r, call(&r, "read", 30245, 15), "path"), "pipe");
	ck_assert_int_eq(process_of(&r, call(&r, "connect", 30246, 0)), 30245);
	ck_assert_int_eq(process_of(&r, call(&r, "pause", 30248, 0)), 30248);
	/* A thread's descriptors are those of its process: 5 is closed before a pipe gets it. */
	ck_assert_str_eq(text_of(&r, call(&r, "recvfrom", 30246, 0), "path"),
			 "socket to 127.0.0.1:34375");
	ck_assert_uint_eq(r.run.sections.len, 4);
	static const char *const titles[] = { "many.30245: process demo",
					      "many.30246: thread of 30245",
					      "many.30247: process demo, child of 30245",
					      "many.30248: process demo, child of 30245" };
	for (size_t i = 0; i < 4; i++)
		ck_assert_str_eq(reading_str(&r, r.run.sections.data[i].title), titles[i]);
	ck_assert_str_eq(reading_attr(&r, reading_finding(&r, "killed", 0), "log"), "many.30248");
	ck_assert_str_eq(reading_attr(&r, reading_finding(&r, "killed", 0), "pid"), "30248");
	reading_fini(&r);
	free_files(&f);
}
END_TEST

/* A thread calls execve: the call ends in the file of the process. */
START_TEST(test_exec_by_thread)
{
	static const int numbers[] = { 3913, 3914 };
	struct files f;
	struct reading r;
	if (!read_folder(&f, "strace/exec/thread", numbers, 2))
		return;
	parse_files(&r, &f, 0);
	ck_assert_uint_eq(totals(&r, "execve", -1).calls, 2);
	ck_assert_uint_eq(totals(&r, "execve", -1).unfinished, 0);
	/* <0.001067> behind the second half. */
	ck_assert_int_eq(totals(&r, "execve", 3914).ns, 1067000);
	ck_assert_str_eq(text_of(&r, call(&r, "write", 3913, 0), "path"), "/dev/null");
	ck_assert_str_eq(text_of(&r, call(&r, "write", 3913, 1), "path"), "");
	ck_assert_str_eq(reading_attr(&r, reading_finding(&r, "exit", 1), "status"), "7");
	reading_fini(&r);
	free_files(&f);
}
END_TEST

/* ---- written here ---- */

/* A call of one thread lasts while another closes and opens: each takes effect when it did. */
START_TEST(test_halves)
{
	static const char *const more[] = {
		"1000000000.200000 openat(AT_FDCWD, \"/b\", O_RDONLY) = 4 <0.000010>\n"
		"1000000000.400000 read(3, \"\", 9) = 0 <0.000010>\n"
		"1000000000.600000 read(3, \"\", 9) = 0 <0.000010>\n",
		NULL,
	};
	static const int numbers[] = { 11 };
	struct reading r;
	parse_texts(&r, 10,
		    "1000000000.000000 clone(child_stack=0x1, "
		    "flags=CLONE_VM|CLONE_FILES|CLONE_THREAD) = 11 <0.000100>\n"
		    "1000000000.100000 openat(AT_FDCWD, \"/slow\", O_RDONLY) = 3 <0.400000>\n",
		    more, numbers);
	ck_assert_uint_eq(r.run.spans.len, 5);
	ck_assert_str_eq(text_of(&r, call(&r, "read", 11, 0), "path"), "");
	ck_assert_str_eq(text_of(&r, call(&r, "read", 11, 1), "path"), "/slow");
	const struct mlv_span *slow = call(&r, "openat", 10, 0);
	ck_assert_int_eq(slow->start_ns, INT64_C(1000000000100000000));
	ck_assert_int_eq(slow->end_ns, INT64_C(1000000000500000000));
	ck_assert_uint_eq(slow->line, 2);
	reading_fini(&r);
}
END_TEST

/* Without times a parent is read before its children, whatever their numbers. */
START_TEST(test_untimed)
{
	static const char *const more[] = {
		"execve(\"/bin/a\", [\"a\"], 0x1) = 0\n"
		"openat(AT_FDCWD, \"/data\", O_RDONLY) = 3\n"
		"fork() = 20\n"
		"+++ exited with 0 +++\n",
		"read(3, \"\", 9) = 0\n",
		NULL,
	};
	static const int numbers[] = { 30, 20 };
	struct reading r;
	parse_texts(&r, 10, "close(3) = 0\n", more, numbers);
	ck_assert_str_eq(text_of(&r, call(&r, "read", 20, 0), "path"), "/data");
	ck_assert_str_eq(reading_str(&r, r.run.sections.data[0].title), "many.30: process a");
	ck_assert_str_eq(reading_str(&r, r.run.sections.data[1].title),
			 "many.20: process a, child of 30");
	ck_assert_int_eq(call(&r, "close", 10, 0)->start_ns, MLV_NO_TIME);
	reading_fini(&r);
}
END_TEST

/* Whole seconds are coarser than what was measured: the child's file still comes second. */
START_TEST(test_coarse)
{
	static const char *const more[] = {
		"12:00:00 execve(\"/bin/b\", [\"b\"], 0x1) = 0 <0.000300>\n"
		"12:00:00 write(3, \"x\", 1) = 1 <0.000010>\n",
		NULL,
	};
	static const int numbers[] = { 15 };
	struct reading r;
	parse_texts(&r, 10,
		    "12:00:00 execve(\"/bin/a\", [\"a\"], 0x1) = 0 <0.000200>\n"
		    "12:00:00 openat(AT_FDCWD, \"/data\", O_WRONLY) = 3 <0.000020>\n"
		    "12:00:00 vfork() = 15 <0.000400>\n"
		    "12:00:00 wait4(-1, NULL, 0, NULL) = 15 <0.900000>\n",
		    more, numbers);
	ck_assert_uint_eq(r.run.spans.len, 6);
	ck_assert_uint_eq(totals(&r, NULL, -1).unfinished, 0);
	ck_assert_str_eq(text_of(&r, call(&r, "write", 15, 0), "path"), "/data");
	ck_assert_str_eq(reading_str(&r, r.run.sections.data[1].title),
			 "many.15: process b, child of 10");
	reading_fini(&r);
}
END_TEST

/* Midnight, within a file and before the first line of another. */
START_TEST(test_midnight)
{
	static const char *const more[] = {
		"00:00:02.000000 close(4) = 0 <0.000001>\n",
		"23:59:58.000000 close(5) = 0 <0.000001>\n",
		NULL,
	};
	static const int numbers[] = { 11, 12 };
	struct reading r;
	parse_texts(&r, 10,
		    "23:59:59.500000 close(1) = 0 <0.000001>\n"
		    "00:00:01.000000 close(2) = 0 <0.000001>\n",
		    more, numbers);
	ck_assert_int_eq(call(&r, "close", 12, 0)->start_ns, 0);
	ck_assert_int_eq(call(&r, "close", 10, 0)->start_ns, INT64_C(1500000000));
	ck_assert_int_eq(call(&r, "close", 10, 1)->start_ns, INT64_C(3000000000));
	ck_assert_int_eq(call(&r, "close", 11, 0)->start_ns, INT64_C(4000000000));
	reading_fini(&r);
}
END_TEST

/* With -r times count from the last line of any process: nothing is made of them. */
START_TEST(test_relative)
{
	static const char *const more[] = { "     0.000100 close(4) = 0 <0.000002>\n", NULL };
	static const int numbers[] = { 11 };
	struct reading r;
	parse_texts(&r, 10, "     0.000000 close(1) = 0 <0.000001>\n", more, numbers);
	ck_assert_uint_eq(r.run.diags.list.len, 1);
	ck_assert_str_eq(r.run.diags.list.data[0].code, "strace-relative-apart");
	ck_assert_int_eq(r.run.diags.list.data[0].severity, MLV_WARNING);
	ck_assert_int_eq(call(&r, "close", 11, 0)->start_ns, MLV_NO_TIME);
	reading_fini(&r);
}
END_TEST

static const char *title(const struct reading *r, size_t section)
{
	return mlv_run_str(&r->run, r->run.sections.data[section].title).p;
}

/* A file with nothing but strace's own messages is of no process that is known. */
START_TEST(test_messages_alone)
{
	static const char *const more[] = { "strace: attach to 11 failed\n", NULL };
	static const int numbers[] = { 11 };
	struct reading r;
	parse_texts(&r, 10, "close(1) = 0\n", more, numbers);
	ck_assert_uint_eq(r.run.sections.len, 2);
	ck_assert_str_eq(title(&r, 0), "many.10: process");
	ck_assert_str_eq(title(&r, 1), "many.11");
	reading_fini(&r);
}
END_TEST

static bool is_part(const char *text, int64_t number)
{
	struct mlv_bytes head = { (const uint8_t *)text, strlen(text) };
	return mlv_parser_of_part(head, number, NULL) != NULL;
}

START_TEST(test_probe)
{
	unit_check(is_part("close(1) = 0\n", 5));
	unit_check(is_part("+++ killed by SIGKILL +++\n", 5));
	unit_check(is_part("", 5));
	unit_check(!is_part("10 close(1) = 0\n", 5));
	unit_check(!is_part("[pid 10] close(1) = 0\n", 5));
	unit_check(!is_part("Epoch 5: loss 0.5\n", 5));
	unit_check(is_part("set_tid_address(0x1) = 5\n", 5));
	unit_check(!is_part("set_tid_address(0x1) = 4711\n", 5));
	struct mlv_bytes head = { (const uint8_t *)"close(1) = 0\n", 13 };
	unit_check(mlv_parser_of_part(head, 5, "strace") != NULL);
	unit_check(mlv_parser_of_part(head, 5, "mprof") == NULL);
}
END_TEST

/* Without any line, or cut there: read without harm. */
START_TEST(test_spoiled)
{
	struct files f;
	if (!read_folder(&f, "strace/many/many", demo, 4))
		return;
	for (size_t i = 0; i < f.count; i++) {
		const char *whole = f.data[i];
		char *copy = malloc(f.n[i] + 1);
		size_t n = f.n[i];
		for (size_t at = 0; at < n;) {
			const char *lf = memchr(whole + at, '\n', n - at);
			size_t end = lf ? (size_t)(lf - whole) + 1 : n;
			struct reading r;
			memcpy(copy, whole, at);
			memcpy(copy + at, whole + end, n - end);
			f.data[i] = copy;
			f.n[i] = n - (end - at);
			parse_files(&r, &f, 0);
			reading_fini(&r);
			f.data[i] = whole;
			f.n[i] = at + (end - at) / 2;
			parse_files(&r, &f, 0);
			reading_fini(&r);
			at = end;
		}
		free(copy);
		f.n[i] = n;
	}
	free_files(&f);
}
END_TEST

UNIT_MAIN("strace_parts", test_as_merged, test_as_followed, test_inherited, test_exec_by_thread,
	  test_halves, test_untimed, test_coarse, test_midnight, test_relative, test_messages_alone,
	  test_probe, test_spoiled)
