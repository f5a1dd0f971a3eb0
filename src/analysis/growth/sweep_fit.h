/* SPDX-License-Identifier: MIT */
#ifndef MLV_ANALYSIS_GROWTH_SWEEP_FIT_H
#define MLV_ANALYSIS_GROWTH_SWEEP_FIT_H
/* How what was measured scales over a sweep, and whether that bears the verdicts out. */
#include "analysis/growth/experiment.h"

/* False when memory runs out. */
bool mlv_sweep_fit(const struct mlv_experiment *e, struct mlv_sweep *s, uint64_t capacity);

#endif
