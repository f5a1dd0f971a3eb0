/* SPDX-License-Identifier: MIT */
#include "report/ci/budget_words.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/buf.h"
#include "base/utf8.h"
#include "report/quantity.h"

enum { LONGEST_SUBJECT = 160 };

static void amount(struct mlv_buf *out, const struct mlv_budget *b, double value)
{
	char text[80];
	if (fabs(value) > 9e18)
		value = value > 0 ? 9e18 : -9e18;
	mlv_quantity_words(b->metric->quantity, llround(value), text, sizeof(text));
	mlv_buf_puts(out, text);
}

static double value_of(const struct mlv_budget_value *v)
{
	return (double)v->sum / (double)v->of;
}

/* "aten::mm, Self CUDA, rank 3: time in calls" */
static void head(struct mlv_buf *out, const struct mlv_budget *b, const struct mlv_budget_row *row)
{
	const struct mlv_ci_figure *f = row->figure;
	const char *subject = f ? f->subject : b->subject ? b->subject : "";
	char name[LONGEST_SUBJECT];
	mlv_utf8_fit(name, sizeof(name), subject, strlen(subject));
	bool rank = f && b->per == MLV_PER_RANK && f->rank >= 0;
	mlv_buf_puts(out, name);
	if (f && *f->column)
		mlv_buf_printf(out, ", %s", f->column);
	if (rank)
		mlv_buf_printf(out, "%srank %" PRId64, *name ? ", " : "", f->rank);
	else if (row->now && b->per != MLV_PER_RANK && row->now->count > 1)
		mlv_buf_printf(out, "%s%s of %" PRId64 " ranks", *name ? ", " : "",
			       mlv_budget_per_name(b->per), row->now->count);
	if (out->len)
		mlv_buf_puts(out, ": ");
	mlv_buf_puts(out, b->metric->label);
}

/* "+5 %", "+64.0 MiB", "+5 % and 64.0 MiB" */
static void allowed(struct mlv_buf *out, const struct mlv_budget *b)
{
	char text[80];
	mlv_buf_putc(out, '+');
	if (b->has_share) {
		mlv_quantity_words(MLV_SHARE, b->share, text, sizeof(text));
		mlv_buf_printf(out, "%s%s", text, b->has_floor ? " and +" : "");
	}
	if (b->has_floor)
		amount(out, b, (double)b->floor);
}

static void against_limit(struct mlv_buf *out, const struct mlv_budget *b,
			  const struct mlv_budget_row *row)
{
	double over = value_of(row->now) - (double)b->max;
	if (row->state == MLV_BUDGET_PASSED) {
		mlv_buf_puts(out, ", ");
		/* Of a mean that is above by a fraction, at least one unit. */
		amount(out, b, over < 1 ? 1 : over);
		mlv_buf_puts(out, " above the limit of ");
	} else {
		mlv_buf_puts(out, "; the limit is ");
	}
	amount(out, b, (double)b->max);
}

static void against_baseline(struct mlv_buf *out, const struct mlv_budget *b,
			     const struct mlv_budget_row *row)
{
	double from = value_of(row->base), change = value_of(row->now) - from;
	mlv_buf_puts(out, change < 0 ? ", " : ", +");
	amount(out, b, change);
	if (from > 0 && b->metric->quantity != MLV_SHARE)
		mlv_buf_printf(out, " (%+.1f %%)", change / from * 100);
	mlv_buf_puts(out, " from the baseline's ");
	amount(out, b, from);
	mlv_buf_puts(out, "; allowed is ");
	allowed(out, b);
}

static const char *finished(struct mlv_budget_results *r, struct mlv_buf *out)
{
	const char *text = out->failed ? NULL : mlv_arena_strndup(&r->texts, out->data, out->len);
	mlv_buf_fini(out);
	return text;
}

const char *mlv_budget_message(struct mlv_budget_results *r, const struct mlv_budget *b,
			       const struct mlv_budget_row *row)
{
	struct mlv_buf out = { 0 };
	head(&out, b, row);
	if (row->left_out) {
		mlv_buf_printf(&out, ": %zu more", row->left_out);
		return finished(r, &out);
	}
	if (row->now && row->now->known) {
		mlv_buf_puts(&out, ": ");
		amount(&out, b, value_of(row->now));
		if (row->state == MLV_BUDGET_UNKNOWN && row->now->unknown)
			mlv_buf_puts(&out, " at least");
	}
	if (row->why)
		mlv_buf_printf(&out, "%s not judged, %s", row->now && row->now->known ? ";" : ":",
			       row->why);
	else if (b->absolute)
		against_limit(&out, b, row);
	else
		against_baseline(&out, b, row);
	return finished(r, &out);
}
