/* SPDX-License-Identifier: MIT */
#include "analysis/metric_tables.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/table_build.h"
#define XXH_INLINE_ALL
#include <xxhash.h>

enum { MOST_COLUMNS = 256 };

static bool is_total(const struct mlv_run *run, const struct mlv_metric *m)
{
	return mlv_str_eq(mlv_run_str(run, m->subject), MLV_STR("(total)"));
}

/* ------------------------------------------------------------------ which metrics */

/* What is known of a section while its metrics pass by. */
struct shape {
	uint32_t row;
	mlv_strid subject;
	bool any, several; /* several: more than one row, or a row and a total */
};

static void look_at(const struct mlv_run *run, struct shape *shapes)
{
	for (size_t i = 0; i < run->metrics.len; i++) {
		const struct mlv_metric *m = &run->metrics.data[i];
		struct shape *s = &shapes[m->section];
		if (s->any && (s->row != m->row || s->subject.i != m->subject.i))
			s->several = true;
		s->several = s->several || is_total(run, m);
		s->row = m->row;
		s->subject = m->subject;
		s->any = true;
	}
}

/* The table of one-row sections of this format, or a new one. */
static size_t table_for(struct mlv_metric_tables *m, const struct shape *shapes, uint32_t section)
{
	const struct mlv_section *s = m->run->sections.data;
	for (size_t i = 0; !shapes[section].several && i < m->count; i++) {
		uint32_t first = m->section[i];
		if (!shapes[first].several && strcmp(s[first].format, s[section].format) == 0)
			return i;
	}
	m->section[m->count] = section;
	return m->count++;
}

static void fill(struct mlv_metric_tables *m, struct shape *shapes)
{
	const struct mlv_run *run = m->run;
	look_at(run, shapes);
	for (uint32_t i = 0; i < run->sections.len; i++) {
		m->table_of[i] = UINT32_MAX;
		if (!shapes[i].any)
			continue;
		m->table_of[i] = (uint32_t)table_for(m, shapes, i);
		m->one_row[m->table_of[i]] = !shapes[i].several;
		m->sections[m->table_of[i]]++;
	}
	for (size_t i = 0; i < run->metrics.len; i++)
		m->start[m->table_of[run->metrics.data[i].section] + 1]++;
	for (size_t i = 1; i <= m->count; i++)
		m->start[i] += m->start[i - 1];
	for (size_t i = 0; i < run->metrics.len; i++)
		m->order[m->start[m->table_of[run->metrics.data[i].section]]++] = (uint32_t)i;
	/* Each has moved on to where the next one starts. */
	memmove(m->start + 1, m->start, m->count * sizeof(*m->start));
	m->start[0] = 0;
}

enum mlv_rc mlv_metric_tables_init(struct mlv_metric_tables *m, const struct mlv_run *run,
				   struct mlv_err *err)
{
	size_t n = run->sections.len + 1;
	struct shape *shapes = calloc(n, sizeof(*shapes));
	*m = (struct mlv_metric_tables){ .run = run };
	m->order = malloc((run->metrics.len + 1) * sizeof(*m->order));
	m->start = calloc(n + 1, sizeof(*m->start));
	m->section = calloc(n, sizeof(*m->section));
	m->sections = calloc(n, sizeof(*m->sections));
	m->one_row = calloc(n, sizeof(*m->one_row));
	m->table_of = calloc(n, sizeof(*m->table_of));
	bool ok = shapes && m->order && m->start && m->section && m->sections && m->one_row &&
		  m->table_of;
	if (ok)
		fill(m, shapes);
	else
		mlv_metric_tables_fini(m);
	free(shapes);
	return ok ? MLV_OK : mlv_err_nomem(err);
}

void mlv_metric_tables_fini(struct mlv_metric_tables *m)
{
	free(m->order);
	free(m->start);
	free(m->section);
	free(m->sections);
	free(m->one_row);
	free(m->table_of);
	*m = (struct mlv_metric_tables){ 0 };
}

/* ------------------------------------------------------------------ a table of them */

static const struct mlv_metric *metric_at(const struct mlv_metric_tables *m, size_t at)
{
	return &m->run->metrics.data[m->order[at]];
}

static bool add_total(struct mlv_table *t, const struct mlv_run *run, const struct mlv_metric *m)
{
	struct mlv_table_total total = { mlv_run_str(run, m->metric), m->value };
	return mlv_vec_push(&t->totals, total);
}

/* A column for each metric, in the order of their first row; totals go beside them. */
static bool metric_columns(struct mlv_table_builder *f, const struct mlv_metric_tables *m, size_t i,
			   struct mlv_map *columns)
{
	for (size_t k = m->start[i]; k < m->start[i + 1]; k++) {
		const struct mlv_metric *x = metric_at(m, k);
		if (is_total(m->run, x)) {
			if (!add_total(f->t, m->run, x))
				return false;
			continue;
		}
		if (mlv_map_find(columns, x->metric.i) || f->t->columns.len >= MOST_COLUMNS)
			continue;
		if (!mlv_table_column(f, mlv_run_str(m->run, x->metric).p, false) ||
		    !mlv_map_set(columns, x->metric.i, (uint32_t)f->t->columns.len - 1))
			return false;
	}
	return true;
}

