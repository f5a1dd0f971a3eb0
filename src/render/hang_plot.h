/* SPDX-License-Identifier: MIT */
#ifndef MLV_RENDER_HANG_PLOT_H
#define MLV_RENDER_HANG_PLOT_H
/* What the files of the chart of a hang share: which lanes are drawn, and where. */
#include "render/hang_chart.h"

enum {
	MLV_HANG_LABELS = 236,
	MLV_HANG_RIGHT = 190,
	MLV_HANG_MARGIN = 32,
	MLV_HANG_OPERATIONS = 24, /* that have a colour of their own */
};

/* One lane of the picture: a rank in a group, or in all of its groups where there is little room.
 */
struct mlv_hang_row {
	uint32_t rank;
	uint32_t group; /* UINT32_MAX: all */
	double y, h;
};

struct mlv_hang_plot {
	struct mlv_canvas *c;
	const struct mlv_hang_chart *chart;
	struct mlv_columns columns;
	uint32_t *ranks; /* rows of ranks that are drawn */
	size_t rank_count, hidden;
	MLV_VEC(struct mlv_hang_row) rows;
	double x, w, step; /* of the cells; of a column */
	double top, bottom;
	struct mlv_str name[MLV_HANG_OPERATIONS];
	struct mlv_color color[MLV_HANG_OPERATIONS];
	size_t names;
};

/* hang_rows.c */
bool mlv_hang_plot_ranks(struct mlv_hang_plot *p, size_t most);
bool mlv_hang_plot_rows(struct mlv_hang_plot *p);
/* The row of a cell, NULL if it has none. */
const struct mlv_hang_row *mlv_hang_plot_row(const struct mlv_hang_plot *p,
					     const struct mlv_hang_cell *cell);

/* hang_marks.c: labels at the left, divergence, the waiting behind a call, and words at the right.
 */
void mlv_hang_plot_labels(struct mlv_hang_plot *p);
void mlv_hang_plot_marks(struct mlv_hang_plot *p);
void mlv_hang_plot_waits(struct mlv_hang_plot *p);
void mlv_hang_plot_ends(struct mlv_hang_plot *p);

static inline bool mlv_hang_is_culprit(const struct mlv_hang *h, uint32_t rank)
{
	for (size_t i = 0; i < h->verdict.culprits.len; i++) {
		if (h->verdict.culprits.data[i] == rank)
			return true;
	}
	return false;
}

#endif
