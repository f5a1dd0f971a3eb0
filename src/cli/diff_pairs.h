/* SPDX-License-Identifier: MIT */
#ifndef MLV_CLI_DIFF_PAIRS_H
#define MLV_CLI_DIFF_PAIRS_H
/*
 * Which file of A is compared with which of B: one with one whatever they
 * are; of directories those of one format and rank, in their order.
 */
#include "cli/load.h"

struct mlv_pair {
	const struct mlv_run *side[2]; /* NULL: without a partner */
};

struct mlv_pairs {
	MLV_VEC(struct mlv_pair) list; /* memory first, then as they stand in A; single ones last */
	size_t paired;                 /* how many have both */
};

/* MLV_E_NOMEM only. */
enum mlv_rc mlv_pairs_init(struct mlv_pairs *p, const struct mlv_inputs *a,
			   const struct mlv_inputs *b, struct mlv_err *err);
void mlv_pairs_fini(struct mlv_pairs *p);

#endif
