/* SPDX-License-Identifier: MIT */
/* What became of budgets, as JSON, as text and as findings. */
#include <inttypes.h>
#include <string.h>

#include "report/ci/budget_result.h"
#include "report/ci/number.h"

static void number_or_null(struct mlv_json *j, const char *key, bool has, double v)
{
	mlv_json_key(j, key);
	if (has)
		mlv_ci_number(j, v);
	else
		mlv_json_null(j);
}

void mlv_budget_results_json(const struct mlv_budget_results *r, struct mlv_json *j)
{
	mlv_json_key_array(j, "budgets");
	for (size_t i = 0; r && i < r->list.len; i++) {
		const struct mlv_budget_result *one = &r->list.data[i];
		mlv_json_object(j);
		mlv_json_key_text(j, "name", one->name);
		mlv_json_key_text(j, "metric", one->metric);
		mlv_json_key_text(j, "subject", one->subject);
		mlv_json_key(j, "rank");
		if (one->rank >= 0)
			mlv_json_int(j, one->rank);
		else
			mlv_json_null(j);
		mlv_json_key_text(j, "state", mlv_budget_state_name(one->state));
		mlv_json_key_bool(j, "fails", one->fails);
		number_or_null(j, "actual", one->has_actual, one->actual);
		number_or_null(j, "limit", one->has_limit, one->limit);
		number_or_null(j, "baseline", one->has_baseline, one->baseline);
		mlv_json_key_text(j, "unit", one->unit);
		mlv_json_key_text(j, "message", one->message);
		mlv_json_key_text(j, "input", one->input);
		mlv_json_key_text(j, "picture", one->picture);
		mlv_json_object_end(j);
	}
	mlv_json_array_end(j);
}

void mlv_budget_results_text(const struct mlv_budget_results *r, size_t top, struct mlv_buf *out)
{
	size_t kept = 0, told = 0, untold = 0;
	/* What fails first. */
	for (unsigned pass = 0; pass < 2; pass++) {
		for (size_t i = 0; i < r->list.len; i++) {
			const struct mlv_budget_result *one = &r->list.data[i];
			bool is_kept = one->state == MLV_BUDGET_KEPT;
			kept += pass && is_kept;
			if (is_kept || one->fails != !pass)
				continue;
			if (told >= top) {
				untold++;
				continue;
			}
			told++;
			bool required = one->fails && one->state != MLV_BUDGET_PASSED;
			mlv_buf_printf(out, "  budget %s: ",
				       required ? "not judged" : mlv_budget_state_name(one->state));
			mlv_buf_safe(out, mlv_str_of(one->name));
			mlv_buf_puts(out, ": ");
			mlv_buf_safe(out, mlv_str_of(one->message));
			mlv_buf_putc(out, '\n');
		}
	}
	if (untold)
		mlv_buf_printf(out, "  and %zu more; report.json has all\n", untold);
	mlv_buf_printf(out, "  budgets: %zu of %zu kept\n", kept, r->list.len);
}

/* ------------------------------------------------------------------ findings */

/* How far a row is beyond what it may be, as a ratio. */
static double excess(const struct mlv_budget_result *r)
{
	if (!r->has_actual || !r->has_limit)
		return 0;
	return r->limit > 0 ? r->actual / r->limit : r->actual;
}

static bool one_thing(const struct mlv_budget_result *a, const struct mlv_budget_result *b)
{
	return a->budget == b->budget && strcmp(a->subject, b->subject) == 0;
}

/* "0, 2-3": rows of one thing come by ascending rank. */
static void add_rank(struct mlv_buf *out, int64_t rank, int64_t *first, int64_t *last)
{
	if (rank >= 0 && (rank == *last || rank == *last + 1) && *last >= 0) {
		*last = rank;
		return;
	}
	if (*last >= 0) {
		mlv_buf_printf(out, "%s%" PRId64, out->len ? ", " : "", *first);
		if (*last > *first)
			mlv_buf_printf(out, "-%" PRId64, *last);
	}
	*first = *last = rank;
}

static void add_finding(struct mlv_ci_findings *f, const struct mlv_budget_result *rows, size_t n)
{
	enum { MOST_DETAILS = 8 };
	const struct mlv_budget_result *worst = NULL;
	struct mlv_buf ranks = { 0 };
	int64_t first = -1, last = -1;
	for (size_t i = 0; i < n; i++) {
		if (!rows[i].fails)
			continue;
		worst = worst && excess(worst) >= excess(&rows[i]) ? worst : &rows[i];
		add_rank(&ranks, rows[i].rank, &first, &last);
	}
	add_rank(&ranks, -1, &first, &last);
	struct mlv_ci_finding *one = worst ? mlv_ci_finding_add(f, "budget") : NULL;
	if (one) {
		one->message = mlv_ci_text(
			f, "budget %s %s: %s", worst->name,
			worst->state == MLV_BUDGET_PASSED ? "was passed" : "could not be judged",
			worst->message);
		one->subject = mlv_ci_text(f, "%s%s%s", worst->name, *worst->subject ? " " : "",
					   worst->subject);
		one->ranks = mlv_ci_text(f, "%s", ranks.data ? ranks.data : "");
		one->metric = worst->metric;
		one->unit = worst->unit;
		one->has_actual = worst->has_actual;
		one->actual = worst->actual;
		one->has_limit = worst->has_limit;
		one->limit = worst->limit;
		one->input = worst->input ? mlv_ci_text(f, "%s", worst->input) : NULL;
		one->picture = worst->picture ? mlv_ci_text(f, "%s", worst->picture) : NULL;
		one->weight = excess(worst);
	}
	for (size_t i = 0; one && i < n && one->details.len < MOST_DETAILS; i++)
		if (rows[i].fails && &rows[i] != worst)
			mlv_ci_detail(f, one, mlv_ci_text(f, "%s", rows[i].message));
	f->failed |= ranks.failed;
	mlv_buf_fini(&ranks);
}

void mlv_budget_results_findings(const struct mlv_budget_results *r, struct mlv_ci_findings *f)
{
	for (size_t i = 0, n; i < r->list.len; i += n) {
		for (n = 1;
		     i + n < r->list.len && one_thing(&r->list.data[i], &r->list.data[i + n]);)
			n++;
		add_finding(f, &r->list.data[i], n);
	}
}
