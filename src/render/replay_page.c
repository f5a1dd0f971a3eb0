/* SPDX-License-Identifier: MIT */
#include "render/replay_page.h"

enum { MARGIN = 28, LEGEND = 302, GAP = 14 };

/* A narrow picture has no room for a legend beside its plot. */
static double plot_width(int width)
{
	return width < 760 ? width : width - LEGEND - MARGIN - 4;
}

uint32_t mlv_replay_page_columns(int width)
{
	return mlv_frag_chart_columns(plot_width(width));
}

enum mlv_rc mlv_replay_page_draw(struct mlv_canvas *c, const struct mlv_replay_page *p,
				 struct mlv_err *err)
{
	double top = mlv_page_headings(c, &p->page), height = p->page.height - top;
	double w = plot_width(p->page.width), share = p->map ? 0.42 : 1;
	bool beside = w < p->page.width;
	struct mlv_rect area = { 0, top, w, p->frag ? height * share : 0 };
	struct mlv_rect side = { w + 4, top + 12, beside ? LEGEND : 0, area.h - 12 };
	enum mlv_rc rc = MLV_OK;
	if (p->frag) {
		rc = mlv_frag_chart_draw(c, p->frag, area, err);
		if (beside)
			mlv_frag_legend_draw(c, p->frag, side);
		area.y += area.h;
	}
	if (rc || !p->map)
		return rc;
	area.y += GAP;
	area.h = p->page.height - area.y;
	side.y = area.y;
	side.h = area.h - MARGIN;
	return mlv_segment_map_draw(c, p->map, area, side, err);
}
