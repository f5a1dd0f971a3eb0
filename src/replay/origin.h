/* SPDX-License-Identifier: MIT */
#ifndef MLV_REPLAY_ORIGIN_H
#define MLV_REPLAY_ORIGIN_H
/*
 * Where a recording starts, and what it leaves unsaid: the segments that
 * existed before its first event, the blocks in them, and the pool of each
 * allocation. All follow from the heap at the end by going back through the
 * events: what was taken since then was not there, what was given back was.
 */
#include <stdint.h>

#include "analysis/history.h"
#include "replay/allocator.h"

struct mlv_origin_segment {
	uint64_t addr, bytes, stream;
	uint32_t pool; /* row of run->pools */
	bool small, expandable;
};

struct mlv_origin {
	const struct mlv_history *history; /* borrowed */
	/* Of each event: the allocation (row of history->allocs) it is about; MLV_NEVER: none. */
	uint32_t *alloc_of;
	/* Of each event that takes a segment, and of each allocation: row of run->pools. */
	uint16_t *event_pool, *alloc_pool;
	/* Bytes of the blocks of allocations that are older than the recording. */
	uint64_t *initial_bytes;
	/* Whether these are certain; else a block may be larger, by up to 1 MiB. */
	bool *initial_known;
	MLV_VEC(struct mlv_origin_segment) segments; /* before the first event, by address */
	uint64_t inferred;                           /* initial blocks whose size is not certain */
	uint64_t homeless; /* initial allocations outside of all segments */
	uint64_t outside;  /* allocations of the recording at addresses of no segment */
};

enum mlv_rc mlv_origin_init(struct mlv_origin *o, const struct mlv_history *h,
			    const struct mlv_alloc_conf *conf, struct mlv_err *err);
void mlv_origin_fini(struct mlv_origin *o);

/*
 * Fill a fresh allocator with what was there; blocks[row of history->allocs] becomes the block of
 * each initial allocation, 0 where there is no place for it. False when memory runs out.
 */
bool mlv_origin_fill(const struct mlv_origin *o, struct mlv_allocator *a, mlv_blockid *blocks);

/* Between the files of this module: sizes of the initial blocks. */
bool mlv_origin_sizes(struct mlv_origin *o, const struct mlv_alloc_conf *conf);

/* The stream of a track, as the handle that PyTorch compares. */
uint64_t mlv_origin_stream(const struct mlv_run *run, mlv_trackid track);

#endif
