/* SPDX-License-Identifier: MIT */
#ifndef MLV_ANALYSIS_GROWTH_GROWERS_H
#define MLV_ANALYSIS_GROWTH_GROWERS_H
/* Within the analysis of lifetimes: what is alive at the ends of steps, and which stacks grow. */
#include "analysis/growth/lifetime.h"

/* Fills points, at, total, trend and growers. False when memory runs out. */
bool mlv_growers_find(struct mlv_lifetimes *l);

#endif
