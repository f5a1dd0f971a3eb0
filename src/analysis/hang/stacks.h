/* SPDX-License-Identifier: MIT */
#ifndef MLV_ANALYSIS_HANG_STACKS_H
#define MLV_ANALYSIS_HANG_STACKS_H
/*
 * What the main thread of each rank was doing, by py-spy or by the last line of
 * a trace of its calls: ranks with one stack
 * form a class, and of three and more ranks the one that is elsewhere is the
 * odd one out.
 */
#include "analysis/hang/verdict.h"

struct mlv_stack_class {
	mlv_stackid stack;
	MLV_VEC(uint32_t) ranks; /* rows, ascending */
};

struct mlv_stack_classes {
	MLV_VEC(struct mlv_stack_class) list; /* the largest first */
};

enum mlv_rc mlv_stack_classes_init(struct mlv_stack_classes *s, const struct mlv_evidence *e,
				   struct mlv_err *err);
void mlv_stack_classes_fini(struct mlv_stack_classes *s);

/* Where nothing else decides, the odd one out is the one that lags. */
void mlv_stack_classes_judge(const struct mlv_stack_classes *s, const struct mlv_evidence *e,
			     struct mlv_hang_verdict *v);

#endif
