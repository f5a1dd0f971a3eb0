/* SPDX-License-Identifier: MIT */
#ifndef MLV_REPLAY_SEGMENT_MAP_H
#define MLV_REPLAY_SEGMENT_MAP_H
/*
 * What an allocator holds at one moment, place by place: its segments grouped
 * by who may use them, and the blocks that tile each. It is a copy: the replay
 * may go on.
 */
#include "replay/allocator.h"

struct mlv_map_block {
	uint64_t addr, bytes;
	uint64_t requested; /* of allocated and pending blocks */
	uint32_t owner;     /* row of history->allocs; MLV_NEVER, or of others: none */
	uint8_t state;      /* enum mlv_cache_state */
};

struct mlv_map_segment {
	/*
	 * Of expandable segments up to where memory was last mapped; the addresses behind that were
	 * only reserved, and are more than the device has memory.
	 */
	uint64_t addr, bytes;
	uint64_t mapped; /* bytes with memory: less only where parts were unmapped in between */
	uint64_t free_bytes;
	size_t first_block, blocks;
	bool expandable;
};

/* Segments that serve the same requests: one pool, small or large ones, and one stream. */
struct mlv_map_group {
	uint32_t pool; /* row of run->pools */
	bool small;
	uint64_t stream;
	size_t first_segment, segments;
	uint64_t mapped, free_bytes, free_blocks, largest;
	uint64_t bytes; /* of the segments: mapped, and unmapped in between */
};

/* Bytes by what is the matter with them; all but `unmapped` together are what is reserved. */
struct mlv_map_sums {
	uint64_t requested; /* by the program, of what it has */
	uint64_t rounding;  /* within its blocks, beyond what was requested */
	uint64_t pending;   /* blocks that it gave back, while a stream still uses them */
	uint64_t free_bytes;
	uint64_t unmapped;
};

struct mlv_segment_map {
	MLV_VEC(struct mlv_map_block) blocks;     /* of a segment in a row, by address */
	MLV_VEC(struct mlv_map_segment) segments; /* of a group in a row, by address */
	MLV_VEC(struct mlv_map_group) groups; /* by pool, the large half first, then by stream */
	struct mlv_map_sums sums;
	uint64_t free_blocks, live_blocks;
	size_t largest; /* the largest free block, the first of equals; SIZE_MAX: nothing is free
			 */
};

/* MLV_E_NOMEM only. */
enum mlv_rc mlv_segment_map_init(struct mlv_segment_map *m, const struct mlv_allocator *a,
				 struct mlv_err *err);
void mlv_segment_map_fini(struct mlv_segment_map *m);

/* Add what one block is. */
void mlv_map_sums_add(struct mlv_map_sums *s, const struct mlv_map_block *b);

#endif
