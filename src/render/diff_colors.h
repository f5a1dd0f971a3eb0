/* SPDX-License-Identifier: MIT */
#ifndef MLV_RENDER_DIFF_COLORS_H
#define MLV_RENDER_DIFF_COLORS_H
/* The colours of A and of B, the same in all pictures of a diff: B's is that of more. */
#include "render/palette.h"
#include "render/theme.h"

/* Side 0: blue, 1: orange, each in the shade that stands out from the ground. */
static inline struct mlv_color mlv_diff_color(const struct mlv_theme *t, unsigned side)
{
	static const uint32_t shades[2][2] = { { 0, 36 }, { 1, 8 } };
	struct mlv_color x = mlv_palette_color(shades[side][0]);
	struct mlv_color y = mlv_palette_color(shades[side][1]);
	return mlv_color_contrast(x, t->ground) >= mlv_color_contrast(y, t->ground) ? x : y;
}

#endif
