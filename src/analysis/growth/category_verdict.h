/* SPDX-License-Identifier: MIT */
#ifndef MLV_ANALYSIS_GROWTH_CATEGORY_VERDICT_H
#define MLV_ANALYSIS_GROWTH_CATEGORY_VERDICT_H
/*
 * The verdict on a memory timeline: bytes of each category over time, as the
 * profiler told them apart. Activations that rise and fall back make a step.
 */
#include "analysis/growth/verdict.h"

/* The tracks that have such samples. free() *tracks. MLV_E_NOMEM only. */
enum mlv_rc mlv_category_tracks(const struct mlv_run *run, mlv_trackid **tracks, size_t *count,
				struct mlv_err *err);

/* MLV_E_NOMEM only; `v` is to be finished in any case. */
enum mlv_rc mlv_category_verdict(struct mlv_verdict *v, const struct mlv_run *run,
				 mlv_trackid track, uint64_t capacity, struct mlv_err *err);

#endif
