/* SPDX-License-Identifier: MIT */
#ifndef MLV_ANALYSIS_MEMORY_DIFF_H
#define MLV_ANALYSIS_MEMORY_DIFF_H
/*
 * Two memory histories side by side. Allocations are matched by their stacks,
 * never by address: first by every line, then by functions, then without the
 * callers that only wrap (stack_keys.h). Every allocation belongs to exactly
 * one entry, so that the changes of all entries sum to the change of the peak.
 *
 * Everywhere [0] is A and [1] is B; a change is B - A.
 */
#include "analysis/callsite.h"
#include "analysis/figures.h"
#include "analysis/growth/verdict.h"
#include "analysis/history.h"
#include "analysis/stack_keys.h"

/* What one of the two holds; all borrowed. */
struct mlv_memory_side {
	const struct mlv_history *history;
	struct mlv_sites *sites;
	const struct mlv_stack_keys *keys;
	const struct mlv_verdict *verdict; /* of this device, with the stacks that grow; NULL */
	bool allocated_known;              /* by a replay that was exact */
	uint64_t allocated_peak, allocated_end;
};

enum mlv_amount_of {
	MLV_AMOUNT_PEAK,    /* alive at the run's own peak of requested bytes */
	MLV_AMOUNT_END,     /* alive after the last event */
	MLV_AMOUNT_TRAFFIC, /* allocated during the recording */
	MLV_AMOUNTS,
};

struct mlv_amount {
	uint64_t bytes, count; /* requested bytes, allocations */
};

/* Stacks of A and B that are one; or those of one side with no partner. */
struct mlv_stack_diff {
	uint64_t key; /* for a stable order: the same whichever run comes first */
	mlv_stackid stack[2];
	bool present[2];
	bool before;                /* older than the recording: their stacks are not known */
	enum mlv_stack_level level; /* on which they matched */
	unsigned wrappers[2];       /* bits of those that stand on this side alone */
	struct mlv_amount amount[2][MLV_AMOUNTS];
	double growth[2]; /* requested bytes that it leaves behind in each step */
};

/* How much of a run passes through a wrapper. */
struct mlv_wrapper_use {
	uint64_t stacks, allocations;
};

struct mlv_memory_diff {
	struct mlv_memory_side side[2];
	mlv_figures figures;
	MLV_VEC(struct mlv_stack_diff) stacks; /* by the size of their change at the peak */
	size_t differing; /* they come first; the rest is equal in all amounts */
	struct mlv_wrapper_use wrappers[2][MLV_WRAPPERS];
};

/* MLV_E_NOMEM only. */
enum mlv_rc mlv_memory_diff_init(struct mlv_memory_diff *d, const struct mlv_memory_side *a,
				 const struct mlv_memory_side *b, struct mlv_err *err);
void mlv_memory_diff_fini(struct mlv_memory_diff *d);

static inline int64_t mlv_stack_change(const struct mlv_stack_diff *s, enum mlv_amount_of what)
{
	return (int64_t)(s->amount[1][what].bytes - s->amount[0][what].bytes);
}

static inline double mlv_stack_growth_change(const struct mlv_stack_diff *s)
{
	return s->growth[1] - s->growth[0];
}

/*
 * The entries whose growth differs, the largest change first: up to `most` of
 * them go to `list`. Returns how many there are.
 */
size_t mlv_memory_diff_growers(const struct mlv_memory_diff *d, const struct mlv_stack_diff **list,
			       size_t most);

static inline bool mlv_wrapper_one_sided(const struct mlv_memory_diff *d, enum mlv_wrapper w)
{
	return !d->wrappers[0][w].stacks != !d->wrappers[1][w].stacks;
}

/* "new", "gone", "grown", "shrunk" or "equal", by an amount. */
const char *mlv_stack_diff_kind(const struct mlv_stack_diff *s, enum mlv_amount_of what);

/* Within the analysis: fill d->figures (memory_figures.c). False when memory runs out. */
bool mlv_memory_figures(struct mlv_memory_diff *d);

#endif
