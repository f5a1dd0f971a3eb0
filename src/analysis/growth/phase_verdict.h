/* SPDX-License-Identifier: MIT */
#ifndef MLV_ANALYSIS_GROWTH_PHASE_VERDICT_H
#define MLV_ANALYSIS_GROWTH_PHASE_VERDICT_H
/*
 * The verdict on a run whose memory was written down after each phase of its
 * steps. Of the names that a report or its file has nothing is read: only
 * samples, and what the report measured of its model and device.
 */
#include "analysis/growth/phases.h"
#include "analysis/growth/verdict.h"

/* The indicators of a memory report, reckoned anew from its samples. */
struct mlv_indicators {
	bool has_persistent, has_growth, has_forward, has_peak;
	int64_t first_step_persistent_change, between_step_growth, largest_forward_increase,
		maximum_peak_allocated;
};

void mlv_indicators_of(struct mlv_indicators *out, const struct mlv_phase_grid *g);
/* A note for each that the report states otherwise. */
void mlv_indicators_check(const struct mlv_indicators *i, const struct mlv_phase_grid *g,
			  struct mlv_diags *notes);

/* `capacity`: of the device, 0: as the report says. MLV_E_NOMEM only; `v` is to be finished. */
enum mlv_rc mlv_phase_verdict(struct mlv_verdict *v, const struct mlv_phase_grid *g,
			      uint64_t capacity, struct mlv_err *err);

/* What a report states of the rank of a grid, in bytes. */
bool mlv_report_metric(const struct mlv_phase_grid *g, const char *name, int64_t *bytes);

#endif