static void title_of(const struct mlv_metric_tables *m, size_t i, char *title, size_t size)
{
	const struct mlv_section *s = &m->run->sections.data[m->section[i]];
	struct mlv_str name = mlv_run_str(m->run, s->title);
	if (m->sections[i] > 1) {
		snprintf(title, size, "%s: %" PRIu32 " reports", s->format, m->sections[i]);
		return;
	}
	int n = snprintf(title, size, "%s%s%.200s", s->format, name.n ? ": " : "", name.p);
	if (s->rank >= 0 && s->rank != m->run->rank)
		n += snprintf(title + n, size - (size_t)n, ", rank %" PRId64, s->rank);
	if (s->line)
		snprintf(title + n, size - (size_t)n, " (line %" PRIu32 ")", s->line);
}

/* Where many reports are rows of one table, what they are about does not tell them apart. */
static void subject_of(const struct mlv_metric_tables *m, size_t i, const struct mlv_metric *x,
		       char *text, size_t size)
{
	const struct mlv_section *s = &m->run->sections.data[x->section];
	char rank[32];
	int n = snprintf(text, size, "%.900s", mlv_run_str(m->run, x->subject).p);
	if (m->sections[i] == 1)
		return;
	snprintf(rank, sizeof(rank), "rank %" PRId64, s->rank);
	if (s->rank >= 0 && s->rank != m->run->rank && strcmp(text, rank) != 0)
		n += snprintf(text + n, size - (size_t)n, ", %s", rank);
	if (s->line)
		snprintf(text + n, size - (size_t)n, " (line %" PRIu32 ")", s->line);
}

/* Whether the column measures this quantity, and something of it. */
static bool tells(const struct mlv_table *t, size_t column, int quantity)
{
	for (size_t i = 0; i < t->rows.len; i++) {
		const struct mlv_cell *c = &t->cells.data[t->rows.data[i].first_cell + column];
		if (!c->present || !(c->value.mantissa || c->value.special))
			continue;
		if (quantity < 0 ||
		    (int)mlv_unit_quantity((enum mlv_unit)c->value.unit) == quantity)
			return true;
	}
	return false;
}

/* "Self CUDA", "Self XPU", …: the device's own time, whatever it is called. */
static bool is_device_time(const char *name)
{
	size_t n = strlen(name);
	return strncmp(name, "Self ", 5) == 0 && strncmp(name, "Self CPU", 8) != 0 &&
	       name[n - 1] != '%' && !(n > 4 && strcmp(name + n - 4, " Mem") == 0);
}

/* What a reader ranks a table by: time of its own, else time, else bytes, else the first column. */
static size_t natural_column(const struct mlv_table *t)
{
	static const char *const names[] = { "CUDA total", "Self CPU",  "Self CPU total",
					     "tottime",    "seconds",   "mean",
					     "wall",       "real",      "Elapsed (wall clock) time",
					     "abs max",    "Increment", "Peak Usage",
					     "peak" };
	for (size_t i = 0; i < t->columns.len; i++) {
		if (is_device_time(t->columns.data[i].name) && tells(t, i, MLV_DURATION))
			return i;
	}
	for (size_t k = 0; k < sizeof(names) / sizeof(names[0]); k++) {
		for (size_t i = 0; i < t->columns.len; i++) {
			if (strcmp(t->columns.data[i].name, names[k]) == 0 && tells(t, i, -1))
				return i;
		}
	}
	static const int quantities[] = { MLV_DURATION, MLV_BYTE_COUNT };
	for (size_t q = 0; q < 2; q++) {
		for (size_t i = 0; i < t->columns.len; i++) {
			if (tells(t, i, quantities[q]))
				return i;
		}
	}
	return 0;
}

enum mlv_rc mlv_table_metrics(struct mlv_table *t, const struct mlv_metric_tables *m, size_t i,
			      const struct mlv_table_options *o, struct mlv_err *err)
{
	struct mlv_table_builder f;
	struct mlv_map columns = { 0 };
	char title[300], subject[1000];
	title_of(m, i, title, sizeof(title));
	enum mlv_rc rc = mlv_table_begin(&f, t, title, NULL, 0, o, err);
	bool ok = !rc && metric_columns(&f, m, i, &columns);
	for (size_t k = m->start[i]; ok && k < m->start[i + 1]; k++) {
		const struct mlv_metric *x = metric_at(m, k);
		struct mlv_map_slot *column = mlv_map_find(&columns, x->metric.i);
		uint32_t ids[3] = { x->section, x->row, x->subject.i };
		uint64_t key = XXH3_64bits(ids, sizeof(ids));
		if (!column || is_total(m->run, x))
			continue;
		if (!mlv_table_has(&f, key))
			subject_of(m, i, x, subject, sizeof(subject));
		struct mlv_cell *c = mlv_table_row(&f, key, subject, x->line);
		ok = c != NULL;
		if (ok)
			c[column->value] = (struct mlv_cell){ true, x->value };
	}
	mlv_map_fini(&columns);
	return rc ? rc : mlv_table_end(&f, ok, ok ? natural_column(t) : 0, err);
}
