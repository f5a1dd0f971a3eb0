/* SPDX-License-Identifier: MIT */
#ifndef MLV_ANALYSIS_GROWTH_STEPS_H
#define MLV_ANALYSIS_GROWTH_STEPS_H
/*
 * Where the training steps of a memory history end. Annotations say so best
 * (ProfilerStep#N, then Optimizer.step#NAME, then names that differ in a number
 * only); without them the allocations that optimizers make once in a step do;
 * else the period in which allocations repeat. If nothing does, the whole
 * trace is one step, and nothing can be said of growth across steps.
 */
#include "analysis/growth/stack_marks.h"
#include "analysis/history.h"

enum mlv_steps_by {
	MLV_STEPS_NONE, /* the whole trace is one */
	MLV_STEPS_BY_PROFILER,
	MLV_STEPS_BY_OPTIMIZER,
	MLV_STEPS_BY_ANNOTATION,
	MLV_STEPS_BY_OPTIMIZER_FRAMES,
	MLV_STEPS_BY_PERIOD,
};

/* Step k holds the events from ends[k - 1] (k = 0: 0) up to, not including, ends[k]. */
struct mlv_steps {
	enum mlv_steps_by by;
	uint32_t *ends; /* ascending */
	size_t count;
};

/* MLV_E_NOMEM only. */
enum mlv_rc mlv_steps_init(struct mlv_steps *s, const struct mlv_history *h,
			   const struct mlv_stack_marks *marks, struct mlv_err *err);
void mlv_steps_fini(struct mlv_steps *s);

/* The step of an event; `count` behind the last one. */
size_t mlv_step_of(const struct mlv_steps *s, uint32_t event);

/* "by 4 annotations ProfilerStep#": how they were found. */
const char *mlv_steps_by_words(enum mlv_steps_by by);

#endif
