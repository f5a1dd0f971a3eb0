/* SPDX-License-Identifier: MIT */
#ifndef MLV_RENDER_FLAME_CHART_H
#define MLV_RENDER_FLAME_CHART_H
/*
 * A flame graph: a bar for each node, as wide as what it accounts for, upon
 * its caller or hanging below it. An SVG carries its graph and a script with
 * it (flame_data.h), so that it can be searched and zoomed; without a script,
 * and as PNG, it is the same picture.
 */
#include "analysis/flame/flame.h"
#include "render/page.h"

struct mlv_flame_chart {
	struct mlv_page page;
	const struct mlv_flame *flame; /* settled; borrowed */
	enum mlv_flame_value value;
	uint32_t least; /* pixels that a bar must have; what is narrower is one rest */
	bool inverted;  /* the root at the top */
	bool interactive;
};

/* The height of a page on which all rows have room, within what pictures may be. */
int mlv_flame_chart_height(const struct mlv_flame *flame, bool notice);

/* MLV_E_USAGE if there is no room for a row, MLV_E_NOMEM. */
enum mlv_rc mlv_flame_chart_draw(struct mlv_canvas *c, const struct mlv_flame_chart *chart,
				 struct mlv_err *err);

#endif
