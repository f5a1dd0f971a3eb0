/* SPDX-License-Identifier: MIT */
#ifndef MLV_ANALYSIS_GROWTH_VERDICT_H
#define MLV_ANALYSIS_GROWTH_VERDICT_H
/*
 * What makes the memory of one run, on one rank or device, grow: activations,
 * state that stays, or something that is added step by step. A verdict holds
 * its three components, what they are measured from, and what acts on them.
 * It owns its texts; those who judge (phase_verdict.h, heap_verdict.h) fill it.
 */
#include <stdbool.h>
#include <stdint.h>

#include "analysis/growth/advice.h"
#include "base/arena.h"
#include "base/diag.h"
#include "base/vec.h"
#include "model/run.h"

enum mlv_growth {
	MLV_GROWTH_UNKNOWN,
	MLV_GROWTH_STABLE,
	MLV_GROWTH_ACTIVATION,
	MLV_GROWTH_PERSISTENT,
	MLV_GROWTH_CUMULATIVE,
	MLV_GROWTHS,
};

enum mlv_confidence { MLV_CONFIDENCE_LOW, MLV_CONFIDENCE_MEDIUM, MLV_CONFIDENCE_HIGH };

/* A figure within a step, for a picture of the evidence. */
struct mlv_evidence_point {
	double x; /* the step and how far it is on */
	int64_t bytes;
	bool base; /* what the next step begins with */
};

/* What is there in every step: the baseline is the sum of them. */
struct mlv_fixed_part {
	const char *name; /* "parameters", "library workspace, first forward" */
	int64_t bytes;
};

/* A stack whose live bytes grow from step to step. */
struct mlv_leak {
	mlv_stackid stack;
	uint32_t site;                         /* equal for stacks of one call site */
	const char *function, *place, *frames; /* the call site, and the innermost frames */
	double bytes_per_step, count_per_step;
	uint64_t live_bytes, live_count; /* at the end of the last step */
};

/* What allocations are for, as inferred. */
struct mlv_category_share {
	const char *name;
	uint64_t bytes; /* at the peak */
	uint64_t count;
};

/* Moments of a step at which ranks are compared. */
enum mlv_moment_of {
	MLV_AFTER_FORWARD,
	MLV_AFTER_BACKWARD,
	MLV_AFTER_OPTIMIZER,
	MLV_AFTER_STEP,
	MLV_AT_PEAK, /* of all: where nothing else is told */
	MLV_MOMENTS,
};

/* What lies between what is requested at the peak and what the allocator holds then. */
struct mlv_waterfall {
	bool known;
	int64_t event; /* the peak; -1: the initial state */
	/* rounding: up to multiples of 512; with `exact`, up to the blocks that a replay finds. */
	uint64_t requested, rounding, reserved;
	bool exact;
};

struct mlv_verdict {
	const struct mlv_run *run; /* borrowed */
	int64_t rank, device;      /* -1: unknown, or not of one device */
	size_t device_row;         /* of the run's devices, where it is of one */
	const char *source;        /* "phases", "allocations", …: what it was judged from */
	enum mlv_growth growth;
	enum mlv_confidence confidence;
	int64_t activation_bytes, persistent_bytes, cumulative_bytes; /* the last one: per step */
	size_t steps;
	int64_t peak_bytes;     /* the most that was allocated; -1: not told */
	int64_t reserved_bytes; /* the most that was reserved; -1: not told */
	int64_t first_bytes;    /* what was there before the first step; -1: not told */
	bool has_state;         /* an optimizer was seen to add state that stays */
	/* After each part of a step: the median over the steps after the first; -1: not told. */
	int64_t after[MLV_MOMENTS];
	int64_t device_bytes;     /* the device's memory; 0: not told */
	int64_t outside_bytes;    /* of the device used outside the allocator; -1: not told */
	int64_t steps_until_full; /* -1: it does not grow, or the device is not known */

	struct mlv_arena texts;
	MLV_VEC(struct mlv_fixed_part) fixed;
	MLV_VEC(const char *) evidence;
	MLV_VEC(struct mlv_evidence_point) points;     /* ascending x */
	MLV_VEC(struct mlv_leak) leaks;                /* the fastest first */
	MLV_VEC(struct mlv_category_share) categories; /* at the peak; their sum is requested */
	MLV_VEC(struct mlv_category_share) modules;    /* the same by source file, largest first */
	struct mlv_waterfall waterfall;
	MLV_VEC(enum mlv_advice) advice;  /* what acts on the cause */
	MLV_VEC(enum mlv_advice) against; /* what people try, and would not help */
	struct mlv_diags notes;           /* where the input contradicts itself */
	bool failed;                      /* memory ran out while it was made */
};

void mlv_verdict_init(struct mlv_verdict *v, const struct mlv_run *run, int64_t rank,
		      int64_t device, const char *source);
void mlv_verdict_fini(struct mlv_verdict *v);

/* Add to it; a failure is kept in `failed`. */
void mlv_verdict_say(struct mlv_verdict *v, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
void mlv_verdict_part(struct mlv_verdict *v, const char *name, int64_t bytes);

/* `when` = MLV_AFTER_STEP is a baseline. */
void mlv_verdict_point(struct mlv_verdict *v, int64_t step, enum mlv_moment_of when, int64_t bytes);
/* "forward": the part of a step that has ended */
const char *mlv_moment_name(enum mlv_moment_of m);
/* "cumulative", "high" */
const char *mlv_growth_name(enum mlv_growth g);
const char *mlv_confidence_name(enum mlv_confidence c);

/* So much of it matters: 1 MiB at least, and a hundredth of the peak. */
bool mlv_verdict_matters(const struct mlv_verdict *v, int64_t bytes);

/* When growth that goes on fills the device, where both are known. */
void mlv_verdict_until_full(struct mlv_verdict *v);

/* Which of the components decides, given how far each of them scatters. */
enum mlv_growth mlv_verdict_dominant(const struct mlv_verdict *v, double activation_spread,
				     double persistent_spread);

/* Whether there were steps enough to tell growth: else that there is none was not measured. */
static inline bool mlv_verdict_tells_growth(const struct mlv_verdict *v)
{
	return v->growth != MLV_GROWTH_UNKNOWN || v->cumulative_bytes || v->steps >= 3;
}

/* Fill in what acts on the verdict, and what does not. */
void mlv_verdict_conclude(struct mlv_verdict *v);

#endif
