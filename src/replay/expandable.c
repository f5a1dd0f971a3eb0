/* SPDX-License-Identifier: MIT */
/*
 * Expandable segments: a large range of addresses for each pool and stream, of
 * which granules are mapped at the end as they are needed, and unmapped
 * wherever whole ones are free.
 */
#include "replay/allocator.h"

static uint64_t granule_of(const struct mlv_allocator *a, uint32_t pool)
{
	return a->pools.data[pool].small ? MLV_ALLOC_BUFFER : a->conf.large_segment;
}

/* Free or unmapped: it may become part of an allocation. */
static bool is_allocatable(const struct mlv_allocator *a, mlv_blockid id)
{
	uint8_t state = mlv_cache_at(a, id)->state;
	return id && (state == MLV_CACHE_FREE || state == MLV_CACHE_UNMAPPED);
}

static bool has_room(const struct mlv_allocator *a, mlv_blockid id, uint64_t size)
{
	uint64_t bytes = 0;
	for (; bytes < size && is_allocatable(a, id); id = mlv_cache_at(a, id)->next)
		bytes += mlv_cache_at(a, id)->size;
	return bytes >= size;
}

/* A new range of addresses, as one unmapped block. */
static mlv_blockid new_range(struct mlv_allocator *a, uint32_t pool, uint64_t stream)
{
	struct mlv_cache_range r = { .granule = granule_of(a, pool) };
	if (!a->backend.reserve(a->backend.state, r.granule, stream, &r.addr, &r.bytes))
		return 0;
	mlv_blockid id = mlv_block_new(&a->blocks);
	if (!id || !mlv_vec_push(&a->ranges, r)) {
		a->no_memory = true;
		return 0;
	}
	struct mlv_cache_block *b = mlv_cache_at(a, id);
	b->addr = r.addr;
	b->size = r.bytes;
	b->stream = stream;
	b->pool = pool;
	b->range = (uint32_t)(a->ranges.len - 1);
	mlv_cache_insert(a, id, MLV_CACHE_UNMAPPED);
	return id;
}

/* find_expandable_block: the lowest run of free and unmapped blocks that is long enough. */
static mlv_blockid find(struct mlv_allocator *a, uint32_t pool, uint64_t stream, uint64_t size)
{
	const struct mlv_block_set *set = &a->pools.data[pool].unmapped;
	mlv_blockid id =
		mlv_block_set_from(&a->blocks, set, (struct mlv_block_key){ stream, 0, 0, 0 });
	for (; id && mlv_cache_at(a, id)->stream == stream;
	     id = mlv_block_set_next(&a->blocks, set, id)) {
		mlv_blockid first = mlv_cache_at(a, id)->prev;
		if (!is_allocatable(a, first))
			first = id;
		if (has_room(a, first, size))
			return first;
	}
	return new_range(a, pool, stream);
}

/* map_block: memory for the first `size` bytes of an unmapped block, in whole granules. */
static bool map_block(struct mlv_allocator *a, mlv_blockid id, uint64_t size)
{
	struct mlv_cache_block *b = mlv_cache_at(a, id);
	uint64_t granule = a->ranges.data[b->range].granule;
	uint64_t bytes = (size + granule - 1) / granule * granule;
	if (bytes > b->size)
		bytes = b->size;
	if (!a->backend.map(a->backend.state, b->addr, bytes))
		return false;
	mlv_cache_remove(a, id);
	if (bytes < b->size) {
		/* The rest stays where it is, so that `id` is what was mapped. */
		mlv_blockid rest = mlv_block_new(&a->blocks);
		if (!rest) {
			a->no_memory = true;
			return false;
		}
		b = mlv_cache_at(a, id);
		struct mlv_cache_block *r = mlv_cache_at(a, rest);
		r->addr = b->addr + bytes;
		r->size = b->size - bytes;
		r->stream = b->stream;
		r->pool = b->pool;
		r->range = b->range;
		r->prev = id;
		r->next = b->next;
		if (r->next)
			mlv_cache_at(a, r->next)->prev = rest;
		b->next = rest;
		b->size = bytes;
		mlv_cache_insert(a, rest, MLV_CACHE_UNMAPPED);
	}
	b->state = MLV_CACHE_FREE;
	mlv_cache_merge(a, id, b->prev);
	mlv_cache_merge(a, id, b->next);
	mlv_cache_insert(a, id, MLV_CACHE_FREE);
	a->stats.num_device_alloc++;
	mlv_stat_add(&a->stats.reserved_bytes, bytes);
	return true;
}

mlv_blockid mlv_cache_expand(struct mlv_allocator *a, uint32_t pool, uint64_t stream, uint64_t size)
{
	mlv_blockid id = find(a, pool, stream, size);
	if (!id)
		return 0;
	uint64_t have = mlv_cache_at(a, id)->size;
	if (mlv_cache_at(a, id)->state == MLV_CACHE_UNMAPPED &&
	    !map_block(a, id, have < size ? have : size))
		return 0;
	while (mlv_cache_at(a, id)->size < size) {
		mlv_blockid next = mlv_cache_at(a, id)->next;
		uint64_t rest = size - mlv_cache_at(a, id)->size;
		if (!next)
			return 0;
		have = mlv_cache_at(a, next)->size;
		if (!map_block(a, next, have < rest ? have : rest))
			return 0;
		id = next; /* it took in what lay before it */
	}
	mlv_cache_remove(a, id);
	return id;
}

void mlv_cache_unmap(struct mlv_allocator *a, mlv_blockid id)
{
	struct mlv_cache_block *b = mlv_cache_at(a, id);
	const struct mlv_cache_range *r = &a->ranges.data[b->range];
	uint64_t granule = r->granule, from = b->addr - r->addr, to = from + b->size;
	from = (from + granule - 1) / granule * granule;
	to = to / granule * granule;
	if (from >= to)
		return;
	uint64_t begin = r->addr + from, bytes = to - from;
	mlv_cache_remove(a, id);
	if (begin > b->addr) {
		mlv_blockid before = mlv_cache_cut_front(a, id, begin - b->addr);
		if (!before)
			return;
		mlv_cache_insert(a, before, MLV_CACHE_FREE);
		b = mlv_cache_at(a, id);
	}
	if (bytes < b->size) {
		/* `id` becomes the front; the block behind takes the rest. */
		mlv_blockid middle = mlv_cache_cut_front(a, id, bytes);
		if (!middle)
			return;
		mlv_cache_insert(a, id, MLV_CACHE_FREE);
		id = middle;
		b = mlv_cache_at(a, id);
	}
	b->state = MLV_CACHE_UNMAPPED;
	mlv_cache_merge(a, id, b->prev);
	mlv_cache_merge(a, id, b->next);
	mlv_cache_insert(a, id, MLV_CACHE_UNMAPPED);
	a->stats.num_device_free++;
	mlv_stat_sub(&a->stats.reserved_bytes, bytes);
	a->backend.unmap(a->backend.state, begin, bytes);
	b = mlv_cache_at(a, id);
	if (!mlv_cache_is_split(b)) {
		mlv_cache_remove(a, id);
		a->backend.release(a->backend.state, b->addr, b->size);
		mlv_block_drop(&a->blocks, id);
	}
}
