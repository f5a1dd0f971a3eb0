/* SPDX-License-Identifier: MIT */
#include "report/ci/budget_judge.h"

#include <string.h>
#include <strings.h>

#include "report/ci/budget_words.h"
#include "report/quantity.h"

/* A pattern may name each kernel of a trace: rows beyond these are counted only. */
enum { MOST_ROWS = 1000, MOST_FAILING_ROWS = 5000 };

struct judging {
	const struct mlv_budget_inputs *in;
	struct mlv_budget_results *r;
	size_t number; /* of the budget */
	const struct mlv_budget *b;
	size_t rows, left_out;
	bool nomem;
};

/* ------------------------------------------------------------------ which figures */

static bool subject_fits(const struct mlv_budget *b, const char *subject)
{
	bool whole = b->metric->subject == MLV_SUBJECT_WHOLE;
	if (!b->subject)
		return !whole || !*subject;
	return (!whole || *subject) && mlv_ci_matches(b->subject, subject);
}

static bool fits(const struct mlv_budget *b, const struct mlv_ci_figure *f)
{
	if (f->metric != b->metric || !subject_fits(b, f->subject))
		return false;
	if (b->metric->subject != MLV_SUBJECT_NAMED)
		return !b->input || mlv_ci_matches(b->input, f->input);
	bool column = b->column ? strcasecmp(b->column, f->column) == 0 : f->ranking;
	return column && (!b->input || mlv_ci_matches(b->input, f->input));
}

/* Whether two figures are of one thing, on whatever rank. What only one input tells of a rank may
 * have been told by another kind of input before. */
static bool alike(const struct mlv_ci_figure *a, const struct mlv_ci_figure *b)
{
	return a->metric == b->metric && strcmp(a->subject, b->subject) == 0 &&
	       strcmp(a->column, b->column) == 0 &&
	       (a->source != MLV_FROM_ANY || strcmp(a->format, b->format) == 0);
}

/* ------------------------------------------------------------------ values */

/* What is known is added up; what is not, or not whole, is remembered. */
static void take(struct mlv_budget_value *v, const struct mlv_ci_figure *f, enum mlv_budget_per per)
{
	bool more = !v->known || f->value > v->sum;
	v->count++;
	v->most = v->most ? v->most : f;
	if (!v->unknown && (!f->known || !f->complete))
		v->unknown = f;
	if (!f->known)
		return;
	if (per == MLV_PER_MAX && more)
		v->most = f;
	if (per == MLV_PER_MAX)
		v->sum = more ? f->value : v->sum;
	else if (__builtin_add_overflow(v->sum, f->value, &v->sum))
		v->unknown = f;
	v->of = per == MLV_PER_MEAN ? v->of + v->known : 1;
	v->known = true;
}

/* Where figures of this metric and subject begin in a settled list. */
static size_t begin_of(const struct mlv_ci_figures *list, const struct mlv_ci_figure *f)
{
	size_t low = 0, high = list->list.len;
	while (low < high) {
		size_t mid = low + (high - low) / 2;
		const struct mlv_ci_figure *x = &list->list.data[mid];
		bool before = x->metric != f->metric ? x->metric < f->metric
						     : strcmp(x->subject, f->subject) < 0;
		low = before ? mid + 1 : low;
		high = before ? high : mid;
	}
	return low;
}

static bool in_block(const struct mlv_ci_figures *list, size_t i, const struct mlv_ci_figure *f)
{
	return i < list->list.len && list->list.data[i].metric == f->metric &&
	       strcmp(list->list.data[i].subject, f->subject) == 0;
}

/* All figures of one thing as one. */
static struct mlv_budget_value together(const struct mlv_ci_figures *list,
					const struct mlv_ci_figure *of, const struct mlv_budget *b,
					bool now)
{
	struct mlv_budget_value v = { .of = 1 };
	for (size_t i = begin_of(list, of); in_block(list, i, of); i++) {
		const struct mlv_ci_figure *f = &list->list.data[i];
		/* Inputs of a baseline may be called otherwise. */
		if (alike(of, f) && (!now || fits(b, f)))
			take(&v, f, b->per);
	}
	return v;
}

