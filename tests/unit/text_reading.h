/* SPDX-License-Identifier: MIT */
#ifndef MLV_UNIT_TEXT_READING_H
#define MLV_UNIT_TEXT_READING_H
/*
 * For the suites of text formats: read a text (or a file) as mlviz would, and
 * ask for what was found. Texts are spoiled in every way that files are.
 */
#include "read_report.h"

struct reading {
	struct mlv_run run;
	struct mlv_err err;
	enum mlv_rc rc;
};

/* `format` as --format; NULL: by content. */
static inline void reading_of(struct reading *r, const char *text, size_t n, const char *format)
{
	r->rc = unit_read(&r->run, text, n, (struct unit_reading){ .format = format }, &r->err);
}

static inline void reading_fini(struct reading *r)
{
	mlv_run_fini(&r->run);
}

static inline const char *reading_str(const struct reading *r, mlv_strid id)
{
	return mlv_run_str(&r->run, id).p;
}

static inline size_t reading_count(const struct reading *r, const char *code)
{
	size_t n = 0;
	for (size_t i = 0; i < r->run.findings.len; i++)
		n += strcmp(reading_str(r, r->run.findings.data[i].code), code) == 0;
	return n;
}

/* The i-th finding of a code. */
static inline const struct mlv_finding *reading_finding(const struct reading *r, const char *code,
							size_t i)
{
	for (size_t k = 0; k < r->run.findings.len; k++) {
		const struct mlv_finding *f = &r->run.findings.data[k];
		if (strcmp(reading_str(r, f->code), code) == 0 && i-- == 0)
			return f;
	}
	ck_abort_msg("no finding %s", code);
	return NULL;
}

/* An attribute as text, numbers as digits; "" if there is none. */
static inline const char *reading_attr(const struct reading *r, const struct mlv_finding *f,
				       const char *key)
{
	static char number[24];
	const struct mlv_attr *a = mlv_run_attr(&r->run, f->attrs, key);
	if (!a)
		return "";
	if (a->is_text)
		return reading_str(r, a->text);
	snprintf(number, sizeof(number), "%lld", (long long)a->number);
	return number;
}

/* "inner file:1; outer file:2" */
static inline const char *reading_stack(const struct reading *r, mlv_stackid stack)
{
	static char text[8192];
	size_t n = 0;
	text[0] = '\0';
	for (; mlv_stack_has_frame(stack) && n < 8000;
	     stack = mlv_stack_caller(&r->run.stacks, stack)) {
		const struct mlv_frame *f = mlv_stack_frame(&r->run.stacks, stack);
		n += (size_t)snprintf(text + n, sizeof(text) - n, "%s%s %s:%u", n ? "; " : "",
				      reading_str(r, f->function), reading_str(r, f->file),
				      f->line);
	}
	return text;
}

/* The value of a metric as text; "" if there is none. */
static inline const char *reading_metric(const struct reading *r, const char *subject,
					 const char *metric)
{
	static char text[64];
	for (size_t i = 0; i < r->run.metrics.len; i++) {
		const struct mlv_metric *m = &r->run.metrics.data[i];
		if (strcmp(reading_str(r, m->subject), subject) == 0 &&
		    strcmp(reading_str(r, m->metric), metric) == 0)
			return mlv_decimal_text(m->value, text, sizeof(text));
	}
	return "";
}

/* Delete each line, and cut behind each: it must be read, or refused, without harm. */
static inline void reading_spoiled(const char *text, size_t n, const char *format)
{
	char *copy = malloc(n + 1);
	for (size_t at = 0; at < n;) {
		const char *lf = memchr(text + at, '\n', n - at);
		size_t end = lf ? (size_t)(lf - text) + 1 : n;
		struct reading r;
		memcpy(copy, text, at);
		memcpy(copy + at, text + end, n - end);
		reading_of(&r, copy, n - (end - at), format);
		unit_check(r.rc == MLV_OK || r.rc == MLV_E_FORMAT);
		reading_fini(&r);
		reading_of(&r, text, at + (end - at) / 2, format);
		unit_check(r.rc == MLV_OK || r.rc == MLV_E_FORMAT);
		reading_fini(&r);
		at = end;
	}
	free(copy);
}

#define ck_attr(r, f, key, text) ck_assert_str_eq(reading_attr(r, f, key), text)

#endif
