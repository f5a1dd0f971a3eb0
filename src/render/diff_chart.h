/* SPDX-License-Identifier: MIT */
#ifndef MLV_RENDER_DIFF_CHART_H
#define MLV_RENDER_DIFF_CHART_H
/*
 * The memory of two runs on one pair of axes, and below it what B has more or
 * less than A at the same place.
 */
#include "analysis/diff_lines.h"
#include "render/canvas.h"
#include "render/theme.h"

struct mlv_diff_chart {
	const struct mlv_theme *theme;
	const struct mlv_history *history[2];
	const char *name[2]; /* of A and B */
	enum mlv_align align;
	bool by_time;
};

enum mlv_rc mlv_diff_chart_draw(struct mlv_canvas *c, const struct mlv_diff_chart *chart,
				struct mlv_rect area, struct mlv_err *err);

#endif