static struct mlv_budget_value single(const struct mlv_ci_figure *f)
{
	struct mlv_budget_value v = { .of = 1 };
	take(&v, f, MLV_PER_RANK);
	return v;
}

static const struct mlv_ci_figure *in_baseline(const struct mlv_ci_figures *base,
					       const struct mlv_ci_figure *f)
{
	for (size_t i = begin_of(base, f); in_block(base, i, f); i++) {
		const struct mlv_ci_figure *x = &base->list.data[i];
		if (alike(f, x) && x->rank == f->rank && x->number == f->number)
			return x;
	}
	return NULL;
}

/* ------------------------------------------------------------------ comparing */

/* a * b > c * d; *large where that cannot be told. */
static bool exceeds(mlv_wide a, mlv_wide b, mlv_wide c, mlv_wide d, bool *large)
{
	mlv_wide left, right;
	*large |= __builtin_mul_overflow(a, b, &left) || __builtin_mul_overflow(c, d, &right);
	return !*large && left > right;
}

/* Of "5% and 64 MiB" both must be exceeded. */
static bool increased(const struct mlv_budget *b, const struct mlv_budget_value *now,
		      const struct mlv_budget_value *base, bool *large)
{
	mlv_wide a, c, change, both, whole;
	*large |= __builtin_mul_overflow((mlv_wide)now->sum, (mlv_wide)base->of, &a) ||
		  __builtin_mul_overflow((mlv_wide)base->sum, (mlv_wide)now->of, &c) ||
		  __builtin_sub_overflow(a, c, &change) ||
		  __builtin_mul_overflow((mlv_wide)now->of, (mlv_wide)base->of, &both) ||
		  __builtin_mul_overflow((mlv_wide)100 * MLV_PERCENT, change, &whole);
	if (*large)
		return false;
	if (b->has_share && !exceeds(whole, 1, b->share, c, large))
		return false;
	return !b->has_floor || exceeds(change, 1, b->floor, both, large);
}

/* The most that it may be, as a number to show: the comparison does without it. */
static double limit_of(const struct mlv_budget *b, const struct mlv_budget_value *base)
{
	double from = base ? (double)base->sum / (double)base->of : 0;
	if (b->absolute)
		return (double)b->max;
	double share = b->has_share ? from * (double)b->share / 100 / MLV_PERCENT : 0;
	double floor = b->has_floor ? (double)b->floor : 0;
	return from + (share > floor ? share : floor);
}

static double shown(const struct mlv_budget *b, double value)
{
	return b->metric->quantity == MLV_SHARE ? value / MLV_PERCENT : value;
}

/* ------------------------------------------------------------------ rows */

static void add(struct judging *g, struct mlv_budget_result row, const struct mlv_budget_row *words)
{
	row.budget = g->number;
	row.name = g->b->name;
	row.metric = g->b->metric->name;
	row.unit = mlv_quantity_unit(g->b->metric->quantity);
	row.fails =
		row.state == MLV_BUDGET_PASSED || (g->b->required && row.state != MLV_BUDGET_KEPT);
	if (g->rows >= (row.fails ? MOST_FAILING_ROWS : MOST_ROWS)) {
		g->left_out++;
		return;
	}
	g->rows++;
	row.message = mlv_budget_message(g->r, g->b, words);
	g->nomem = g->nomem || !row.message || !mlv_vec_push(&g->r->list, row);
}

