/* SPDX-License-Identifier: MIT */
#ifndef MLV_RENDER_HANG_CHART_H
#define MLV_RENDER_HANG_CHART_H
/*
 * Where a job hangs: a lane for each rank in each of its groups, calls in the
 * order in which they were issued, bands between those that are one collective,
 * the call at which ranks diverged, and how they wait.
 */
#include "analysis/hang/columns.h"
#include "analysis/hang/hang.h"
#include "render/page.h"

struct mlv_hang_chart {
	struct mlv_page page;
	struct mlv_hang *hang; /* borrowed */
	bool hover;
};

enum mlv_rc mlv_hang_chart_draw(struct mlv_canvas *c, const struct mlv_hang_chart *chart,
				struct mlv_err *err);

#endif
