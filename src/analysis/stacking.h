/* SPDX-License-Identifier: MIT */
#ifndef MLV_ANALYSIS_STACKING_H
#define MLV_ANALYSIS_STACKING_H
/*
 * The stacked layout of a history for a plot of so many columns and rows of
 * pixels. Allocations lie in the order of their birth, so a free lets
 * everything above slide down and nothing else moves.
 *
 * Each column shows the exact state at one instant: the one of the largest
 * sum among the events that fall into it, so no peak is lost. An allocation
 * that is a pixel or more high and wide gets a shape of its own; what is
 * smaller shares the pixels among its neighbours: each pixel row goes to the
 * class that holds most of it, and rows of one class form a band.
 *
 * Cost: the events, plus columns times what is alive (whole groups of small
 * allocations count as one), never the square of anything.
 */
#include "analysis/classes.h"

struct mlv_view {
	uint32_t first, last; /* events shown */
	bool by_time;         /* x is wall time instead of the event number */
	int32_t columns, rows;
	uint64_t top_bytes; /* at the upper edge of the plot */
};

/* Columns x0..x1 (exclusive), rows y0..y1 (exclusive, from the top). */
struct mlv_step {
	int32_t x0, x1, y0, y1;
};

struct mlv_shape {
	uint32_t alloc; /* MLV_NEVER: a band of several */
	uint32_t cls;
	bool pending;         /* freed by the program, awaiting a stream */
	uint32_t most_allocs; /* of a band: most at once, and their bytes */
	uint64_t most_bytes;
	size_t first_step, steps;
};

struct mlv_stacking {
	MLV_VEC(struct mlv_shape) shapes;
	struct mlv_step *steps; /* of shape 0, then of shape 1, … */
	int64_t *instant;       /* for each column: the event after which it is drawn; -1 initial */
	uint64_t *requested;    /* for each column: the sum at that instant */
	uint64_t *reserved;     /* for each column: the most in it */
	uint32_t banded;        /* allocations that were drawn in bands only */
};

/* `view` must lie within the history. MLV_E_NOMEM only. */
enum mlv_rc mlv_stacking_init(struct mlv_stacking *s, const struct mlv_classes *classes,
			      const struct mlv_view *view, struct mlv_err *err);
void mlv_stacking_fini(struct mlv_stacking *s);

/* The column of an event (events before the view: 0; behind it: the last). */
int32_t mlv_view_column(const struct mlv_history *h, const struct mlv_view *view, uint32_t event);
/* The column of a time; not clamped. */
double mlv_view_time_x(const struct mlv_history *h, const struct mlv_view *view, int64_t time_ns);

#endif
