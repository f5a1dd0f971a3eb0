/* SPDX-License-Identifier: MIT */
#ifndef MLV_REPLAY_FREE_SPACE_H
#define MLV_REPLAY_FREE_SPACE_H
/*
 * The free space of an allocator at one moment: how much there is for whom, in
 * what pieces, and which live blocks keep the segments it lies in from being
 * given back.
 */
#include "replay/recorded.h"

/* Free blocks that one kind of request can use: those of its pool and stream. */
struct mlv_free_share {
	uint32_t pool; /* row of run->pools */
	bool small;
	uint64_t stream;
	uint64_t bytes, largest; /* together; of the largest block */
	uint64_t blocks;
};

/* Live blocks of one stack in segments that are partly free. */
struct mlv_pin {
	mlv_stackid stack;
	uint64_t blocks, bytes; /* of the live blocks */
	/* Free bytes of the segments they lie in, in proportion where several stacks share one. */
	uint64_t pinned;
	uint64_t segments;
	uint32_t oldest; /* event that the oldest was born at; MLV_NEVER: before the recording */
};

struct mlv_free_space {
	MLV_VEC(struct mlv_free_share) shares; /* most bytes first */
	MLV_VEC(struct mlv_pin) pins;          /* most pinned first */
	uint64_t bytes, largest;               /* of all free blocks */
	uint64_t releasable; /* free bytes that the allocator could give back to the device */
	uint64_t pending;    /* given back by the program, awaiting a stream */
	uint64_t internal;   /* blocks' bytes beyond what was requested */
};

/* MLV_E_NOMEM only. The pins are of segments of the pool that `pool` and `small` name. */
enum mlv_rc mlv_free_space_init(struct mlv_free_space *s, const struct mlv_history *h,
				const struct mlv_allocator *a, uint32_t pool, bool small,
				struct mlv_err *err);
void mlv_free_space_fini(struct mlv_free_space *s);

/* The share of a pool and stream; NULL: nothing is free there. */
const struct mlv_free_share *mlv_free_space_share(const struct mlv_free_space *s, uint32_t pool,
						  bool small, uint64_t stream);

#endif
