/* SPDX-License-Identifier: MIT */
#ifndef MLV_RENDER_VERDICT_PANEL_H
#define MLV_RENDER_VERDICT_PANEL_H
/* What the parts of the picture of verdicts share: colours of the components, and their bars. */
#include "analysis/growth/verdict.h"
#include "render/page.h"

struct mlv_verdict_colors {
	struct mlv_color activation, state, growth, base;
};

struct mlv_verdict_colors mlv_verdict_colors_of(const struct mlv_theme *theme);
struct mlv_color mlv_verdict_color(const struct mlv_theme *theme, enum mlv_growth g);

/* The components as bars on one scale, the verdict and its evidence in words. */
void mlv_verdict_bars_draw(struct mlv_canvas *c, const struct mlv_theme *theme,
			   const struct mlv_verdict *v, struct mlv_rect area);

#endif
