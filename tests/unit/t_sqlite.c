/* SPDX-License-Identifier: MIT */
/*
 * The database, asked by SQLite itself: every row is there, sums are those of
 * the model, and the questions of docs/export.md, word for word, have the
 * answers that are reckoned here without it.
 */
#include "unit.h"

#include <sqlite3.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

#include "recording.h"
#include "report/export/export.h"
#include "snapshot_writer.h"

#include "read_report.h"

/* ---- a database in a temporary file ---- */

static sqlite3 *database(const struct mlv_run *const *runs, size_t count)
{
	char path[] = "/tmp/mlviz-t_sqlite-XXXXXX";
	struct mlv_relation_sources sources;
	struct mlv_err err = MLV_ERR_INIT;
	sqlite3 *db;
	int fd = mkstemp(path);
	unit_check(fd >= 0);
	close(fd);
	unit_check(mlv_relation_sources_init(&sources, runs, count, NULL) == MLV_OK);
	if (mlv_export_sqlite(&sources, path, &err))
		ck_abort_msg("%s", err.msg);
	mlv_relation_sources_fini(&sources);
	unit_check(sqlite3_open_v2(path, &db, SQLITE_OPEN_READONLY, NULL) == SQLITE_OK);
	return db;
}

static void close_database(sqlite3 *db)
{
	char path[200];
	snprintf(path, sizeof(path), "%s", sqlite3_db_filename(db, "main"));
	unit_check(sqlite3_close(db) == SQLITE_OK);
	unlink(path);
}

/* Rows as lines, columns separated by '|'; the caller frees it. */
static char *answer(sqlite3 *db, const char *sql)
{
	struct mlv_buf out = { 0 };
	sqlite3_stmt *s;
	if (sqlite3_prepare_v2(db, sql, -1, &s, NULL) != SQLITE_OK)
		ck_abort_msg("%s: %s", sql, sqlite3_errmsg(db));
	mlv_buf_puts(&out, "");
	while (sqlite3_step(s) == SQLITE_ROW) {
		for (int i = 0; i < sqlite3_column_count(s); i++) {
			const unsigned char *text = sqlite3_column_text(s, i);
			mlv_buf_puts(&out, i ? "|" : "");
			mlv_buf_puts(&out, text ? (const char *)text : "NULL");
		}
		mlv_buf_putc(&out, '\n');
	}
	sqlite3_finalize(s);
	return out.data;
}

