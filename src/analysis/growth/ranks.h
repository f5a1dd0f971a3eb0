/* SPDX-License-Identifier: MIT */
#ifndef MLV_ANALYSIS_GROWTH_RANKS_H
#define MLV_ANALYSIS_GROWTH_RANKS_H
/*
 * The ranks of one job side by side. The one that needs most is the constraint:
 * what fits there fits everywhere. Medians over the steps after the first are
 * compared, so that what happens once does not count.
 */
#include "analysis/growth/classify.h"

struct mlv_rank_set {
	size_t first, count;     /* verdicts */
	size_t most, least;      /* verdicts of the ranks that need most and least */
	enum mlv_moment_of when; /* the part of a step in which they differ most */
	int64_t bytes;           /* by how much */
	bool matters;            /* more than 1 MiB, and a hundredth of the larger one */
};

struct mlv_rank_sets {
	MLV_VEC(struct mlv_rank_set) list;
};

/*
 * Neighbouring verdicts on runs of one format and kind, whose ranks are told
 * and all differ, are those of one job. MLV_E_NOMEM only.
 */
enum mlv_rc mlv_rank_sets_init(struct mlv_rank_sets *r, const struct mlv_verdicts *v,
			       struct mlv_err *err);
void mlv_rank_sets_fini(struct mlv_rank_sets *r);

#endif
