/* SPDX-License-Identifier: MIT */
#include "report/ci/figures.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"

void mlv_ci_figures_init(struct mlv_ci_figures *f, const struct mlv_budgets *budgets)
{
	*f = (struct mlv_ci_figures){ .budgets = budgets };
}

void mlv_ci_figures_fini(struct mlv_ci_figures *f)
{
	mlv_vec_free(&f->list);
	mlv_arena_fini(&f->texts);
}

const char *mlv_ci_figures_text(struct mlv_ci_figures *f, struct mlv_str s)
{
	struct mlv_buf safe = { 0 };
	/* As a baseline file holds it, so that it is found there again. */
	mlv_buf_safe(&safe, s);
	const char *copy = safe.len ? mlv_arena_strndup(&f->texts, safe.data, safe.len) : "";
	f->failed |= !copy || safe.failed;
	mlv_buf_fini(&safe);
	return copy ? copy : "";
}

struct mlv_ci_figure *mlv_ci_figure_add(struct mlv_ci_gather *g, const char *metric, int64_t rank,
					const char *subject, int64_t value)
{
	struct mlv_ci_figure one = { .metric = mlv_ci_metric_find(metric),
				     .rank = rank,
				     .subject = subject,
				     .column = "",
				     .format = g->run ? g->run->format : "",
				     .input = g->name,
				     .source = g->source,
				     .table = g->table,
				     .known = true,
				     .complete = true,
				     .why = "",
				     .value = value };
	if (!mlv_vec_push(&g->f->list, one)) {
		g->f->failed = true;
		return NULL;
	}
	return &g->f->list.data[g->f->list.len - 1];
}

enum mlv_rc mlv_ci_figures_run(struct mlv_ci_figures *f, const struct mlv_run *run,
			       const char *name, struct mlv_err *err)
{
	struct mlv_ci_gather g = { .f = f, .run = run, .source = MLV_FROM_ANY };
	g.name = mlv_ci_figures_text(f, mlv_str_of(name));
	enum mlv_rc rc = mlv_ci_figures_memory(&g, err);
	g.source = MLV_FROM_ANY;
	if (!rc)
		rc = mlv_ci_figures_calls(&g, err);
	return rc ? rc : f->failed ? mlv_err_nomem(err) : MLV_OK;
}

void mlv_ci_figures_waits(struct mlv_ci_figures *f, const struct mlv_evidence *e,
			  const struct mlv_stragglers *s)
{
	struct mlv_ci_gather g = { .f = f, .name = "", .source = MLV_FROM_ANY };
	if (s->why_not)
		return;
	for (uint32_t row = 0; row < e->ranks.len; row++) {
		int64_t waited = 0;
		for (size_t i = 0; i < s->list.len; i++)
			if (s->list.data[i].rank == row)
				waited = s->list.data[i].caused_ns;
		mlv_ci_figure_add(&g, "collective_wait", e->ranks.data[row].rank, "", waited);
	}
}

void mlv_ci_figures_findings(struct mlv_ci_figures *f, const struct mlv_ci_findings *findings)
{
	static const char *const severities[] = { "notes", "warnings", "errors" };
	struct mlv_ci_gather g = { .f = f, .name = "", .source = MLV_FROM_ANY };
	int64_t by_severity[3] = { 0 }, all = 0;
	for (size_t r = 0; r < mlv_rule_count; r++) {
		int64_t of_rule = 0;
		/* Changes are those from whatever baseline was given: alone they are a count. */
		bool counts = strcmp(mlv_rules[r].id, "change") != 0;
		for (size_t i = 0; i < findings->list.len; i++) {
			const struct mlv_ci_finding *one = &findings->list.data[i];
			if (one->rule != &mlv_rules[r])
				continue;
			of_rule++;
			by_severity[one->severity] += counts;
		}
		all += counts ? of_rule : 0;
		mlv_ci_figure_add(&g, "findings", -1, mlv_rules[r].id, of_rule);
	}
	for (unsigned s = 0; s < 3; s++)
		mlv_ci_figure_add(&g, "findings", -1, severities[s], by_severity[s]);
	mlv_ci_figure_add(&g, "findings", -1, "", all);
}

