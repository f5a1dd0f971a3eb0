/* SPDX-License-Identifier: MIT */
#ifndef MLV_RENDER_LANES_CHART_H
#define MLV_RENDER_LANES_CHART_H
/*
 * Spans as bars in lanes over wall time: the tracks of a trace, the calls of
 * a system-call log, the collectives of the ranks of a job. What the file
 * tells of memory lies below them on the same axis.
 */
#include "model/run.h"
#include "render/page.h"

struct mlv_lanes_chart {
	struct mlv_page page;
	const struct mlv_run *const *runs; /* borrowed; one group of lanes each */
	size_t count;
	int64_t from, to; /* MLV_NO_TIME: all */
	size_t top;       /* legend entries */
	bool hover;
};

/* MLV_E_USAGE if there is not room for a single lane, MLV_E_NOMEM. */
enum mlv_rc mlv_lanes_chart_draw(struct mlv_canvas *c, const struct mlv_lanes_chart *chart,
				 struct mlv_err *err);

#endif
