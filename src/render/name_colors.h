/* SPDX-License-Identifier: MIT */
#ifndef MLV_RENDER_NAME_COLORS_H
#define MLV_RENDER_NAME_COLORS_H
/* The colours of spans, by their names: the same in every picture and in the page. */
#include "analysis/name_totals.h"
#include "render/canvas.h"

enum { MLV_NAMES_COLORED = 40 }; /* names with a colour of their own, and in a legend */

/*
 * A colour for each name; the first `shown` of them, at most MLV_NAMES_COLORED,
 * get no colour twice. free() it; NULL when memory runs out.
 */
struct mlv_color *mlv_name_colors(const struct mlv_name_totals *names, size_t shown);

#endif
