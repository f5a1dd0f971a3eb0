/* SPDX-License-Identifier: MIT */
#ifndef MLV_REPLAY_DRIVER_H
#define MLV_REPLAY_DRIVER_H
/*
 * A model of where a driver puts device memory. It matters because the caching
 * allocator breaks ties between equally large free blocks by address: the
 * order of its segments decides what is reused, and so what it comes to
 * reserve. No vendor documents it; a policy is a profile with a name, found by
 * experiment, and docs/replay.md says on which machines.
 */
#include <stdbool.h>
#include <stdint.h>

#include "analysis/history.h"
#include "base/map.h"
#include "replay/backend.h"
#include "replay/block_set.h"

enum mlv_driver_profile {
	/*
	 * NVIDIA data-centre drivers on Linux (580, H200): space is taken in chunks of 32 MiB and
	 * multiples, from above downwards; rests of the newest chunk are filled first.
	 */
	MLV_DRIVER_CHUNKS,
	MLV_DRIVER_ASCENDING,  /* the lowest place that fits */
	MLV_DRIVER_DESCENDING, /* the highest */
	MLV_DRIVER_PROFILES,
};

struct mlv_driver_chunk {
	uint64_t addr, bytes;
	uint64_t used;
	bool fixed; /* of the process's context: it never becomes empty */
};

struct mlv_driver {
	enum mlv_driver_profile profile;
	uint64_t capacity; /* bytes that can be taken; 0: no limit */
	uint64_t taken;
	uint64_t lowest;      /* below it everything is free; ascending: from it on */
	uint64_t adopted;     /* end of the last adopted piece */
	uint64_t next_range;  /* addresses for expandable segments */
	uint64_t range_bytes; /* of each */
	MLV_VEC(struct mlv_driver_chunk) chunks; /* in the order of their creation */
	MLV_VEC(uint64_t) largest; /* a tree of maxima over the largest rest of each chunk */
	size_t leaves;             /* of that tree: a power of two */
	struct mlv_blocks rows;
	struct mlv_block_set rests;  /* free parts of chunks: the chunk stands for the stream */
	struct mlv_block_set holes;  /* free space between chunks, by address */
	struct mlv_map pieces;       /* addr -> chunk */
	struct mlv_map starts, ends; /* of rests and holes -> row */
	bool no_memory;              /* of the host: answers are worthless from then on */
};

/* False when memory runs out; fini it then, too. */
bool mlv_driver_init(struct mlv_driver *d, enum mlv_driver_profile profile, uint64_t capacity);
void mlv_driver_fini(struct mlv_driver *d);

/* Where the next piece goes, without regard to the capacity. False when memory runs out. */
bool mlv_driver_place(struct mlv_driver *d, uint64_t bytes, uint64_t *addr);
/* Take it back. Addresses that were never given are ignored. */
void mlv_driver_remove(struct mlv_driver *d, uint64_t addr, uint64_t bytes);
/*
 * A piece from before, at an address of its own: to be called in ascending order, before anything
 * is placed. What overlaps the one before it is left out.
 */
bool mlv_driver_adopt(struct mlv_driver *d, uint64_t addr, uint64_t bytes);

struct mlv_backend mlv_driver_backend(struct mlv_driver *d);

/* How many of a recording's segment addresses, after the first, a profile explains. */
struct mlv_driver_share {
	uint64_t allocs, explained;
};

bool mlv_driver_explain(enum mlv_driver_profile profile, const struct mlv_history *h,
			struct mlv_driver_share *share);
/*
 * The profile that explains most, MLV_DRIVER_CHUNKS where the recording shows too little. Both:
 * false when memory runs out.
 */
bool mlv_driver_learn(const struct mlv_history *h, enum mlv_driver_profile *profile,
		      struct mlv_driver_share *share);

/*
 * The same for addresses that were seen elsewhere: `explains` says how many of them a profile
 * expects, or by false that memory ran out.
 */
typedef bool mlv_driver_explains(const void *state, enum mlv_driver_profile profile,
				 struct mlv_driver_share *share);
bool mlv_driver_choose(mlv_driver_explains *explains, const void *state,
		       enum mlv_driver_profile *profile, struct mlv_driver_share *share);

const char *mlv_driver_profile_name(enum mlv_driver_profile profile);

#endif
