/* SPDX-License-Identifier: MIT */
#ifndef MLV_RENDER_VERDICT_CHART_H
#define MLV_RENDER_VERDICT_CHART_H
/*
 * The evidence of verdicts: memory through the steps, with the baseline from
 * which each begins, and beside it the components that compete. One panel for
 * each verdict, one below the other, on one scale of its own each.
 */
#include "analysis/growth/verdict.h"
#include "render/page.h"

struct mlv_verdict_chart {
	struct mlv_page page;
	const struct mlv_verdict *verdicts; /* borrowed */
	size_t count;                       /* so many are drawn: see below */
};

/* How many panels fit a picture of that height. */
size_t mlv_verdict_chart_most(int height);

/* MLV_E_USAGE if the picture is too small, MLV_E_NOMEM. */
enum mlv_rc mlv_verdict_chart_draw(struct mlv_canvas *c, const struct mlv_verdict_chart *chart,
				   struct mlv_err *err);

#endif
