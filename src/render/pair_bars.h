/* SPDX-License-Identifier: MIT */
#ifndef MLV_RENDER_PAIR_BARS_H
#define MLV_RENDER_PAIR_BARS_H
/* Values of A and B side by side, a pair of bars for each name, from the same line. */
#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "render/canvas.h"
#include "render/theme.h"

struct mlv_pair_bar {
	const char *name;
	bool present[2];
	double value[2]; /* 0 or more */
	const char *text[2];
};

struct mlv_pair_bars {
	const struct mlv_theme *theme;
	const char *title;
	const char *side[2]; /* what A and B are */
	const struct mlv_pair_bar *bars;
	size_t count;
};

enum mlv_rc mlv_pair_bars_draw(struct mlv_canvas *c, const struct mlv_pair_bars *chart,
			       struct mlv_rect area, struct mlv_err *err);

#endif
