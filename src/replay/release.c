/* SPDX-License-Identifier: MIT */
/* The ways of giving memory back to the device: for one request, all of it, and by age. */
#include "replay/allocator.h"

/* release_block: a segment of its own, free as a whole. */
static void release_block(struct mlv_allocator *a, mlv_blockid id)
{
	struct mlv_cache_block *b = mlv_cache_at(a, id);
	mlv_cache_remove(a, id);
	a->stats.num_device_free++;
	mlv_stat_sub(&a->stats.reserved_bytes, b->size);
	a->backend.free(a->backend.state, b->addr, b->size);
	mlv_block_drop(&a->blocks, id);
}

/* release_blocks. Unmapping changes the set, so what is expandable is collected first. */
static void release_pool(struct mlv_allocator *a, uint32_t pool)
{
	struct mlv_block_set *set = &a->pools.data[pool].free;
	MLV_VEC(mlv_blockid) expandable = { 0 };
	mlv_blockid next;
	for (mlv_blockid id = mlv_block_set_first(&a->blocks, set); id; id = next) {
		const struct mlv_cache_block *b = mlv_cache_at(a, id);
		next = mlv_block_set_next(&a->blocks, set, id);
		if (b->range != MLV_NO_RANGE) {
			if (!mlv_vec_push(&expandable, id))
				a->no_memory = true;
		} else if (!mlv_cache_is_split(b)) {
			release_block(a, id);
		}
	}
	for (size_t i = 0; i < expandable.len && !a->no_memory; i++)
		mlv_cache_unmap(a, expandable.data[i]);
	mlv_vec_free(&expandable);
}

void mlv_cache_release_all(struct mlv_allocator *a)
{
	if (a->complete_frees)
		a->complete_frees(a->program);
	release_pool(a, 0);
	release_pool(a, 1);
	for (uint32_t i = 2; i < a->pools.len; i += 2) {
		if (!a->pools.data[i].freeable)
			continue;
		release_pool(a, i + 1);
		release_pool(a, i);
	}
}

bool mlv_cache_release_available(struct mlv_allocator *a, uint32_t pool, uint64_t stream,
				 uint64_t bytes)
{
	const struct mlv_block_set *set = &a->pools.data[pool].free;
	uint64_t least = a->conf.max_split, released = 0;
	if (least == UINT64_MAX)
		return false;
	struct mlv_block_key key = { stream, bytes < least ? least : bytes, 0, 0 };
	mlv_blockid id = mlv_block_set_from(&a->blocks, set, key);
	while (id && mlv_cache_at(a, id)->stream == stream &&
	       mlv_cache_at(a, id)->range != MLV_NO_RANGE)
		id = mlv_block_set_next(&a->blocks, set, id);
	if (id && mlv_cache_at(a, id)->stream == stream) {
		release_block(a, id);
		return true;
	}
	/* No single block is large enough: several oversize ones, the largest first. */
	id = mlv_block_set_before(&a->blocks, set, key);
	while (id && released < key.size) {
		const struct mlv_cache_block *b = mlv_cache_at(a, id);
		struct mlv_block_key here = { b->stream, b->size, b->addr, id };
		if (b->stream != stream || b->size < least)
			break;
		mlv_blockid smaller = mlv_block_set_before(&a->blocks, set, here);
		if (b->range == MLV_NO_RANGE) {
			released += b->size;
			release_block(a, id);
		}
		id = smaller;
	}
	return released >= key.size;
}

static uint32_t age(const struct mlv_allocator *a, const struct mlv_cache_block *b)
{
	return a->pools.data[b->pool].calls - b->calls;
}

static bool is_collectable(const struct mlv_cache_block *b)
{
	return !mlv_cache_is_split(b) && b->range == MLV_NO_RANGE;
}

/* Whether memory beyond the threshold is still to be given back. */
static bool collecting(const struct mlv_allocator *a)
{
	if (a->allowed == MLV_LIMIT_UNKNOWN)
		return a->backend.collecting && a->backend.collecting(a->backend.state);
	return a->stats.reserved_bytes.now > (uint64_t)(a->conf.gc_threshold * (double)a->allowed);
}

void mlv_cache_collect(struct mlv_allocator *a)
{
	enum { LARGE_OF_DEFAULT = 0 };
	struct mlv_block_set *set = &a->pools.data[LARGE_OF_DEFAULT].free;
	uint64_t total = 0, blocks = 0;
	if (!collecting(a))
		return;
	mlv_blockid next;
	for (mlv_blockid id = mlv_block_set_first(&a->blocks, set); id;
	     id = mlv_block_set_next(&a->blocks, set, id)) {
		if (is_collectable(mlv_cache_at(a, id))) {
			total += age(a, mlv_cache_at(a, id));
			blocks++;
		}
	}
	/* The old half first; what that leaves becomes the measure of the next round. */
	bool any = false;
	for (bool freed = true; freed && blocks && collecting(a);) {
		double average = (double)total / (double)blocks;
		freed = false;
		for (mlv_blockid id = mlv_block_set_first(&a->blocks, set); id; id = next) {
			const struct mlv_cache_block *b = mlv_cache_at(a, id);
			next = mlv_block_set_next(&a->blocks, set, id);
			if (!is_collectable(b) || (double)age(a, b) < average)
				continue;
			freed = any = true;
			total -= age(a, b);
			blocks--;
			release_block(a, id);
		}
	}
	a->stats.collections += any;
}
