/* SPDX-License-Identifier: MIT */
#ifndef MLV_UNIT_METRIC_READER_H
#define MLV_UNIT_METRIC_READER_H
/* For suites of formats that are tables of figures: read bytes, look at metrics as text. */
#include "read_report.h"

static struct mlv_run run;
static struct mlv_err read_err;

/* Read as `mlviz` does, or by the format that is named. The run is to be given back. */
static inline enum mlv_rc read_bytes(const void *p, size_t n, const char *forced, size_t chunk)
{
	return unit_read(&run, p, n, (struct unit_reading){ .format = forced, .chunk = chunk },
			 &read_err);
}

static inline enum mlv_rc read_text(const char *text)
{
	return read_bytes(text, strlen(text), NULL, 0);
}

static inline struct mlv_str str(mlv_strid id)
{
	return mlv_run_str(&run, id);
}

static inline bool is(mlv_strid id, const char *text)
{
	return mlv_str_eq(str(id), mlv_str_of(text));
}

/* The value of the first such metric, as text; "none" if there is none. */
static inline const char *metric(const char *subject, const char *name)
{
	static char text[4][64];
	static unsigned next;
	for (size_t i = 0; i < run.metrics.len; i++) {
		const struct mlv_metric *m = &run.metrics.data[i];
		if (is(m->subject, subject) && is(m->metric, name)) {
			next = (next + 1) % 4;
			return mlv_decimal_text(m->value, text[next], sizeof(text[next]));
		}
	}
	return "none";
}

/* The same in the section of that title. */
static inline const char *metric_in(const char *title, const char *subject, const char *name)
{
	static char text[64];
	for (size_t i = 0; i < run.metrics.len; i++) {
		const struct mlv_metric *m = &run.metrics.data[i];
		if (is(run.sections.data[m->section].title, title) && is(m->subject, subject) &&
		    is(m->metric, name))
			return mlv_decimal_text(m->value, text, sizeof(text));
	}
	return "none";
}

static inline bool has_diag(const char *code)
{
	return unit_told(&run, code);
}

/* Every figure as "subject<TAB>metric<TAB>value", for sets that are compared. */
static inline char **all_figures(size_t *n)
{
	char **list = calloc(run.metrics.len + 1, sizeof(*list));
	unit_check(list);
	for (size_t i = 0; i < run.metrics.len; i++) {
		const struct mlv_metric *m = &run.metrics.data[i];
		char value[64];
		size_t size = str(m->subject).n + str(m->metric).n + 80;
		list[i] = malloc(size);
		unit_check(list[i]);
		snprintf(list[i], size, "%s\t%s\t%s", str(m->subject).p, str(m->metric).p,
			 mlv_decimal_text(m->value, value, sizeof(value)));
	}
	*n = run.metrics.len;
	return list;
}

static inline void free_figures(char **list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		free(list[i]);
	free(list);
}

/* Whether every figure of the run is among these. */
static inline bool no_new_figures(char *const *known, size_t n)
{
	size_t mine;
	char **list = all_figures(&mine);
	bool good = true;
	for (size_t i = 0; i < mine && good; i++) {
		size_t k = 0;
		while (k < n && strcmp(known[k], list[i]) != 0)
			k++;
		good = k < n;
		if (!good)
			fprintf(stderr, "# not in the whole file: %s\n", list[i]);
	}
	free_figures(list, mine);
	return good;
}

/* Read with each line missing in turn, and cut at each byte: no figure may come out wrong. */
static inline void spoil(const char *text)
{
	size_t size = strlen(text), n;
	char *copy = malloc(size + 1);
	unit_check(copy && read_text(text) == MLV_OK);
	char **whole = all_figures(&n);
	mlv_run_fini(&run);
	for (size_t at = 0; at < size;) {
		const char *end = strchr(text + at, '\n');
		size_t next = end ? (size_t)(end - text) + 1 : size;
		memcpy(copy, text, at);
		memcpy(copy + at, text + next, size - next);
		(void)read_bytes(copy, size - (next - at), NULL, 0);
		unit_check(no_new_figures(whole, n));
		mlv_run_fini(&run);
		at = next;
	}
	for (size_t cut = 0; cut < size; cut++) {
		(void)read_bytes(text, cut, NULL, 0);
		unit_check(no_new_figures(whole, n));
		mlv_run_fini(&run);
	}
	free_figures(whole, n);
	free(copy);
}

#endif
