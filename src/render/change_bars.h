/* SPDX-License-Identifier: MIT */
#ifndef MLV_RENDER_CHANGE_BARS_H
#define MLV_RENDER_CHANGE_BARS_H
/*
 * What changed, as bars on both sides of a line: less to the left, more to the
 * right. Names stand above their bars, so that they have the whole width.
 */
#include <stddef.h>

#include "base/err.h"
#include "render/canvas.h"
#include "render/theme.h"

struct mlv_change_bar {
	const char *name;
	const char *value; /* "+1.2 GiB  (0 B → 1.2 GiB)"; the bracket goes where room is short */
	double change;     /* its length; NAN: none can be told */
};

struct mlv_change_bars {
	const struct mlv_theme *theme;
	const char *title, *note; /* a dim line below the bars; NULL: none */
	const struct mlv_change_bar *bars;
	size_t count;
};

/* As many bars as fit; what is left out is counted. MLV_E_USAGE if there is no room for three. */
enum mlv_rc mlv_change_bars_draw(struct mlv_canvas *c, const struct mlv_change_bars *chart,
				 struct mlv_rect area, struct mlv_err *err);

#endif
