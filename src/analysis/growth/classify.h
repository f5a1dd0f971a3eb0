/* SPDX-License-Identifier: MIT */
#ifndef MLV_ANALYSIS_GROWTH_CLASSIFY_H
#define MLV_ANALYSIS_GROWTH_CLASSIFY_H
/*
 * All verdicts on one run: one for each rank whose phases were written down,
 * and for each device whose allocations were recorded.
 */
#include "analysis/growth/verdict.h"

struct mlv_classify_options {
	uint64_t capacity; /* of each device; 0: as the report says */
};

struct mlv_verdicts {
	MLV_VEC(struct mlv_verdict) list;
};

/*
 * Add the verdicts on a run, which must outlive them. None is added for a run
 * that holds nothing of the kind. MLV_E_NOMEM only.
 */
enum mlv_rc mlv_classify_run(struct mlv_verdicts *v, const struct mlv_run *run,
			     const struct mlv_classify_options *o, struct mlv_err *err);
void mlv_verdicts_fini(struct mlv_verdicts *v);

#endif
