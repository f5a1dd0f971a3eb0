/* SPDX-License-Identifier: MIT */
#ifndef MLV_ANALYSIS_PHASE_PAIRS_H
#define MLV_ANALYSIS_PHASE_PAIRS_H
/*
 * One metric of two runs, phase by phase in the order in which phases come:
 * the most of each, over all steps and places.
 */
#include "model/run.h"

struct mlv_phase_pair {
	struct mlv_str phase; /* of one of the runs */
	bool present[2];
	double most[2];
};

struct mlv_phase_pairs {
	struct mlv_str metric; /* empty: none that both sample by phase */
	enum mlv_quantity quantity;
	MLV_VEC(struct mlv_phase_pair) list;
};

/* "allocated" if both have it, else the first metric of A by phase that B has. MLV_E_NOMEM only. */
enum mlv_rc mlv_phase_pairs_init(struct mlv_phase_pairs *p, const struct mlv_run *const *runs,
				 struct mlv_err *err);
void mlv_phase_pairs_fini(struct mlv_phase_pairs *p);

#endif
