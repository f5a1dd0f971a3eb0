/* SPDX-License-Identifier: MIT */
/* Tables as CSV, read back by a reader that knows RFC 4180 and nothing else. */
#include "unit.h"

#include <string.h>

#include "report/export/export.h"

static enum mlv_rc append(void *opaque, const void *data, size_t n, struct mlv_err *err)
{
	(void)err;
	mlv_buf_add(opaque, data, n);
	return MLV_OK;
}

static void write_csv(const struct mlv_run *run, const char *table, bool raw, struct mlv_buf *out)
{
	const struct mlv_run *runs[] = { run };
	struct mlv_relation_sources sources;
	struct mlv_sink sink = { append, out };
	out->len = 0;
	unit_check(mlv_relation_sources_init(&sources, runs, 1, NULL) == MLV_OK);
	unit_check(mlv_export_csv(&sources, mlv_relation_find(table), raw, &sink, NULL) == MLV_OK);
	mlv_relation_sources_fini(&sources);
}

/* The next field; *p is behind its comma or line feed, *last says which. */
static void field(const char **p, char *out, size_t size, bool *last)
{
	size_t n = 0;
	bool quoted = **p == '"';
	const char *s = *p + quoted;
	while (*s && n + 1 < size) {
		if (quoted && s[0] == '"' && s[1] == '"')
			s++;
		else if (quoted ? *s == '"' : *s == ',' || *s == '\n')
			break;
		out[n++] = *s++;
	}
	out[n] = '\0';
	s += quoted;
	unit_check(*s == ',' || *s == '\n');
	*last = *s == '\n';
	*p = s + 1;
}

/* Value of column `column` in the second line. */
static void value(const struct mlv_buf *csv, const char *column, char *out, size_t size)
{
	char name[100];
	const char *p = csv->data, *q = strchr(csv->data, '\n') + 1;
	bool last = false, end = false;
	while (!last) {
		field(&p, name, sizeof(name), &last);
		field(&q, out, size, &end);
		unit_check(last == end);
		if (strcmp(name, column) == 0)
			return;
	}
	ck_abort_msg("no column %s", column);
}

START_TEST(names_come_back)
{
	static const struct {
		const char *name, *guarded, *raw;
	} cases[] = {
		{ "plain", "plain", "plain" },
		{ "a,b \"quoted\"", "a,b \"quoted\"", "a,b \"quoted\"" },
		{ "\"\"", "\"\"", "\"\"" },
		{ "=1+1", "'=1+1", "=1+1" },
		{ "@SUM(A1)", "'@SUM(A1)", "@SUM(A1)" },
		{ "+1,2", "'+1,2", "+1,2" },
		{ "-cmd|' /C calc'!A0", "'-cmd|' /C calc'!A0", "-cmd|' /C calc'!A0" },
		{ "\t=1", "' =1", " =1" },
		{ "two\nlines", "two lines", "two lines" },
		{ " blank ", " blank ", " blank " },
		{ "\xe2\x80\xae"
		  "gnp",
		  "\xef\xbf\xbdgnp", "\xef\xbf\xbdgnp" },
		{ "\x01\xff", "\xef\xbf\xbd\xef\xbf\xbd", "\xef\xbf\xbd\xef\xbf\xbd" },
		{ "\xc3\xa4", "\xc3\xa4", "\xc3\xa4" },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct mlv_run run;
		struct mlv_buf csv = { 0 };
		struct mlv_span s = { .start_ns = -5, .end_ns = 7, .bytes = -1 };
		char got[200];
		unit_check(mlv_run_init(&run, "file"));
		unit_check(mlv_run_track(&run, MLV_TRACK_THREAD, MLV_TRACK_NONE, 1, &s.track) &&
			   mlv_run_intern(&run, mlv_str_of(cases[i].name), &s.name) &&
			   mlv_vec_push(&run.spans, s));
		write_csv(&run, "spans", false, &csv);
		value(&csv, "name", got, sizeof(got));
		ck_assert_str_eq(got, cases[i].guarded);
		value(&csv, "start_ns", got, sizeof(got));
		ck_assert_str_eq(got, "-5"); /* a number is no formula */
		value(&csv, "duration_ns", got, sizeof(got));
		ck_assert_str_eq(got, "12");
		value(&csv, "bytes", got, sizeof(got));
		ck_assert_str_eq(got, "");
		write_csv(&run, "spans", true, &csv);
		value(&csv, "name", got, sizeof(got));
		ck_assert_str_eq(got, cases[i].raw);
		mlv_buf_fini(&csv);
		mlv_run_fini(&run);
	}
}
END_TEST

/* Every table has a first line, and rows of as many values as it has columns. */
START_TEST(every_table_has_its_columns)
{
	struct mlv_run run;
	struct mlv_buf csv = { 0 };
	unit_check(mlv_run_init(&run, "file"));
	for (const struct mlv_relation *const *t = mlv_relations; *t; t++) {
		write_csv(&run, (*t)->name, false, &csv);
		size_t columns = 0;
		for (const struct mlv_relation_column *c = (*t)->columns; c->name; c++)
			columns++;
		unit_check(columns <= MLV_ROW_COLUMNS);
		for (const char *p = csv.data, *end = csv.data + csv.len; p < end;) {
			char text[200];
			bool last = false;
			size_t n = 0;
			for (; !last; n++)
				field(&p, text, sizeof(text), &last);
			ck_assert_uint_eq(n, columns);
		}
	}
	mlv_buf_fini(&csv);
	mlv_run_fini(&run);
}
END_TEST

UNIT_MAIN("csv", names_come_back, every_table_has_its_columns)
