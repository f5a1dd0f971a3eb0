/* SPDX-License-Identifier: MIT */
#ifndef MLV_ANALYSIS_GROWTH_PHASE_PARTS_H
#define MLV_ANALYSIS_GROWTH_PHASE_PARTS_H
/*
 * What is fixed in the memory of a run whose phases were written down: the
 * baseline of the last steps, taken apart by when each part came.
 */
#include "analysis/growth/phase_series.h"
#include "analysis/growth/verdict.h"

enum {
	MLV_FP32_BYTES = 4,
	MLV_LEAST_PART = 64 << 10, /* bytes: what is less is not told apart from noise */
};

/* Add the parts to the verdict, whose growth is known; their sum is the baseline. */
void mlv_phase_parts(struct mlv_verdict *v, struct mlv_phase_series *s);

#endif
