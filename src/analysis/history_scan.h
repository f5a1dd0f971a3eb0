/* SPDX-License-Identifier: MIT */
#ifndef MLV_ANALYSIS_HISTORY_SCAN_H
#define MLV_ANALYSIS_HISTORY_SCAN_H
/*
 * The state in which a history is made, shared by history.c, which walks the
 * events, and history_heap.c, which holds them against the final blocks.
 */
#include "analysis/history.h"
#include "base/map.h"

#define MLV_HISTORY_OLDER UINT32_C(0x80000000)

/*
 * One pass over the events with a map from address to living allocation, then
 * the final blocks. What turns out to be older than the recording is collected
 * apart and put in front at the end, since its place in the stack is below.
 */
struct mlv_history_scan {
	struct mlv_history *h;
	MLV_VEC(struct mlv_alloc) traced;
	MLV_VEC(struct mlv_alloc) older;
	MLV_VEC(uint32_t) others;
	MLV_VEC(uint32_t) deaths; /* as in `living`, until they are joined */
	/* address -> index in traced, or MLV_HISTORY_OLDER + index in older */
	struct mlv_map living;
	/* Sums relative to the initial state, which is known only at the end. */
	int64_t requested, requested_peak, reserved, reserved_peak, reserved_least;
	uint64_t pending;
};

/* Damaged sizes may add up to anything: the sums then wrap, as the counters of a program would. */
static inline int64_t mlv_history_plus(int64_t sum, uint64_t bytes)
{
	return (int64_t)((uint64_t)sum + bytes);
}

static inline struct mlv_alloc *mlv_history_living(struct mlv_history_scan *s, uint32_t index)
{
	return index & MLV_HISTORY_OLDER ? &s->older.data[index & ~MLV_HISTORY_OLDER]
					 : &s->traced.data[index];
}

/* history_heap.c */

/*
 * A recorder told to skip free_completed leaves none at all, while more frees
 * were requested than blocks are still waiting at the end.
 */
bool mlv_history_frees_implied(const struct mlv_history *h, const struct mlv_device *d);

/*
 * Hold the allocations that are left against the blocks in use at the end,
 * and add what was there before the recording began. *reserved is what the
 * final segments hold. False when memory runs out.
 */
bool mlv_history_match_heap(struct mlv_history_scan *s, const struct mlv_device *device,
			    uint64_t *reserved);

#endif
