/* SPDX-License-Identifier: MIT */
#ifndef MLV_RENDER_THEME_H
#define MLV_RENDER_THEME_H
/*
 * The colours of a page, by purpose. Both themes are designed: the dark one
 * has its own greys and reds and is not the light one turned over. Every text
 * colour has a contrast of 4.5 or more on every surface it is meant for.
 */
#include "render/canvas.h"

struct mlv_theme {
	const char *name;
	struct mlv_color ground;
	struct mlv_color text;     /* titles, labels, values; on ground, reserved_fill and band */
	struct mlv_color text_dim; /* subtitles, ticks, file:line; the same */
	struct mlv_color axis;     /* base line, ticks, the line at the peak */
	struct mlv_color grid;
	struct mlv_color reserved_fill; /* reserved and not used */
	struct mlv_color reserved_line;
	struct mlv_color seam;     /* between neighbours of one colour */
	struct mlv_color oom;      /* out of memory: line and text */
	struct mlv_color warning;  /* what is incomplete: line and text */
	struct mlv_color good;     /* a gain, a passed budget: line and text */
	struct mlv_color capacity; /* the device's limit: line and text */
	struct mlv_color pending;  /* sample of memory that waits to be free */
	struct mlv_color band;     /* what is too small to draw one by one */
	struct mlv_color other;    /* call sites beyond the legend */
	struct mlv_color unknown;  /* no frames recorded */
	struct mlv_color annotation_fill;
	struct mlv_color annotation_text; /* on annotation_fill */
};

/* "light" or "dark"; NULL and "" mean light. NULL if there is no such theme. */
const struct mlv_theme *mlv_theme_find(const char *name);

#endif