static void check_answer(sqlite3 *db, const char *sql, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

static void check_answer(sqlite3 *db, const char *sql, const char *fmt, ...)
{
	char wanted[2000], *got = answer(db, sql);
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(wanted, sizeof(wanted), fmt, ap);
	va_end(ap);
	ck_assert_str_eq(got, wanted);
	free(got);
}

/* ---- every row, every sum ---- */

static void check_sums(sqlite3 *db, const struct mlv_run *run)
{
	char sql[300];
	unsigned long long reserved = 0;
	for (size_t d = 0; d < run->devices.len; d++) {
		struct mlv_history h;
		unsigned ordinal = run->devices.data[d].ordinal;
		unit_check(mlv_history_init(&h, run, d, NULL) == MLV_OK);
		snprintf(sql, sizeof(sql),
			 "SELECT coalesce(sum(bytes), 0) FROM alive_at_peak WHERE device = %u",
			 ordinal);
		check_answer(db, sql, "%llu\n", (unsigned long long)h.requested.peak);
		snprintf(sql, sizeof(sql),
			 "SELECT coalesce(sum(bytes), 0) FROM alive_at_end WHERE device = %u",
			 ordinal);
		check_answer(db, sql, "%llu\n", (unsigned long long)h.requested.end);
		snprintf(sql, sizeof(sql),
			 "SELECT count(*) FROM events WHERE device = %u AND action = 'alloc'",
			 ordinal);
		check_answer(db, sql, "%llu\n", (unsigned long long)h.action_count[MLV_MEM_ALLOC]);
		mlv_history_fini(&h);
	}
	for (size_t i = 0; i < run->segments.len; i++)
		reserved += run->segments.data[i].bytes;
	check_answer(db, "SELECT count(*), coalesce(sum(bytes), 0) FROM segments", "%zu|%llu\n",
		     run->segments.len, reserved);
	check_answer(db,
		     "SELECT count(*) FROM blocks b JOIN segments s USING (run, segment) "
		     "WHERE b.address < s.address OR b.address >= s.address + s.bytes",
		     "0\n");
	check_answer(db, "SELECT count(*) FROM blocks", "%zu\n", run->blocks.len);
	check_answer(db, "SELECT count(*) FROM events", "%zu\n", run->mem_events.len);
	check_answer(db, "SELECT count(*) FROM spans", "%zu\n", run->spans.len);
	check_answer(db, "SELECT count(*) FROM attributes", "%zu\n", run->attrs.len);
	check_answer(db, "SELECT count(*) FROM attributes WHERE span IS NULL AND finding IS NULL",
		     "0\n");
	check_answer(db, "PRAGMA integrity_check", "ok\n");
}

START_TEST(sums_of_random_recordings)
{
	for (uint64_t seed = 1; seed <= 12; seed++) {
		struct snap_program p = { .seed = seed,
					  .steps = 200,
					  .devices = 1 + (int)(seed % 3),
					  .streams = 2,
					  .pools = 2,
					  .times = seed % 2 == 0,
					  .stacks = seed % 5 != 0,
					  .pending = true,
					  .contexts = true,
					  .annotations = true,
					  .oom = true };
		struct snap s;
		struct mlv_buf bytes = { 0 };
		struct mlv_run run;
		const struct mlv_run *runs[] = { &run };
		snap_record(&s, &p);
		if (seed % 4 == 0)
			snap_keep_last(&s, 80);
		snap_write(&s, (struct snap_style){ .form = SNAP_P4 }, &bytes);
		unit_check(snap_read(&run, &bytes, 0, &mlv_limits_default, NULL) == MLV_OK);
		sqlite3 *db = database(runs, 1);
		check_sums(db, &run);
		close_database(db);
		mlv_run_fini(&run);
		mlv_buf_fini(&bytes);
		snap_fini(&s);
	}
}
END_TEST

START_TEST(texts_are_text)
{
	static const char hostile[] = "'); DROP TABLE spans; --\0\xff\"\n";
	struct mlv_run run;
	const struct mlv_run *runs[] = { &run };
	struct mlv_span span = { .start_ns = 1, .end_ns = 3, .bytes = -1 };
	struct mlv_str name = { hostile, sizeof(hostile) - 1 };
	unit_check(mlv_run_init(&run, "'; DROP TABLE runs; --"));
	unit_check(mlv_run_track(&run, MLV_TRACK_THREAD, MLV_TRACK_NONE, 1, &span.track));
	uint32_t first = mlv_run_attrs_begin(&run);
	unit_check(mlv_run_intern(&run, name, &span.name) &&
		   mlv_run_attr_text(&run, "path", name) &&
		   mlv_run_attr_int(&run, "least", INT64_MIN));
	span.attrs = mlv_run_attrs_end(&run, first);
	unit_check(mlv_vec_push(&run.spans, span));
	sqlite3 *db = database(runs, 1);
	check_answer(db, "SELECT name FROM spans",
		     "'); DROP TABLE spans; --\xef\xbf\xbd\xef\xbf\xbd\"\n\n");
	check_answer(db, "SELECT file FROM runs", "'; DROP TABLE runs; --\n");
	check_answer(db, "SELECT number FROM attributes WHERE key = 'least'",
		     "-9223372036854775808\n");
	close_database(db);
	mlv_run_fini(&run);
}
END_TEST

/* ---- the questions of the documentation ---- */

/* The n-th block of SQL in docs/export.md. */
static char *question(unsigned n)
{
	char path[4096];
	struct mlv_buf text = { 0 };
	snprintf(path, sizeof(path), "%s/../../docs", getenv("TESTDATA"));
	unit_check(recording_load(path, "export.md", &text));
	char *p = text.data;
	for (unsigned i = 0; p && i <= n; i++)
		p = strstr(p + 1, "```sql\n");
	unit_check(p);
	p += strlen("```sql\n");
	char *sql = strndup(p, (size_t)(strstr(p, "\n```") - p));
	mlv_buf_fini(&text);
	return sql;
}

static char *ask(sqlite3 *db, unsigned n)
{
	char *sql = question(n), *got = answer(db, sql);
	free(sql);
	return got;
}

/* Bytes and number of what lives after an event, by the innermost line outside of PyTorch. */
struct holder {
	char site[200];
	uint64_t bytes;
	unsigned count;
};

static void hold(struct holder *list, size_t *n, const struct mlv_run *run,
		 const struct mlv_mem_event *e)
{
	char site[200] = "no Python frame";
	for (mlv_stackid id = e->stack; mlv_stack_has_frame(id);
	     id = mlv_stack_caller(&run->stacks, id)) {
		const struct mlv_frame *f = mlv_stack_frame(&run->stacks, id);
		struct mlv_str file = mlv_run_str(run, f->file);
		if (mlv_str_contains(file, MLV_STR("/torch/")))
			continue;
		snprintf(site, sizeof(site), "%s %s:%u", mlv_run_str(run, f->function).p,
			 mlv_str_basename(file).p, f->line);
		break;
	}
	size_t i = 0;
	while (i < *n && strcmp(list[i].site, site) != 0)
		i++;
	if (i == *n)
		snprintf(list[(*n)++].site, sizeof(list[i].site), "%s", site);
	list[i].bytes += e->bytes;
	list[i].count++;
}

static int by_bytes(const void *pa, const void *pb)
{
	const struct holder *a = pa, *b = pb;
	return a->bytes != b->bytes ? (a->bytes < b->bytes) - (a->bytes > b->bytes)
				    : strcmp(a->site, b->site);
}

START_TEST(who_holds_most_at_the_peak)
{
	struct holder list[64] = { 0 };
	struct mlv_buf bytes, wanted = { 0 };
	struct mlv_run run;
	const struct mlv_run *runs[] = { &run };
	uint64_t now = 0, peak = 0;
	size_t at = 0, n = 0;
	unit_check(recording_load(getenv("SAMPLES"), "train-adamw.pickle.zst", &bytes));
	unit_check(snap_read(&run, &bytes, 0, &mlv_limits_default, NULL) == MLV_OK);
	const struct mlv_mem_event *e = run.mem_events.data;
	for (size_t i = 0; i < run.mem_events.len; i++) {
		now += e[i].action == MLV_MEM_ALLOC ? e[i].bytes : 0;
		now -= e[i].action == MLV_MEM_FREE_COMPLETED ? e[i].bytes : 0;
		at = now > peak ? i : at;
		peak = now > peak ? now : peak;
	}
	for (size_t i = 0; i <= at; i++) {
		bool freed = e[i].action != MLV_MEM_ALLOC;
		for (size_t k = i + 1; k <= at && !freed; k++)
			freed = e[k].action == MLV_MEM_FREE_COMPLETED && e[k].addr == e[i].addr;
		if (!freed)
			hold(list, &n, &run, &e[i]);
	}
	qsort(list, n, sizeof(*list), by_bytes);
	for (size_t i = 0; i < 5; i++)
		mlv_buf_printf(&wanted, "%s|%llu|%u\n", list[i].site,
			       (unsigned long long)list[i].bytes, list[i].count);
	sqlite3 *db = database(runs, 1);
	char *got = ask(db, 0);
	ck_assert_str_eq(got, wanted.data);
	free(got);
	/* The frames of a stack, by its number. */
	got = ask(db, 4);
	unit_check(strstr(got, "|<module>|") && *got == '0');
	free(got);
	close_database(db);
	mlv_buf_fini(&wanted);
	mlv_buf_fini(&bytes);
	mlv_run_fini(&run);
}
END_TEST

enum { RANKS = 4 };

static void read_dumps(struct mlv_run *runs, const struct mlv_run **list)
{
	for (int rank = 0; rank < RANKS; rank++) {
		char name[20], dir[4096];
		struct mlv_buf bytes;
		struct mlv_err err;
		snprintf(name, sizeof(name), "fr_%d", rank);
		snprintf(dir, sizeof(dir), "%s/fr-dump", getenv("TESTDATA"));
		unit_check(recording_load(dir, name, &bytes));
		unit_check(unit_read(&runs[rank], bytes.data, bytes.len, (struct unit_reading){ 0 },
				     &err) == MLV_OK);
		runs[rank].rank = rank;
		list[rank] = &runs[rank];
		mlv_buf_fini(&bytes);
	}
}

START_TEST(questions_about_collectives)
{
	struct mlv_run runs[RANKS];
	const struct mlv_run *list[RANKS];
	struct mlv_buf most = { 0 }, open = { 0 };
	read_dumps(runs, list);
	for (int rank = 0; rank < RANKS; rank++) {
		const struct mlv_run *run = &runs[rank];
		int64_t best = -1;
		uint32_t name = 0;
		for (size_t i = 0; i < run->spans.len; i++) {
			const struct mlv_span *s = &run->spans.data[i];
			const struct mlv_attr *seq =
				mlv_run_attr(run, s->attrs, "collective_seq_id");
			int64_t sum = 0, took;
			for (size_t k = 0; k < run->spans.len; k++) {
				const struct mlv_span *t = &run->spans.data[k];
				if (t->name.i == s->name.i && mlv_run_span_took(t, &took))
					sum += took;
			}
			name = sum > best ? s->name.i : name;
			best = sum > best ? sum : best;
			if (!strcmp(mlv_run_str(run, s->status).p, "completed"))
				continue;
			mlv_buf_printf(&open, "%d|%s|%s|%lld\n", rank, mlv_run_str(run, s->name).p,
				       mlv_run_str(run, s->status).p, (long long)seq->number);
		}
		mlv_buf_printf(&most, "%d|%s|%lld\n", rank, mlv_run_str(run, (mlv_strid){ name }).p,
			       (long long)best);
	}
	sqlite3 *db = database(list, RANKS);
	char *got = ask(db, 1);
	ck_assert_str_eq(got, most.data);
	free(got);
	/* The last column says where: that of the program, not of PyTorch. */
	got = ask(db, 3);
	char *to = got;
	for (char *line = got, *end; (end = strchr(line, '\n')); line = end + 1) {
		char *site = end;
		while (site[-1] != '|')
			site--;
		unit_check(strstr(site, "gen_fr.py:"));
		memmove(to, line, (size_t)(site - 1 - line));
		to += site - 1 - line;
		*to++ = '\n';
	}
	*to = '\0';
	ck_assert_str_eq(got, open.data);
	free(got);
	close_database(db);
	mlv_buf_fini(&most);
	mlv_buf_fini(&open);
	for (int rank = 0; rank < RANKS; rank++)
		mlv_run_fini(&runs[rank]);
}
END_TEST

START_TEST(which_files_failed)
{
	static const char log[] =
		"openat(AT_FDCWD, \"/etc/one\", O_RDONLY) = -1 ENOENT (No such file or directory)\n"
		"openat(AT_FDCWD, \"/etc/two\", O_RDONLY) = -1 EACCES (Permission denied)\n"
		"openat(AT_FDCWD, \"/etc/one\", O_RDONLY) = -1 ENOENT (No such file or directory)\n"
		"openat(AT_FDCWD, \"/etc/three\", O_RDONLY) = 3\n"
		"read(3, \"\", 10) = 0\n"
		"connect(4, {sa_family=AF_UNIX}, 110) = -1 ECONNREFUSED (Connection refused)\n"
		"stat(\"/etc/one\", 0x7ffd) = -1 ENOENT (No such file or directory)\n"
		"+++ exited with 0 +++\n";
	struct mlv_run run;
	const struct mlv_run *runs[] = { &run };
	struct mlv_err err;
	unit_check(unit_read(&run, log, sizeof(log) - 1, (struct unit_reading){ 0 }, &err) ==
		   MLV_OK);
	sqlite3 *db = database(runs, 1);
	char *got = ask(db, 2);
	ck_assert_str_eq(got, "ENOENT|openat|/etc/one|2\n"
			      "EACCES|openat|/etc/two|1\n"
			      "ECONNREFUSED|connect|NULL|1\n"
			      "ENOENT|stat|/etc/one|1\n");
	free(got);
	close_database(db);
	mlv_run_fini(&run);
}
END_TEST

UNIT_MAIN("sqlite", sums_of_random_recordings, texts_are_text, who_holds_most_at_the_peak,
	  questions_about_collectives, which_files_failed)
