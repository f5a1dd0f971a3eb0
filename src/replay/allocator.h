/* SPDX-License-Identifier: MIT */
#ifndef MLV_REPLAY_ALLOCATOR_H
#define MLV_REPLAY_ALLOCATOR_H
/*
 * A model of PyTorch's CUDA caching allocator for one device, exact in what it
 * decides: which free block is used, what is split and merged, when memory is
 * asked from the device, in which order it is given back. Source:
 * c10/cuda/CUDACachingAllocator.cpp; each function names the one it follows.
 *
 * allocator.c holds malloc and free, expandable.c the segments that grow,
 * release.c the ways of giving memory back.
 */
#include <stdbool.h>
#include <stdint.h>

#include "replay/backend.h"
#include "replay/block_set.h"
#include "replay/conf.h"

struct mlv_alloc_stat {
	uint64_t now, peak;
};

/* Under the names of torch.cuda.memory_stats(), all pools together; bytes, or counts. */
struct mlv_alloc_stats {
	struct mlv_alloc_stat requested_bytes, allocated_bytes, active_bytes, reserved_bytes;
	struct mlv_alloc_stat inactive_split_bytes;
	uint64_t num_alloc_retries, num_ooms, num_device_alloc, num_device_free;
	uint64_t collections; /* garbage collections that released something */
};

/* Default or private pool, small or large half: rows come in pairs, the large half first. */
struct mlv_cache_pool {
	struct mlv_block_set free, unmapped;
	uint32_t calls; /* of get_free_block, while garbage collection is on */
	bool small;
	bool freeable; /* a private pool that nobody uses any more */
};

struct mlv_cache_range {
	uint64_t addr, bytes, granule;
};

struct mlv_allocator {
	struct mlv_alloc_conf conf;
	struct mlv_backend backend;
	uint64_t allowed; /* by set_per_process_memory_fraction; 0: not set; MLV_LIMIT_UNKNOWN */
	/*
	 * The allocator waits for the device: frees that waited for a stream complete now, by calls
	 * of mlv_allocator_free. NULL: nothing waits.
	 */
	void (*complete_frees)(void *program);
	void *program;
	struct mlv_blocks blocks;
	MLV_VEC(struct mlv_cache_pool) pools;
	MLV_VEC(struct mlv_cache_range) ranges;
	struct mlv_alloc_stats stats;
	bool capturing; /* CUDA graphs are being captured: nothing of the default pool is released
			 */
	bool no_memory; /* the host's ran out: the allocator is of no more use */
};

/* There was a limit, since garbage collection ran, but nobody says which. */
#define MLV_LIMIT_UNKNOWN UINT64_MAX

enum mlv_malloc {
	MLV_MALLOC_OK,
	MLV_MALLOC_OOM,   /* the device's, or the limit's */
	MLV_MALLOC_NOMEM, /* the host's */
};

/* False when memory runs out; fini it then, too. `pools`: private ones and the default one. */
bool mlv_allocator_init(struct mlv_allocator *a, const struct mlv_alloc_conf *conf,
			const struct mlv_backend *backend, uint64_t allowed, uint32_t pools);
void mlv_allocator_fini(struct mlv_allocator *a);

/* `pool` 0 is the default one. `owner` is kept with the block. */
enum mlv_malloc mlv_allocator_malloc(struct mlv_allocator *a, uint32_t pool, uint64_t stream,
				     uint64_t bytes, uint32_t owner, mlv_blockid *block);

/* The program gives the block back: it counts as allocated no longer. */
void mlv_allocator_free_request(struct mlv_allocator *a, mlv_blockid block);
/* No stream uses it any more: it is free. Requests the free if that was not done. */
void mlv_allocator_free(struct mlv_allocator *a, mlv_blockid block);

/* torch.cuda.empty_cache() */
void mlv_allocator_empty_cache(struct mlv_allocator *a);

/* ---- between the files of the allocator ---- */

static inline struct mlv_cache_block *mlv_cache_at(const struct mlv_allocator *a, mlv_blockid id)
{
	return mlv_block_at(&a->blocks, id);
}

static inline bool mlv_cache_is_split(const struct mlv_cache_block *b)
{
	return b->prev || b->next;
}

static inline void mlv_stat_add(struct mlv_alloc_stat *s, uint64_t bytes)
{
	s->now += bytes;
	if (s->now > s->peak)
		s->peak = s->now;
}

static inline void mlv_stat_sub(struct mlv_alloc_stat *s, uint64_t bytes)
{
	s->now -= bytes;
}

/* Into and out of the set that fits the block's state, free or unmapped. */
void mlv_cache_insert(struct mlv_allocator *a, mlv_blockid id, enum mlv_cache_state state);
void mlv_cache_remove(struct mlv_allocator *a, mlv_blockid id);
/* try_merge_blocks: take `src`, a neighbour, into `dst` if both are without use and alike. */
void mlv_cache_merge(struct mlv_allocator *a, mlv_blockid dst, mlv_blockid src);
/* A block for the first `bytes` of `id`, which keeps the rest. Neither is in a set. */
mlv_blockid mlv_cache_cut_front(struct mlv_allocator *a, mlv_blockid id, uint64_t bytes);

/* try_allocate_expandable_block; 0: the device has no memory, or the host (no_memory). */
mlv_blockid mlv_cache_expand(struct mlv_allocator *a, uint32_t pool, uint64_t stream,
			     uint64_t bytes);
/* unmap_block, and release_expandable_segment when that leaves nothing. */
void mlv_cache_unmap(struct mlv_allocator *a, mlv_blockid id);

/* garbage_collect_cached_blocks */
void mlv_cache_collect(struct mlv_allocator *a);
/* release_available_cached_blocks: whether enough was released to try again */
bool mlv_cache_release_available(struct mlv_allocator *a, uint32_t pool, uint64_t stream,
				 uint64_t bytes);
/* release_cached_blocks */
void mlv_cache_release_all(struct mlv_allocator *a);

#endif
