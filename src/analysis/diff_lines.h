/* SPDX-License-Identifier: MIT */
#ifndef MLV_ANALYSIS_DIFF_LINES_H
#define MLV_ANALYSIS_DIFF_LINES_H
/*
 * Two histories on one pair of axes: what each column of a plot shows of
 * either. They are aligned at their starts, at their peaks, or step by step, each
 * step as wide as any other; where a run has nothing its columns are not known.
 */
#include "analysis/growth/steps.h"
#include "analysis/history.h"

enum mlv_align { MLV_ALIGN_START, MLV_ALIGN_STEP, MLV_ALIGN_PEAK };

struct mlv_diff_column {
	bool known;
	uint64_t requested, reserved; /* the most in the column */
};

struct mlv_diff_lines {
	enum mlv_align align;
	bool by_time;
	int32_t columns;
	struct mlv_diff_column *side[2];
	int32_t peak[2];    /* column of each peak */
	uint64_t most;      /* of all columns */
	uint64_t low, high; /* what B has less and more than A, at most */
	int64_t span;       /* events, or nanoseconds, over all columns */
	int64_t zero;       /* of START and PEAK: the event or time at column 0, from the mark */
	size_t steps;       /* of STEP: how many there are */
	bool goes_on;       /* the last of them is what comes behind the last step */
};

/* Steps that can be told apart, at most. */
enum { MLV_ALIGN_STEPS = 200 };

/*
 * MLV_E_USAGE when they cannot be aligned so: no steps, or no times. `by_time`
 * counts for START and PEAK.
 */
enum mlv_rc mlv_diff_lines_init(struct mlv_diff_lines *l, const struct mlv_history *const *h,
				enum mlv_align align, bool by_time, int32_t columns,
				struct mlv_err *err);
void mlv_diff_lines_fini(struct mlv_diff_lines *l);

#endif
