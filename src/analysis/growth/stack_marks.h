/* SPDX-License-Identifier: MIT */
#ifndef MLV_ANALYSIS_GROWTH_STACK_MARKS_H
#define MLV_ANALYSIS_GROWTH_STACK_MARKS_H
/*
 * What the frames of a stack say of its part in training: whether an optimizer,
 * a backward pass, the call of a module, its making, or a cache of keys and
 * values stands on it. One byte for each stack, made in one pass.
 */
#include <stdint.h>

#include "model/run.h"

enum mlv_stack_mark {
	MLV_MARK_OPTIMIZER = 1,
	MLV_MARK_BACKWARD = 2, /* autograd called it */
	MLV_MARK_MODULE_CALL = 4,
	MLV_MARK_MODULE_MAKE = 8, /* __init__, .to(), from_pretrained of a module */
	MLV_MARK_CACHE = 16,
	MLV_MARK_WORKSPACE = 32,
	MLV_MARK_PYTHON = 64,
};

struct mlv_stack_marks {
	uint8_t *of; /* each stack */
};

/* MLV_E_NOMEM only. */
enum mlv_rc mlv_stack_marks_init(struct mlv_stack_marks *m, const struct mlv_run *run,
				 struct mlv_err *err);
void mlv_stack_marks_fini(struct mlv_stack_marks *m);

#endif
