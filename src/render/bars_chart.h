/* SPDX-License-Identifier: MIT */
#ifndef MLV_RENDER_BARS_CHART_H
#define MLV_RENDER_BARS_CHART_H
/* A table as ranked bars: its largest rows by the column that it is sorted by. */
#include "analysis/table.h"
#include "render/page.h"

struct mlv_bars_chart {
	struct mlv_page page;
	const struct mlv_table *const *tables; /* borrowed; drawn one below the other */
	size_t count;
	size_t top; /* rows of each */
};

/* MLV_E_USAGE if the picture is too small. */
enum mlv_rc mlv_bars_chart_draw(struct mlv_canvas *c, const struct mlv_bars_chart *chart,
				struct mlv_err *err);

#endif