/* ------------------------------------------------------------------ settling */

static int order(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

/* What a figure is of: those that are equal in it differ in their input alone. */
static int by_identity(const struct mlv_ci_figure *a, const struct mlv_ci_figure *b)
{
	if (a->metric != b->metric)
		return a->metric < b->metric ? -1 : 1;
	int n = strcmp(a->subject, b->subject);
	n = n ? n : order(a->source, b->source);
	n = n ? n : strcmp(a->format, b->format);
	n = n ? n : strcmp(a->column, b->column);
	return n ? n : order(a->rank, b->rank);
}

static int compare(const void *pa, const void *pb)
{
	const struct mlv_ci_figure *a = pa, *b = pb;
	int n = by_identity(a, b);
	n = n ? n : strcmp(a->input, b->input);
	n = n ? n : order(a->table, b->table);
	/* A stable order of rows of one name. */
	n = n ? n : order(b->known, a->known);
	return n ? n : order(b->value, a->value);
}

/* Of one metric and rank: what is known, then what is complete, then the best source. */
static int by_source(const void *pa, const void *pb)
{
	const struct mlv_ci_figure *a = pa, *b = pb;
	if (a->metric != b->metric)
		return a->metric < b->metric ? -1 : 1;
	int n = order(a->rank, b->rank);
	n = n ? n : order(b->known, a->known);
	n = n ? n : order(b->complete, a->complete);
	n = n ? n : order(a->source, b->source);
	return n ? n : compare(pa, pb);
}

/*
 * A recording tells the peak of a rank, and so does a log beside it: the
 * recording's is taken, unless it began late and the log did not.
 */
static void drop_worse(struct mlv_ci_figures *f)
{
	const struct mlv_ci_metric *metric = NULL;
	int64_t rank = 0;
	enum mlv_source_of best = MLV_FROM_ANY;
	size_t kept = 0;
	qsort(f->list.data, f->list.len, sizeof(*f->list.data), by_source);
	for (size_t i = 0; i < f->list.len; i++) {
		const struct mlv_ci_figure one = f->list.data[i];
		if (one.metric != metric || one.rank != rank)
			best = one.source;
		metric = one.metric;
		rank = one.rank;
		if (one.source == best)
			f->list.data[kept++] = one;
	}
	f->list.len = kept;
}

/* Of sorted figures: parts of one stand side by side. */
static void join_parts(struct mlv_ci_figures *f)
{
	size_t kept = 0;
	for (size_t i = 0; i < f->list.len; i++) {
		const struct mlv_ci_figure *one = &f->list.data[i];
		struct mlv_ci_figure *whole = kept ? &f->list.data[kept - 1] : NULL;
		if (!whole || !one->part || !whole->part || by_identity(whole, one) != 0 ||
		    whole->table != one->table || strcmp(whole->input, one->input) != 0) {
			f->list.data[kept++] = *one;
			continue;
		}
		if (__builtin_add_overflow(whole->value, one->value, &whole->value)) {
			whole->known = false;
			whole->why = "the sum is too large";
		}
	}
	f->list.len = kept;
}

void mlv_ci_figures_sort(struct mlv_ci_figures *f)
{
	if (f->list.len)
		qsort(f->list.data, f->list.len, sizeof(*f->list.data), compare);
}

void mlv_ci_figures_settle(struct mlv_ci_figures *f)
{
	if (!f->list.len)
		return;
	drop_worse(f);
	mlv_ci_figures_sort(f);
	join_parts(f);
	for (size_t i = 1; i < f->list.len; i++) {
		struct mlv_ci_figure *one = &f->list.data[i];
		if (by_identity(one - 1, one) == 0)
			one->number = one[-1].number + 1;
	}
}
