/* SPDX-License-Identifier: MIT */
#ifndef MLV_RENDER_PAGE_H
#define MLV_RENDER_PAGE_H
/* What every picture has: a heading that says what the file is, and axes. */
#include <stddef.h>
#include <stdint.h>

#include "render/canvas.h"
#include "render/theme.h"

struct mlv_page {
	const char *title, *subtitle;
	const char *notice; /* what is incomplete; NULL = nothing */
	const struct mlv_theme *theme;
	int width, height;
};

/* Draws the headings; returns the y at which the picture may begin. */
double mlv_page_headings(struct mlv_canvas *c, const struct mlv_page *page);

/*
 * Ticks of elapsed time from t0 to t1 (told from `zero`) below a plot that
 * begins at x and is `columns` wide; `grid_top` >= 0 draws lines up to there.
 */
void mlv_page_time_axis(struct mlv_canvas *c, const struct mlv_theme *theme, double x,
			int32_t columns, double base, double grid_top, int64_t zero, int64_t t0,
			int64_t t1, const char *label);

/* The heading of a legend that begins at y, and a dim line within it; the next y. */
double mlv_page_legend_heading(struct mlv_canvas *c, const struct mlv_theme *theme, double x,
			       double y, const char *text);
double mlv_page_legend_note(struct mlv_canvas *c, const struct mlv_theme *theme, double x, double y,
			    const char *text);

/* Ticks of event numbers below a plot, with no line: that is the caller's. */
void mlv_page_event_ticks(struct mlv_canvas *c, const struct mlv_theme *theme, double x,
			  int32_t columns, double base, uint32_t first, uint32_t last);

/* Ticks of bytes left of a plot of `rows` from y down, and the lines of its grid. */
void mlv_page_bytes_axis(struct mlv_canvas *c, const struct mlv_theme *theme, int32_t x, int32_t y,
			 int32_t columns, int32_t rows, uint64_t top_bytes);
/* Always within the plot: damaged sizes may be any number, and pixels are ints. */
double mlv_page_bytes_y(int32_t y, int32_t rows, uint64_t top_bytes, uint64_t bytes);

/* A coloured chip with a name, a dim second line and a value at the right; returns the next y. */
struct mlv_legend_row {
	struct mlv_color color;
	const char *name, *place, *value;
	double share; /* 0..1 of the bar below it; < 0: none */
};
double mlv_page_legend_row(struct mlv_canvas *c, const struct mlv_theme *theme, double x, double w,
			   double y, const struct mlv_legend_row *row);

#endif
