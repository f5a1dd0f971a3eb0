/* SPDX-License-Identifier: MIT */
#ifndef MLV_ANALYSIS_GROWTH_PHASE_SERIES_H
#define MLV_ANALYSIS_GROWTH_PHASE_SERIES_H
/*
 * The figures of a grid of phases that a verdict is made from: the baseline
 * from which each step begins, what its forward pass adds, and what the
 * optimizer adds.
 */
#include "analysis/growth/phases.h"
#include "analysis/growth/trend.h"

struct mlv_phase_series {
	const struct mlv_phase_grid *grid; /* borrowed */
	size_t steps;
	/* All of steps + 1 elements; NAN: not told. base[steps] is what the last step left. */
	double *base;
	double *forward;   /* after the forward pass, above base */
	double *optimizer; /* after the optimizer step, above what the backward pass left */
	double *room;      /* for sorting */

	double step_forward, forward_spread; /* median over the steps after the first; NAN */
	size_t forward_points;
	double state, state_spread; /* what the optimizer added once, and stays; NAN */
	int32_t state_step;
	struct mlv_trend trend; /* of base, from that of the third step on */
	double base_spread;     /* of base, around that line if it is steady */
	bool everywhere;        /* every phase that is told in each step grows alike */
};

/* MLV_E_NOMEM only; `fini` takes what is half done. */
enum mlv_rc mlv_phase_series_init(struct mlv_phase_series *s, const struct mlv_phase_grid *g,
				  struct mlv_err *err);
void mlv_phase_series_fini(struct mlv_phase_series *s);

#endif