/* One value, and what it is held against. `base` may be NULL: `why` says so. */
static void judge_value(struct judging *g, const struct mlv_ci_figure *f,
			const struct mlv_budget_value *now, const struct mlv_budget_value *base,
			const char *why)
{
	const struct mlv_budget *b = g->b;
	struct mlv_budget_result row = { .subject = f->subject,
					 .rank = b->per == MLV_PER_RANK ? f->rank : -1,
					 .input = *f->input ? f->input : NULL,
					 .picture = f->picture };
	struct mlv_budget_row words = { .figure = f, .now = now, .base = base };
	bool large = false, passed = false;
	row.has_actual = now->known;
	row.has_baseline = base && base->known;
	row.actual = shown(b, (double)now->sum / (double)now->of);
	row.baseline = base ? shown(b, (double)base->sum / (double)base->of) : 0;
	row.has_limit = b->absolute || row.has_baseline;
	row.limit = row.has_limit ? shown(b, limit_of(b, base)) : 0;
	words.limit = limit_of(b, base);
	if (now->unknown) {
		words.why = now->unknown->why;
		row.state = MLV_BUDGET_UNKNOWN;
	} else if (!b->absolute && !base) {
		words.why = why;
		row.state = MLV_BUDGET_NOTICE;
	} else if (!b->absolute && base->unknown) {
		words.why = "the baseline's is not known whole";
		row.state = MLV_BUDGET_UNKNOWN;
	} else {
		passed = b->absolute ? exceeds(now->sum, 1, b->max, now->of, &large)
				     : increased(b, now, base, &large);
		row.state = large    ? MLV_BUDGET_UNKNOWN
			    : passed ? MLV_BUDGET_PASSED
				     : MLV_BUDGET_KEPT;
		words.why = large ? "the figures are too large" : NULL;
	}
	words.state = row.state;
	add(g, row, &words);
}

static void judge_one(struct judging *g, const struct mlv_ci_figure *f)
{
	const struct mlv_ci_figures *all = g->in->baseline;
	const struct mlv_ci_figure *x = all ? in_baseline(all, f) : NULL;
	struct mlv_budget_value now = single(f), base = { .of = 1 };
	if (x)
		base = single(x);
	judge_value(g, f, &now, x ? &base : NULL,
		    all ? "the baseline does not have it" : g->in->no_baseline);
}

/* Of several ranks: once, at the first figure of its kind. */
static void judge_group(struct judging *g, const struct mlv_ci_figure *f)
{
	const struct mlv_ci_figures *all = g->in->baseline;
	const char *why = all ? "the baseline does not have it" : g->in->no_baseline;
	struct mlv_budget_value now = together(g->in->now, f, g->b, true), base = { .of = 1 };
	if (all)
		base = together(all, f, g->b, false);
	if (base.count && base.count != now.count && g->b->per == MLV_PER_SUM) {
		base.count = 0;
		why = "the baseline is of another number of ranks";
	}
	judge_value(g, now.most, &now, base.count ? &base : NULL, why);
}

static bool comes_first(const struct judging *g, size_t i)
{
	const struct mlv_ci_figure *f = &g->in->now->list.data[i];
	for (size_t k = begin_of(g->in->now, f); k < i; k++) {
		const struct mlv_ci_figure *x = &g->in->now->list.data[k];
		if (alike(f, x) && fits(g->b, x))
			return false;
	}
	return true;
}

static void judge(struct judging *g)
{
	bool any = false;
	for (size_t i = 0; i < g->in->now->list.len && !g->nomem; i++) {
		const struct mlv_ci_figure *f = &g->in->now->list.data[i];
		if (!fits(g->b, f))
			continue;
		any = true;
		if (g->b->per == MLV_PER_RANK)
			judge_one(g, f);
		else if (comes_first(g, i))
			judge_group(g, f);
	}
	struct mlv_budget_result row = { .subject = g->b->subject ? g->b->subject : "",
					 .rank = -1,
					 .state = MLV_BUDGET_NOTICE };
	struct mlv_budget_row words = { .state = MLV_BUDGET_NOTICE,
					.why = "nothing in the inputs measures it" };
	if (!any)
		add(g, row, &words);
	if (g->left_out) {
		row.state = MLV_BUDGET_KEPT;
		words = (struct mlv_budget_row){ .left_out = g->left_out };
		g->rows = 0;
		add(g, row, &words);
	}
}

enum mlv_rc mlv_budgets_judge(struct mlv_budget_results *r, const struct mlv_budget_inputs *in,
			      struct mlv_err *err)
{
	*r = (struct mlv_budget_results){ 0 };
	for (size_t i = 0; i < in->budgets->list.len; i++) {
		struct judging g = {
			.in = in, .r = r, .number = i, .b = &in->budgets->list.data[i]
		};
		judge(&g);
		if (g.nomem)
			return mlv_err_nomem(err);
	}
	return MLV_OK;
}
