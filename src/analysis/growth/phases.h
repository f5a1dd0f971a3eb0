/* SPDX-License-Identifier: MIT */
#ifndef MLV_ANALYSIS_GROWTH_PHASES_H
#define MLV_ANALYSIS_GROWTH_PHASES_H
/*
 * Samples of memory as steps and phases, whoever wrote them. Reports number
 * their steps and name the phase that has just ended ("after_forward"); logs
 * repeat their messages ("before bwd"), so that the first message that comes
 * again begins a step. A message that says "before" is a moment after the
 * phase that comes first. Other words stay phases of their own, in the order
 * in which they were written.
 */
#include "base/vec.h"
#include "model/run.h"

/* The moments of a step, in their order. */
enum mlv_phase {
	MLV_PHASE_MODEL, /* before the first step */
	MLV_PHASE_OPTIMIZER_CREATION,
	MLV_PHASE_INPUT,
	MLV_PHASE_START,   /* before the forward pass */
	MLV_PHASE_FORWARD, /* after it, and so on */
	MLV_PHASE_BACKWARD,
	MLV_PHASE_OPTIMIZER,
	MLV_PHASE_CLEAR,
	MLV_PHASE_OTHER,
	MLV_PHASES,
};

struct mlv_moment {
	int32_t step; /* its row in `steps`; -1: before the first */
	enum mlv_phase phase;
	mlv_strid label;                                /* as written */
	int64_t allocated, reserved, peak, device_used; /* bytes; -1: not told */
	int64_t resolution; /* of allocated: what its last digit means */
	uint32_t order;     /* in which it was written */
};

struct mlv_phase_step {
	int64_t number;      /* as the report counts, else from 0 */
	size_t first, count; /* moments */
};

struct mlv_phase_grid {
	const struct mlv_run *run; /* borrowed */
	mlv_trackid track;
	int64_t rank;                       /* -1: unknown */
	MLV_VEC(struct mlv_moment) moments; /* by step, then by phase */
	MLV_VEC(struct mlv_phase_step) steps;
	uint32_t repeats;    /* moments that were written twice: the last one counts */
	bool from_the_start; /* its first step is the first of the run */
};

/* The tracks of a run that have samples of allocated memory. free() *tracks. MLV_E_NOMEM only. */
enum mlv_rc mlv_phase_tracks(const struct mlv_run *run, mlv_trackid **tracks, size_t *count,
			     struct mlv_err *err);

/* MLV_E_NOMEM only. */
enum mlv_rc mlv_phase_grid_init(struct mlv_phase_grid *g, const struct mlv_run *run,
				mlv_trackid track, struct mlv_err *err);
void mlv_phase_grid_fini(struct mlv_phase_grid *g);

/* The moment of that phase in a step (-1: before the first), the last one of that name; or NULL. */
const struct mlv_moment *mlv_phase_at(const struct mlv_phase_grid *g, int32_t step,
				      enum mlv_phase phase);
/* From which the forward pass of the step began: the last moment before it. NULL: none. */
const struct mlv_moment *mlv_phase_base(const struct mlv_phase_grid *g, int32_t step);

enum mlv_phase mlv_phase_of(struct mlv_str label);
/* "forward" */
const char *mlv_phase_name(enum mlv_phase phase);

#endif
