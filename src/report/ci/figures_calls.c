/* SPDX-License-Identifier: MIT */
/* Figures of calls, operators, kernels and commands: of tables, traces and lists of calls. */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "analysis/metric_tables.h"
#include "base/utf8.h"
#include "report/ci/figures.h"

/* Longer names are cut: budgets are about shorter ones. */
enum { SUBJECT = 400 };

/* ------------------------------------------------------------------ what is asked for */

/* Whether a budget names this; a trace has thousands of names that none does. */
static bool named(const struct mlv_ci_gather *g, const char *metric, const char *subject)
{
	const struct mlv_budgets *b = g->f->budgets;
	for (size_t i = 0; b && i < b->list.len; i++) {
		const struct mlv_budget *one = &b->list.data[i];
		if (strcmp(one->metric->name, metric) == 0 && one->subject &&
		    mlv_ci_matches(one->subject, subject))
			return true;
	}
	return false;
}

static bool asked_column(const struct mlv_ci_gather *g, const char *column)
{
	const struct mlv_budgets *b = g->f->budgets;
	for (size_t i = 0; b && i < b->list.len; i++)
		if (b->list.data[i].column && strcasecmp(b->list.data[i].column, column) == 0)
			return true;
	return false;
}

/* Whether a budget is about this metric at all. */
static bool asked(const struct mlv_ci_gather *g, const char *metric)
{
	const struct mlv_budgets *b = g->f->budgets;
	for (size_t i = 0; b && i < b->list.len; i++)
		if (strcmp(b->list.data[i].metric->name, metric) == 0)
			return true;
	return false;
}

/* ------------------------------------------------------------------ time of calls */

/*
 * Rows of one name are parts of one subject, such as one operator on several
 * shapes, or one name on the host and on a device.
 */
static void add_time(struct mlv_ci_gather *g, const struct mlv_table *t, size_t row, size_t column,
		     int64_t rank)
{
	const struct mlv_table_row *r = &t->rows.data[row];
	const struct mlv_cell *c = &t->cells.data[r->first_cell + column];
	int64_t ns;
	if (!c->present || !mlv_decimal_ns(c->value, &ns))
		return;
	char name[SUBJECT];
	mlv_utf8_fit(name, sizeof(name), r->subject.p, r->subject.n);
	if (!named(g, "call_time", name))
		return;
	const char *subject = mlv_ci_figures_text(g->f, mlv_str_of(name));
	struct mlv_ci_figure *one = mlv_ci_figure_add(g, "call_time", rank, subject, ns);
	if (!one)
		return;
	one->part = true;
	one->ranking = column == t->by;
	one->column = mlv_ci_figures_text(g->f, mlv_str_of(t->columns.data[column].name));
}

static void times(struct mlv_ci_gather *g, const struct mlv_table *t, int64_t rank)
{
	for (size_t c = 0; c < t->columns.len; c++) {
		if (c != t->by && !asked_column(g, t->columns.data[c].name))
			continue;
		for (size_t r = 0; r < t->rows.len; r++)
			add_time(g, t, r, c, rank);
	}
}

/* ------------------------------------------------------------------ failed calls */

/* Of strace -c, whose column counts them. */
static void errors_of_table(struct mlv_ci_gather *g, const struct mlv_table *t, int64_t rank)
{
	size_t column = t->columns.len;
	int64_t all = 0;
	for (size_t c = 0; c < t->columns.len; c++)
		if (strcmp(t->columns.data[c].name, "errors") == 0)
			column = c;
	for (size_t r = 0; column < t->columns.len && r < t->rows.len; r++) {
		const struct mlv_table_row *row = &t->rows.data[r];
		const struct mlv_cell *cell = &t->cells.data[row->first_cell + column];
		if (!cell->present || cell->value.exponent || cell->value.special ||
		    __builtin_add_overflow(all, cell->value.mantissa, &all))
			continue;
		const char *subject = mlv_ci_figures_text(g->f, row->subject);
		if (named(g, "failed_calls", subject))
			mlv_ci_figure_add(g, "failed_calls", rank, subject, cell->value.mantissa);
	}
	if (column < t->columns.len)
		mlv_ci_figure_add(g, "failed_calls", rank, "", all);
}

