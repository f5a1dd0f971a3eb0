/* SPDX-License-Identifier: MIT */
#ifndef MLV_RENDER_SERIES_CHART_H
#define MLV_RENDER_SERIES_CHART_H
/* Samples as lines over time, or over steps and phases; one plot for each kind of quantity. */
#include "model/run.h"
#include "render/page.h"

struct mlv_series_chart {
	struct mlv_page page;
	const struct mlv_run *const *runs; /* borrowed */
	size_t count;
	uint64_t capacity; /* bytes, 0 = no line */
	size_t top;        /* legend entries */
	bool hover;
};

/* MLV_E_USAGE if the picture is too small, MLV_E_NOMEM. */
enum mlv_rc mlv_series_chart_draw(struct mlv_canvas *c, const struct mlv_series_chart *chart,
				  struct mlv_err *err);

#endif
