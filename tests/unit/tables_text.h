/* SPDX-License-Identifier: MIT */
#ifndef MLV_UNIT_TABLES_TEXT_H
#define MLV_UNIT_TABLES_TEXT_H
/*
 * For the suites of formats that fill metrics, samples and findings: read a
 * text as mlviz would, and write what was found as lines, so that a test
 * compares whole tables at a glance.
 */
#include <inttypes.h>
#include <string.h>

#include "base/buf.h"
#include "read_report.h"

struct tables {
	struct mlv_run run;
	struct mlv_err err;
	enum mlv_rc rc;
	struct mlv_buf text; /* of the newest question */
};

/* In pieces of `chunk` bytes (0: at once), with --time-format and --limit rows where given. */
static inline void tables_read(struct tables *t, const char *text, size_t n, size_t chunk,
			       const char *time_format, uint64_t rows)
{
	struct unit_reading how = { .time_format = time_format, .chunk = chunk, .rows = rows };
	*t = (struct tables){ .err = MLV_ERR_INIT };
	t->rc = unit_read(&t->run, text, n, how, &t->err);
}

static inline void tables_of(struct tables *t, const char *text)
{
	tables_read(t, text, strlen(text), 0, NULL, 0);
	if (t->rc)
		ck_abort_msg("%s", t->err.msg);
}

static inline void tables_fini(struct tables *t)
{
	mlv_run_fini(&t->run);
	mlv_buf_fini(&t->text);
}

static inline const char *tables_str(const struct tables *t, mlv_strid id)
{
	return mlv_run_str(&t->run, id).p;
}

static inline const char *tables_done(struct tables *t)
{
	mlv_buf_puts(&t->text, "");
	return t->text.data ? t->text.data : "";
}

/* "0 command | User time | 0.01 s" */
static inline const char *tables_metrics(struct tables *t)
{
	char value[64];
	t->text.len = 0;
	for (size_t i = 0; i < t->run.metrics.len; i++) {
		const struct mlv_metric *m = &t->run.metrics.data[i];
		mlv_buf_printf(&t->text, "%u %s | %s | %s\n", m->section, tables_str(t, m->subject),
			       tables_str(t, m->metric),
			       mlv_decimal_text(m->value, value, sizeof(value)));
	}
	return tables_done(t);
}

/* "rank 3 | 7 | before fwd | allocated | 1.30 GiB" */
static inline const char *tables_samples(struct tables *t)
{
	char value[64];
	t->text.len = 0;
	for (size_t i = 0; i < t->run.samples.len; i++) {
		const struct mlv_sample *s = &t->run.samples.data[i];
		if (s->track.i == MLV_TRACK_NONE.i)
			mlv_buf_puts(&t->text, "- |");
		else
			mlv_buf_printf(&t->text, "%s %" PRId64 " |",
				       mlv_track_kind_name(t->run.tracks.data[s->track.i].kind),
				       t->run.tracks.data[s->track.i].number);
		if (s->step != MLV_NO_STEP)
			mlv_buf_printf(&t->text, " %d |", s->step);
		if (s->time_ns != MLV_NO_TIME)
			mlv_buf_printf(&t->text, " %" PRId64 " |", s->time_ns);
		mlv_buf_printf(&t->text, " %s | %s | %s\n", tables_str(t, s->phase),
			       tables_str(t, s->metric),
			       mlv_decimal_text(s->value, value, sizeof(value)));
	}
	return tables_done(t);
}

/* "3 error signal: Command terminated by signal 9 {signal=9, command=sh}" */
static inline const char *tables_findings(struct tables *t)
{
	t->text.len = 0;
	for (size_t i = 0; i < t->run.findings.len; i++) {
		const struct mlv_finding *f = &t->run.findings.data[i];
		mlv_buf_printf(&t->text, "%u %s %s: %s {", f->line,
			       mlv_finding_severity_name(f->severity), tables_str(t, f->code),
			       tables_str(t, f->text));
		for (uint32_t k = 0; k < f->attrs.count; k++) {
			const struct mlv_attr *a = &t->run.attrs.data[f->attrs.first + k];
			mlv_buf_printf(&t->text, "%s%s=", k ? ", " : "", tables_str(t, a->key));
			if (a->is_text)
				mlv_buf_puts(&t->text, tables_str(t, a->text));
			else
				mlv_buf_int(&t->text, a->number);
		}
		mlv_buf_puts(&t->text, "}\n");
	}
	return tables_done(t);
}

/* "gnu-time 1-24 rank -1, 22 rows: true" */
static inline const char *tables_sections(struct tables *t)
{
	t->text.len = 0;
	for (size_t i = 0; i < t->run.sections.len; i++) {
		const struct mlv_section *s = &t->run.sections.data[i];
		mlv_buf_printf(&t->text, "%s %u-%u rank %" PRId64 ", %" PRIu64 " rows: %s\n",
			       s->format, s->line, s->last_line, s->rank, s->rows,
			       tables_str(t, s->title));
	}
	return tables_done(t);
}

/* "report/steps = 5" */
static inline const char *tables_properties(struct tables *t)
{
	t->text.len = 0;
	for (size_t i = 0; i < t->run.properties.len; i++) {
		const struct mlv_property *p = &t->run.properties.data[i];
		mlv_buf_printf(&t->text, "%s/%s = ", tables_str(t, p->group),
			       tables_str(t, p->key));
		if (p->kind == MLV_PROP_TEXT || p->kind == MLV_PROP_DECIMAL)
			mlv_buf_printf(&t->text, "%s\n", tables_str(t, p->text));
		else
			mlv_buf_printf(&t->text, "%" PRId64 "\n", p->number);
	}
	return tables_done(t);
}

static inline bool tables_told(const struct tables *t, const char *code)
{
	return unit_told(&t->run, code);
}

/*
 * Spoil a text in many ways: each line deleted, a cut behind and in the middle
 * of each line, each line twice, and a flipped bit here and there. It must be
 * read or refused, without harm.
 */
static inline void tables_spoil(const char *text, size_t n, const char *time_format)
{
	char *copy = malloc(2 * n + 1);
	uint64_t random = 88172645463325252u;
	struct tables t;
	for (size_t at = 0; at < n;) {
		const char *lf = memchr(text + at, '\n', n - at);
		size_t end = lf ? (size_t)(lf - text) + 1 : n;
		const size_t sizes[] = { n - (end - at), at + (end - at) / 2, end, n + (end - at) };
		for (int way = 0; way < 4; way++) {
			memcpy(copy, text, at);
			memcpy(copy + at, text + at, end - at);
			if (way == 0)
				memcpy(copy + at, text + end, n - end);
			if (way == 3)
				memcpy(copy + end, text + at, n - at);
			tables_read(&t, copy, sizes[way], 0, time_format, 0);
			unit_check(t.rc == MLV_OK || t.rc == MLV_E_FORMAT);
			tables_fini(&t);
		}
		at = end;
	}
	for (int i = 0; i < 300; i++) {
		memcpy(copy, text, n);
		copy[unit_random(&random) % n] ^= (char)(1u << unit_random(&random) % 8);
		tables_read(&t, copy, n, 0, time_format, 0);
		unit_check(t.rc == MLV_OK || t.rc == MLV_E_FORMAT || t.rc == MLV_E_LIMIT ||
			   t.rc == MLV_E_UNSUPPORTED);
		tables_fini(&t);
	}
	free(copy);
}

#endif
