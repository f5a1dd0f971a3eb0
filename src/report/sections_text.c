/* SPDX-License-Identifier: MIT */
#include "report/sections_text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/metric_tables.h"
#include "base/num.h"
#include "report/table_text.h"

enum { SECTIONS = 48, LEADING = 3 };

/* ------------------------------------------------------------------ figures */

/* "most Self CUDA: aten::mm 324.195 us, aten::add 12.000 us" */
static void leading_rows(const struct mlv_table *t, struct mlv_buf *out)
{
	char text[64];
	if (!t->rows.len)
		return;
	mlv_buf_puts(out, "    most ");
	mlv_buf_safe(out, (struct mlv_str){ t->columns.data[t->by].name,
					    strlen(t->columns.data[t->by].name) });
	for (size_t i = 0; i < t->rows.len && i < LEADING; i++) {
		const struct mlv_cell *c = &t->cells.data[t->rows.data[i].first_cell + t->by];
		if (!c->present)
			break;
		mlv_buf_puts(out, i ? ", " : ": ");
		mlv_buf_safe(out, t->rows.data[i].subject);
		mlv_cell_text(*c, false, text, sizeof(text));
		mlv_buf_printf(out, " %s", text);
	}
	mlv_buf_putc(out, '\n');
}

static void table_lines(const struct mlv_metric_tables *m, size_t table, struct mlv_buf *out)
{
	const struct mlv_table_options o = { 0 };
	struct mlv_table t;
	if (mlv_table_metrics(&t, m, table, &o, NULL))
		return;
	leading_rows(&t, out);
	if (t.totals.len) {
		mlv_buf_puts(out, "    total: ");
		mlv_totals_text(&t, out);
		mlv_buf_putc(out, '\n');
	}
	mlv_table_fini(&t);
}

/* What is zero goes without saying, but for how a command ended. */
static bool says_something(const struct mlv_run *run, const struct mlv_metric *x)
{
	return x->value.mantissa || x->value.special ||
	       mlv_str_contains(mlv_run_str(run, x->metric), MLV_STR("Exit status")) ||
	       mlv_str_contains(mlv_run_str(run, x->metric), MLV_STR("errors"));
}

/* "User time 12.34 s, Maximum resident set size 123456 KiB" of the one row of a section. */
static void figures_line(const struct mlv_metric_tables *m, size_t table, uint32_t section,
			 struct mlv_buf *out)
{
	const struct mlv_run *run = m->run;
	char text[64];
	bool any = false;
	for (size_t k = m->start[table]; k < m->start[table + 1]; k++) {
		const struct mlv_metric *x = &run->metrics.data[m->order[k]];
		struct mlv_cell cell = { true, x->value };
		if (x->section != section || !says_something(run, x))
			continue;
		mlv_buf_puts(out, any ? ", " : "    ");
		mlv_buf_safe(out, mlv_run_str(run, x->metric));
		mlv_cell_text(cell, false, text, sizeof(text));
		mlv_buf_printf(out, " %s", text);
		any = true;
	}
	if (any)
		mlv_buf_putc(out, '\n');
}

/* ------------------------------------------------------------------ sections */

static void heading(const struct mlv_run *run, const struct mlv_section *s, struct mlv_buf *out)
{
	mlv_buf_puts(out, "  ");
	if (s->line)
		mlv_buf_printf(out, "line %" PRIu32 ": ", s->line);
	mlv_buf_puts(out, s->format);
	if (s->rank >= 0 && s->rank != run->rank)
		mlv_buf_printf(out, ", rank %" PRId64, s->rank);
	if (s->title.i) {
		mlv_buf_puts(out, ": ");
		mlv_buf_safe(out, mlv_run_str(run, s->title));
	}
}

static void count(uint64_t n, const char *noun, struct mlv_buf *out)
{
	char a[MLV_NUM_SIZE];
	if (n)
		mlv_buf_printf(out, " (%s %s%s)", mlv_fmt_count(a, sizeof(a), n), noun,
			       n == 1 ? "" : "s");
}

struct place {
	uint32_t line, section;
};

static int by_line(const void *pa, const void *pb)
{
	const struct place *a = pa, *b = pb;
	if (a->line != b->line)
		return a->line < b->line ? -1 : 1;
	return (a->section > b->section) - (a->section < b->section);
}

static void section_text(const struct mlv_metric_tables *m, uint32_t section, struct mlv_buf *out)
{
	const struct mlv_section *s = &m->run->sections.data[section];
	uint32_t table = m->table_of[section];
	bool figures = table != UINT32_MAX, many = figures && !m->one_row[table];
	heading(m->run, s, out);
	if (many || !figures)
		count(s->rows, many ? "row" : s->noun ? s->noun : "finding", out);
	mlv_buf_putc(out, '\n');
	if (many)
		table_lines(m, table, out);
	else if (figures)
		figures_line(m, table, section, out);
}

void mlv_sections_text(const struct mlv_run *run, struct mlv_buf *out)
{
	struct mlv_metric_tables m;
	size_t n = run->sections.len;
	struct place *order = malloc((n + 1) * sizeof(*order));
	if (!order || mlv_metric_tables_init(&m, run, NULL)) {
		free(order);
		out->failed = true;
		return;
	}
	for (uint32_t i = 0; i < n; i++)
		order[i] = (struct place){ run->sections.data[i].line, i };
	qsort(order, n, sizeof(*order), by_line);
	for (size_t i = 0; i < n && i < SECTIONS; i++)
		section_text(&m, order[i].section, out);
	if (n > SECTIONS)
		mlv_buf_printf(out, "  and %zu more\n", n - SECTIONS);
	mlv_metric_tables_fini(&m);
	free(order);
}

/* ------------------------------------------------------------------ ranks */

static bool next_rank(struct mlv_str *s, uint64_t *n)
{
	size_t i = 0;
	*n = 0;
	while (i < s->n && s->p[i] >= '0' && s->p[i] <= '9' && i < 10)
		*n = *n * 10 + (uint64_t)(s->p[i++] - '0');
	if (!i || (i < s->n && s->p[i] != ','))
		return false;
	i += i < s->n;
	s->p += i;
	s->n -= i;
	return true;
}

void mlv_ranks_text(struct mlv_str members, struct mlv_buf *out)
{
	const char *comma = "";
	uint64_t first, n;
	struct mlv_str rest = members;
	while (rest.n && next_rank(&rest, &n))
		;
	/* Elided or otherwise no list of numbers: as it is. */
	if (rest.n) {
		mlv_buf_safe(out, members);
		return;
	}
	while (members.n && next_rank(&members, &first)) {
		uint64_t last = first;
		rest = members;
		while (rest.n && next_rank(&rest, &n) && n == last + 1) {
			last = n;
			members = rest;
		}
		if (last < first + 2)
			mlv_buf_printf(out, "%s%" PRIu64, comma, first);
		else
			mlv_buf_printf(out, "%s%" PRIu64 "-%" PRIu64, comma, first, last);
		if (last == first + 1)
			mlv_buf_printf(out, ",%" PRIu64, last);
		comma = ",";
	}
}
