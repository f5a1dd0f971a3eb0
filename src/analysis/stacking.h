/* SPDX-License-Identifier: MIT */
#ifndef MLV_ANALYSIS_STACKING_H
#define MLV_ANALYSIS_STACKING_H
/*
 * The stacked layout of a history for a plot of so many columns and rows of
 * pixels. Allocations lie in the order of their birth, so a free lets
 * everything above slide down and nothing else moves. Each column shows the
 * exact state at its instant (view.h). An allocation that is a pixel high and
 * two wide gets a shape of its own; what is smaller is drawn in bands
 * (bands.h).
 *
 * Cost: the events, plus columns times what is alive (whole groups of small
 * allocations count as one) and a 4096th of what was ever born; never the square
 * of anything.
 */
#include "analysis/classes.h"
#include "analysis/view.h"

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
	struct mlv_step *steps;      /* of shape 0, then of shape 1, … */
	struct mlv_instant *columns; /* what each column shows */
	uint32_t banded;             /* allocations that were drawn in bands only */
};

/* `view` must lie within the history. MLV_E_NOMEM only. */
enum mlv_rc mlv_stacking_init(struct mlv_stacking *s, const struct mlv_classes *classes,
			      const struct mlv_view *view, struct mlv_err *err);
void mlv_stacking_fini(struct mlv_stacking *s);

#endif
