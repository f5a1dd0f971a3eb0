/* SPDX-License-Identifier: MIT */
/* The page of the allocation timeline: headings, plots in a grid, legend. */
#include "render/memory_chart.h"

#include <stdlib.h>
#include <string.h>

enum { MARGIN = 28, LEGEND = 316 };

/* One scale for all panels: the most reserved, requested or available, and a little air. */
static uint64_t top_of_scale(const struct mlv_memory_chart *chart)
{
	uint64_t top = chart->capacity;
	for (size_t i = 0; i < chart->count; i++) {
		const struct mlv_history *h = chart->panels[i].history;
		if (h->reserved.peak > top)
			top = h->reserved.peak;
		if (h->requested.peak > top)
			top = h->requested.peak;
	}
	if (!top)
		return 1 << 20;
	return top > UINT64_MAX - top / 24 ? UINT64_MAX : top + top / 24;
}

static enum mlv_rc draw_panels(struct mlv_canvas *c, const struct mlv_memory_chart *chart,
			       const struct mlv_legend *legend, struct mlv_rect area,
			       uint32_t *banded, struct mlv_err *err)
{
	size_t columns = chart->count > 3 ? 2 : 1;
	size_t rows = (chart->count + columns - 1) / columns;
	uint64_t top = top_of_scale(chart);
	enum mlv_rc rc = MLV_OK;
	for (size_t i = 0; !rc && i < chart->count; i++) {
		struct mlv_rect cell = { area.x + area.w / (double)columns * (double)(i % columns),
					 area.y + area.h / (double)rows * (double)(i / columns),
					 area.w / (double)columns, area.h / (double)rows };
		struct mlv_class_colors colors;
		rc = mlv_legend_colors(legend, chart, chart->panels[i].classes, &colors, err);
		if (rc)
			break;
		rc = mlv_memory_plot_draw(c, chart, &chart->panels[i], &colors, cell, top, banded,
					  err);
		free(colors.of_class);
	}
	return rc;
}

enum mlv_rc mlv_memory_chart_draw(struct mlv_canvas *c, const struct mlv_memory_chart *chart,
				  struct mlv_err *err)
{
	/* A narrow picture has no room for a legend beside its plot. */
	bool beside = chart->page.width >= 760;
	double top = mlv_page_headings(c, &chart->page);
	struct mlv_rect plots = { 0, top, chart->page.width - (beside ? LEGEND + 18 : 0),
				  chart->page.height - top };
	struct mlv_rect side = { chart->page.width - LEGEND - MARGIN + 14, top + 12, LEGEND - 14,
				 chart->page.height - top - 12 };
	struct mlv_legend legend;
	enum mlv_rc rc = mlv_legend_init(&legend, chart, side.h, err);
	if (rc)
		return rc;
	rc = draw_panels(c, chart, &legend, plots, &legend.banded, err);
	if (!rc && beside)
		mlv_legend_draw(c, &legend, chart, side);
	mlv_legend_fini(&legend);
	return rc;
}
