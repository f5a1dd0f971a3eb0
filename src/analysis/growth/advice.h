/* SPDX-License-Identifier: MIT */
#ifndef MLV_ANALYSIS_GROWTH_ADVICE_H
#define MLV_ANALYSIS_GROWTH_ADVICE_H
/* What acts on a measured cause, when it does, and when it does not: docs/verdicts.md's table. */

enum mlv_advice {
	MLV_ADVICE_MICRO_BATCH,
	MLV_ADVICE_CHECKPOINTING,
	MLV_ADVICE_SEQUENCE,
	MLV_ADVICE_SHARD_STATE,
	MLV_ADVICE_OPTIMIZER_PRECISION,
	MLV_ADVICE_FEWER_STATES,
	MLV_ADVICE_NO_RETAINED_GRAPH,
	MLV_ADVICE_HOST_SCALAR,
	MLV_ADVICE_BOUND_CACHE,
	MLV_ADVICE_ALLOCATOR,
	MLV_ADVICE_MORE_STEPS,
	MLV_ADVICES,
};

struct mlv_advice_text {
	const char *code;  /* "reduce-micro-batch" */
	const char *what;  /* what to do */
	const char *acts;  /* when it helps, and why */
	const char *fails; /* when it does not */
};

const struct mlv_advice_text *mlv_advice_text(enum mlv_advice a);

#endif
