/* SPDX-License-Identifier: MIT */
#include "cli/hang_picture.h"

#include <inttypes.h>
#include <stdio.h>

#include "analysis/hang/judge.h"
#include "base/num.h"
#include "render/hang_chart.h"

struct drawing {
	struct mlv_hang *hang;
	const struct mlv_picture *picture;
	const char *subtitle;
};

static enum mlv_rc draw(const void *context, struct mlv_canvas *c, struct mlv_err *err)
{
	const struct drawing *d = context;
	struct mlv_hang_chart chart = { .page = mlv_picture_page(d->picture, d->subtitle, NULL),
					.hang = d->hang,
					.hover = d->picture->svg };
	return mlv_hang_chart_draw(c, &chart, err);
}

static void subtitle(const struct mlv_hang *h, struct mlv_buf *out)
{
	const struct mlv_hang_verdict *v = &h->verdict;
	char ranks[MLV_RANKS_SIZE], n[MLV_NUM_SIZE], m[MLV_NUM_SIZE];
	mlv_buf_printf(out, "%s, %s \u00b7 verdict: %s",
		       mlv_fmt_count_of(n, sizeof(n), h->evidence->ranks.len, "rank", "ranks"),
		       mlv_fmt_count_of(m, sizeof(m), h->evidence->dumps, "dump", "dumps"),
		       mlv_hang_verdict_name(v->kind));
	if (v->culprits.len)
		mlv_buf_printf(
			out, "%s%s", v->ambiguous ? ", between " : ", ",
			mlv_ranks_named(h->evidence, v->culprits.data, v->culprits.len, ranks));
	if (v->ambiguous)
		mlv_buf_puts(out, " (ambiguous)");
	/* Where a job hangs, who was late before that is beside the point. */
	if (v->kind == MLV_HANG_HEALTHY && mlv_stragglers_clear(&h->stragglers))
		mlv_buf_printf(out, " \u00b7 the others wait for rank %" PRId64,
			       h->evidence->ranks.data[h->stragglers.list.data[0].rank].rank);
}

enum mlv_rc mlv_hang_picture_draw(struct mlv_hang *h, const struct mlv_picture *p,
				  struct mlv_buf *picture, struct mlv_err *err)
{
	struct mlv_buf sub = { 0 };
	subtitle(h, &sub);
	struct drawing d = { h, p, sub.data };
	enum mlv_rc rc =
		sub.failed ? mlv_err_nomem(err) : mlv_picture_draw(p, draw, &d, picture, err);
	mlv_buf_fini(&sub);
	return rc;
}
