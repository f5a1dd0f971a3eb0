/* SPDX-License-Identifier: MIT */
#ifndef MLV_RENDER_FRAG_PLOT_H
#define MLV_RENDER_FRAG_PLOT_H
/* Between the files of the fragmentation chart: one plot and where things lie in it. */
#include "render/frag_chart.h"

struct mlv_frag_plot {
	struct mlv_canvas *c;
	const struct mlv_frag_chart *chart;
	int32_t x, columns;
	int32_t y, rows;                /* of the bytes */
	int32_t share_y[2], share_rows; /* of the scattered share, of the idle one */
	int32_t base;                   /* below the lowest of the three plots */
	uint64_t top_bytes;
};

enum mlv_frag_line {
	MLV_FRAG_RESERVED,
	MLV_FRAG_ACTIVE,
	MLV_FRAG_ALLOCATED,
	MLV_FRAG_LARGEST,
	MLV_FRAG_IDLE,
	MLV_FRAG_SCATTERED,
};

/* One setting: a colour for each line. Two: one for each setting, paler for the second lines. */
struct mlv_color mlv_frag_color(const struct mlv_frag_chart *chart, size_t setting,
				enum mlv_frag_line line);

/* ---- frag_lines.c ---- */

/* Of one column, in pixels from the top of the picture. */
struct mlv_frag_edges {
	double most, least, worst;
};
struct mlv_frag_edges mlv_frag_edges(const struct mlv_frag_plot *p, const struct mlv_frag_column *c,
				     enum mlv_frag_line line);
double mlv_frag_share_y(const struct mlv_frag_plot *p, enum mlv_frag_line line, float share);
/* The middle of its column. */
double mlv_frag_event_x(const struct mlv_frag_plot *p, const struct mlv_frag_series *s,
			uint32_t event);

/* All areas and lines. False when memory runs out. */
bool mlv_frag_lines_draw(const struct mlv_frag_plot *p);

/* frag_device.c: what a GPU said. False when memory runs out. */
bool mlv_frag_device_draw(const struct mlv_frag_plot *p);

/* ---- frag_marks.c: retries, failures and the moment of a map, with words above the plot ---- */

/* Of the words. */
double mlv_frag_labels_height(const struct mlv_frag_chart *chart);
/* Marks in the plot; the words begin at `labels_y`, each in a row of its own. */
void mlv_frag_marks_draw(const struct mlv_frag_plot *p, double labels_y);

#endif
