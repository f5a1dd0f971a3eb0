/* SPDX-License-Identifier: MIT */
/*
 * Reports of compute-sanitizer and of its predecessor cuda-memcheck: where a
 * report begins and ends, its records, and the figures of its summary. What
 * the watched program prints stands between their lines and is left to others.
 */
#include <stdlib.h>
#include <string.h>

#include "parsers/add.h"
#include "parsers/failure/sanitizer_record.h"
#include "parsers/text/scan.h"
#include "parsers/text/statement.h"

enum { PREFIX_BYTES = 64 };

static const char RULE[] = "=========";

struct state {
	struct mlv_sanitizer_record *record; /* NULL: none yet */
	bool report;                         /* a report that has no summary yet */
	char prefix[PREFIX_BYTES];
	size_t prefix_n; /* 0: the usual one */
	uint32_t section;
	uint32_t last_line;
};

static enum mlv_rc metric(struct state *st, struct mlv_text *t, const char *name, int64_t n,
			  enum mlv_unit unit, struct mlv_err *err)
{
	struct mlv_metric_row row = { t->run, t->limits, st->section - 1, 0, MLV_STR_NONE };
	if (!mlv_run_intern(t->run, MLV_STR("summary"), &row.subject))
		return mlv_err_nomem(err);
	return mlv_add_metric_named(&row, name, mlv_decimal_int(n, unit), err);
}

/* "1 hazard displayed (1 error, 0 warnings)" */
static enum mlv_rc race_summary(struct state *st, struct mlv_text *t, struct mlv_str s,
				struct mlv_err *err)
{
	int64_t hazards, errors, warnings;
	if (!mlv_sanitizer_int(&s, &hazards) || !mlv_scan_to(&s, "(", NULL) ||
	    !mlv_sanitizer_int(&s, &errors) || !mlv_scan_to(&s, ", ", NULL) ||
	    !mlv_sanitizer_int(&s, &warnings))
		return MLV_OK;
	enum mlv_rc rc = metric(st, t, "hazards", hazards, MLV_UNIT_NONE, err);
	if (!rc)
		rc = metric(st, t, "hazard errors", errors, MLV_UNIT_NONE, err);
	return rc ? rc : metric(st, t, "hazard warnings", warnings, MLV_UNIT_NONE, err);
}

/* The lines that end a report. */
static enum mlv_rc summary(struct state *st, struct mlv_text *t, struct mlv_str s, uint32_t line,
			   bool *mine, struct mlv_err *err)
{
	int64_t n, m;
	bool race = false, leak = false, errors = false;
	race = mlv_scan(&s, "RACECHECK SUMMARY: ");
	leak = !race && mlv_scan(&s, "LEAK SUMMARY: ");
	errors = !race && !leak && mlv_scan(&s, "ERROR SUMMARY: ");
	*mine = race || leak || errors;
	if (!*mine)
		return MLV_OK;
	enum mlv_rc rc = mlv_sanitizer_close(st->record, t, &st->section, err);
	if (!rc)
		rc = mlv_statement_section(t, MLV_SANITIZER, MLV_STR(""), line, line, &st->section,
					   err);
	if (leak)
		st->report = true; /* the number of errors follows */
	else
		st->report = false;
	if (!rc && race)
		return race_summary(st, t, s, err);
	if (rc || !mlv_sanitizer_int(&s, &n))
		return rc;
	if (errors && mlv_str_find(s, "not printed") >= 0)
		return metric(st, t, "errors not printed", n, MLV_UNIT_NONE, err);
	if (errors)
		return metric(st, t, "errors", n, MLV_UNIT_NONE, err);
	rc = metric(st, t, "leaked", n, MLV_UNIT_BYTES, err);
	if (!rc && mlv_scan_to(&s, " in ", NULL) && mlv_sanitizer_int(&s, &m))
		rc = metric(st, t, "leaks", m, MLV_UNIT_NONE, err);
	return rc;
}

/* A report whose end is missing: the tool was killed, or the text is a part. */
static enum mlv_rc close_report(struct state *st, struct mlv_text *t, struct mlv_err *err)
{
	enum mlv_rc rc = mlv_sanitizer_close(st->record, t, &st->section, err);
	if (rc || !st->report)
		return rc;
	st->report = false;
	struct mlv_statement s = { .format = MLV_SANITIZER,
				   .code = "sanitizer-incomplete",
				   .severity = MLV_FINDING_WARNING,
				   .text = MLV_STR("the report ends without its summary"),
				   .line = st->last_line,
				   .last_line = st->last_line,
				   .rank = -1,
				   .attrs = mlv_run_attrs_begin(t->run) };
	mlv_diag_add_line(&t->run->diags, MLV_WARNING, "sanitizer-incomplete", st->last_line,
			  "a report of compute-sanitizer ends without its summary");
	return mlv_statement_add(t, &s, &st->section, NULL, err);
}

