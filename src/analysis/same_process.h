/* SPDX-License-Identifier: MIT */
#ifndef MLV_ANALYSIS_SAME_PROCESS_H
#define MLV_ANALYSIS_SAME_PROCESS_H
/*
 * Two snapshots of one process, an earlier and a later one: which allocations
 * are alive at the end of both, which are new since, and which are gone. They
 * are matched by address. An address may have been given back and out again
 * in between: then size, time or stack of its making tell the two apart.
 */
#include "analysis/memory_diff.h"

enum mlv_fate {
	MLV_FATE_STILL, /* alive at the end of both */
	MLV_FATE_NEW,   /* of B alone */
	MLV_FATE_GONE,  /* of A alone */
	MLV_FATES,
};

struct mlv_fate_stack {
	uint64_t key;
	mlv_stackid stack; /* of the run `side` */
	unsigned side;
	bool before; /* older than the recording, without a stack */
	struct mlv_amount amount[MLV_FATES];
};

struct mlv_process_diff {
	MLV_VEC(struct mlv_fate_stack) stacks; /* by what is new or gone, the largest first */
	struct mlv_amount total[MLV_FATES];
	uint64_t reused;          /* addresses at which something else is alive now */
	uint64_t shared_segments; /* of A, which B still has at their addresses */
};

/* MLV_E_NOMEM only. */
enum mlv_rc mlv_process_diff_init(struct mlv_process_diff *p, const struct mlv_memory_diff *m,
				  struct mlv_err *err);
void mlv_process_diff_fini(struct mlv_process_diff *p);

const char *mlv_fate_name(enum mlv_fate f); /* "still", "new", "gone" */

#endif