/* Of strace: "openat ENOENT", and all together. A trace of kernels tells of no failures. */
static void errors_of_spans(struct mlv_ci_gather *g)
{
	const struct mlv_run *run = g->run;
	bool calls = false;
	int64_t all = 0;
	char subject[200];
	for (size_t i = 0; i < run->spans.len; i++) {
		const struct mlv_span *s = &run->spans.data[i];
		calls = calls || mlv_str_eq(mlv_run_str(run, s->category), MLV_STR("syscall"));
		if (!mlv_span_failed(run, s))
			continue;
		all++;
		snprintf(subject, sizeof(subject), "%.120s %.60s", mlv_run_str(run, s->name).p,
			 mlv_run_str(run, s->status).p);
		if (!named(g, "failed_calls", subject))
			continue;
		struct mlv_ci_figure *one =
			mlv_ci_figure_add(g, "failed_calls", run->rank,
					  mlv_ci_figures_text(g->f, mlv_str_of(subject)), 1);
		if (one)
			one->part = true;
	}
	if (calls || all)
		mlv_ci_figure_add(g, "failed_calls", run->rank, "", all);
}

/* ------------------------------------------------------------------ commands */

/* What tools call the wall time of a command, and the most memory that it had resident. */
static const struct {
	const char *name, *metric;
} measures[] = {
	{ "Elapsed (wall clock) time", "wall_time" },
	{ "real", "wall_time" },
	{ "wall", "wall_time" },
	{ "Child wall", "wall_time" },
	{ "median", "wall_time" }, /* of hyperfine */
	{ "Maximum resident set size", "max_rss" },
	{ "maximum resident set size", "max_rss" },
	{ "child_RSS_high", "max_rss" },
};

static const char *subject_of_section(struct mlv_ci_gather *g, const struct mlv_metric *m)
{
	struct mlv_str title = mlv_run_str(g->run, g->run->sections.data[m->section].title);
	struct mlv_str subject = mlv_run_str(g->run, m->subject);
	bool plain = mlv_str_eq(subject, MLV_STR("command"));
	return mlv_ci_figures_text(g->f, plain && title.n ? title : subject);
}

static void commands(struct mlv_ci_gather *g)
{
	for (size_t i = 0; i < g->run->metrics.len; i++) {
		const struct mlv_metric *m = &g->run->metrics.data[i];
		const struct mlv_section *s = &g->run->sections.data[m->section];
		struct mlv_str name = mlv_run_str(g->run, m->metric);
		int64_t value;
		for (size_t k = 0; k < sizeof(measures) / sizeof(*measures); k++) {
			bool time = strcmp(measures[k].metric, "wall_time") == 0;
			if (!mlv_str_eq(name, mlv_str_of(measures[k].name)) ||
			    !(time ? mlv_decimal_ns(m->value, &value)
				   : mlv_decimal_bytes(m->value, &value)))
				continue;
			mlv_ci_figure_add(g, measures[k].metric,
					  s->rank >= 0 ? s->rank : g->run->rank,
					  subject_of_section(g, m), value);
		}
	}
}

/* ------------------------------------------------------------------ all of one run */

static enum mlv_rc tables(struct mlv_ci_gather *g, struct mlv_err *err)
{
	struct mlv_metric_tables m;
	struct mlv_table_options o = { .by = NULL };
	enum mlv_rc rc = mlv_metric_tables_init(&m, g->run, err);
	if (rc)
		return rc;
	for (size_t i = 0; !rc && i < m.count; i++) {
		struct mlv_table t;
		int64_t rank = g->run->sections.data[m.section[i]].rank;
		g->table++;
		rc = mlv_table_metrics(&t, &m, i, &o, err);
		if (rc)
			break;
		times(g, &t, rank >= 0 ? rank : g->run->rank);
		errors_of_table(g, &t, rank >= 0 ? rank : g->run->rank);
		mlv_table_fini(&t);
	}
	mlv_metric_tables_fini(&m);
	return rc;
}

static enum mlv_rc spans(struct mlv_ci_gather *g, struct mlv_err *err)
{
	struct mlv_table t;
	struct mlv_table_options o = { .by = NULL };
	enum mlv_rc rc = mlv_table_spans(&t, g->run, &o, err);
	if (rc)
		return rc;
	g->table++;
	times(g, &t, g->run->rank);
	mlv_table_fini(&t);
	return MLV_OK;
}

enum mlv_rc mlv_ci_figures_calls(struct mlv_ci_gather *g, struct mlv_err *err)
{
	bool times_asked = asked(g, "call_time");
	enum mlv_rc rc = MLV_OK;
	if (times_asked || asked(g, "failed_calls"))
		rc = tables(g, err);
	if (!rc && times_asked && g->run->spans.len)
		rc = spans(g, err);
	g->table++;
	errors_of_spans(g);
	commands(g);
	return rc;
}