/* "========= COMPUTE-SANITIZER", or what --prefix says instead of the rule. */
static bool is_header(struct mlv_str text, struct mlv_str *prefix)
{
	struct mlv_str s = mlv_str_trim(text);
	static const struct mlv_str names[] = { MLV_STR_INIT(" COMPUTE-SANITIZER"),
						MLV_STR_INIT(" CUDA-MEMCHECK") };
	for (size_t i = 0; i < 2; i++) {
		if (!mlv_str_has_suffix(s, names[i]) || s.n - names[i].n > PREFIX_BYTES)
			continue;
		*prefix = mlv_str_head(s, s.n - names[i].n);
		return prefix->n > 0 && !memchr(prefix->p, ' ', prefix->n);
	}
	return false;
}

/* The line without the prefix; false if it has none. */
static bool without_prefix(const struct state *st, struct mlv_str text, struct mlv_str *line)
{
	struct mlv_str s = mlv_str_trim(text);
	if (st->prefix_n && mlv_str_has_prefix(s, (struct mlv_str){ st->prefix, st->prefix_n }))
		s = mlv_str_from(s, st->prefix_n);
	else if (!mlv_scan(&s, RULE))
		return false;
	if (s.n && s.p[0] != ' ' && s.p[0] != '\t')
		return false;
	*line = s;
	return true;
}

static enum mlv_rc header(struct state *st, struct mlv_text *t, struct mlv_str prefix,
			  uint32_t line, enum mlv_take *take, struct mlv_err *err)
{
	bool usual = mlv_str_eq(prefix, (struct mlv_str){ RULE, sizeof(RULE) - 1 });
	enum mlv_rc rc = close_report(st, t, err);
	st->section = 0; /* each report its own */
	st->last_line = line;
	/* Another prefix is believed when a record comes with it. */
	st->prefix_n = usual ? 0 : prefix.n;
	memcpy(st->prefix, prefix.p, st->prefix_n);
	st->report = usual;
	if (rc || !usual)
		return rc;
	*take = MLV_OWN;
	return mlv_statement_section(t, MLV_SANITIZER, MLV_STR(""), line, line, &st->section, err);
}

static enum mlv_rc line_of(void *state, struct mlv_text *t, const struct mlv_line *line,
			   enum mlv_take *take, struct mlv_err *err)
{
	struct state *st = state;
	struct mlv_str prefix, s;
	struct mlv_sanitizer_head h;
	bool mine = false;
	enum mlv_rc rc = MLV_OK;
	if (is_header(line->text, &prefix))
		return header(st, t, prefix, line->number, take, err);
	if (!without_prefix(st, line->text, &s))
		return MLV_OK;
	size_t indent = mlv_str_indent(s);
	s = mlv_str_trim(s);
	if (s.n)
		rc = summary(st, t, s, line->number, &mine, err);
	if (!rc && !mine && indent <= 2 && mlv_sanitizer_head(s, &h) &&
	    (h.code != MLV_SANITIZER_FAILED || st->report)) {
		rc = mlv_sanitizer_close(st->record, t, &st->section, err);
		if (!rc)
			rc = mlv_sanitizer_open(&st->record, t, &h, line->number, err);
		mine = st->report = true;
	} else if (!rc && !mine && st->record && st->record->open) {
		st->record->last_line = s.n ? line->number : st->record->last_line;
		rc = s.n ? mlv_sanitizer_detail(st->record, t, s, err)
			 : mlv_sanitizer_close(st->record, t, &st->section, err);
		mine = true;
	}
	if (mine || st->report) {
		*take = MLV_OWN;
		st->last_line = line->number;
		if (st->section && !rc)
			rc = mlv_statement_section(t, MLV_SANITIZER, MLV_STR(""), line->number,
						   line->number, &st->section, err);
	}
	return rc;
}

static enum mlv_rc finish(void *state, struct mlv_text *t, struct mlv_err *err)
{
	return close_report(state, t, err);
}

static void fini(void *state)
{
	free(((struct state *)state)->record);
}

const struct mlv_text_format mlv_text_sanitizer = {
	.name = MLV_SANITIZER,
	.summary = "reports of compute-sanitizer and cuda-memcheck, all four tools",
	.state_size = sizeof(struct state),
	.line = line_of,
	.finish = finish,
	.fini = fini,
};
