/* SPDX-License-Identifier: MIT */
#ifndef MLV_ANALYSIS_GROWTH_LIFETIME_H
#define MLV_ANALYSIS_GROWTH_LIFETIME_H
/*
 * How long each allocation of a history lives, in steps and their phases, and
 * which stacks grow from step to step. Everything that judges memory by its
 * lives (verdicts, differences, colours) starts here; docs/verdicts.md explains
 * the rules.
 */
#include "analysis/growth/stack_marks.h"
#include "analysis/growth/steps.h"
#include "analysis/growth/trend.h"

enum mlv_life {
	MLV_LIFE_BEFORE,     /* older than the recording: unknown */
	MLV_LIFE_PHASE,      /* given back in the phase of the step that asked for it */
	MLV_LIFE_STEP,       /* given back within a step */
	MLV_LIFE_PERSISTENT, /* stays, and its stack does not grow */
	MLV_LIFE_CUMULATIVE, /* stays, and its stack grows from step to step */
	MLV_LIVES,
};

/* The part of a step in which an allocation is made, inferred from the frames of all around it. */
enum mlv_part {
	MLV_PART_SETUP, /* before the first pass */
	MLV_PART_FORWARD,
	MLV_PART_BACKWARD,
	MLV_PART_OPTIMIZER,
	MLV_PARTS,
};

/* A stack whose live bytes grow. */
struct mlv_grower {
	mlv_stackid stack;
	double bytes_per_step, count_per_step;
	uint64_t live_bytes, live_count; /* at the last boundary */
};

struct mlv_lifetimes {
	const struct mlv_history *h; /* borrowed */
	struct mlv_stack_marks marks;
	struct mlv_steps steps;
	uint8_t *life; /* enum mlv_life of each allocation */
	uint8_t *part; /* enum mlv_part of each allocation */
	/* Stacks that grow steadily, the fastest first. */
	MLV_VEC(struct mlv_grower) growers;
	/* What was alive at the ends of steps; of many steps, some that are evenly apart. */
	size_t points;
	uint32_t *at;           /* the step of each point */
	double *total;          /* bytes at each point */
	struct mlv_trend trend; /* of total, without the first */
};

/* MLV_E_NOMEM only. */
enum mlv_rc mlv_lifetimes_init(struct mlv_lifetimes *l, const struct mlv_history *h,
			       struct mlv_err *err);
void mlv_lifetimes_fini(struct mlv_lifetimes *l);

/* When the program gave an allocation back: an event, or MLV_NEVER. */
static inline uint32_t mlv_alloc_released(const struct mlv_alloc *a)
{
	return a->free_requested != MLV_NEVER ? a->free_requested : a->died;
}

/* "within a step" */
const char *mlv_life_name(enum mlv_life life);
const char *mlv_part_name_of(enum mlv_part part);

#endif
