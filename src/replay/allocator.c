/* SPDX-License-Identifier: MIT */
#include "replay/allocator.h"

bool mlv_allocator_init(struct mlv_allocator *a, const struct mlv_alloc_conf *conf,
			const struct mlv_backend *backend, uint64_t allowed, uint32_t pools)
{
	*a = (struct mlv_allocator){ .conf = *conf, .backend = *backend, .allowed = allowed };
	for (uint32_t i = 0; i < 2 * pools; i++) {
		struct mlv_cache_pool p = { .free.by_size = true, .small = i & 1 };
		if (!mlv_vec_push(&a->pools, p))
			return false;
	}
	return mlv_blocks_init(&a->blocks);
}

void mlv_allocator_fini(struct mlv_allocator *a)
{
	mlv_vec_free(&a->pools);
	mlv_vec_free(&a->ranges);
	mlv_blocks_fini(&a->blocks);
}

/* Free bytes beside blocks in use; those of expandable segments can be unmapped and do not count.
 */
static bool is_inactive_split(const struct mlv_cache_block *b)
{
	return b->range == MLV_NO_RANGE && mlv_cache_is_split(b);
}

void mlv_cache_insert(struct mlv_allocator *a, mlv_blockid id, enum mlv_cache_state state)
{
	struct mlv_cache_block *b = mlv_cache_at(a, id);
	struct mlv_cache_pool *p = &a->pools.data[b->pool];
	b->state = (uint8_t)state;
	b->calls = p->calls;
	mlv_block_set_insert(&a->blocks, state == MLV_CACHE_FREE ? &p->free : &p->unmapped, id);
}

void mlv_cache_remove(struct mlv_allocator *a, mlv_blockid id)
{
	struct mlv_cache_block *b = mlv_cache_at(a, id);
	struct mlv_cache_pool *p = &a->pools.data[b->pool];
	mlv_block_set_remove(&a->blocks, b->state == MLV_CACHE_FREE ? &p->free : &p->unmapped, id);
}

mlv_blockid mlv_cache_cut_front(struct mlv_allocator *a, mlv_blockid id, uint64_t bytes)
{
	mlv_blockid front = mlv_block_new(&a->blocks);
	if (!front) {
		a->no_memory = true;
		return 0;
	}
	struct mlv_cache_block *rest = mlv_cache_at(a, id), *f = mlv_cache_at(a, front);
	f->addr = rest->addr;
	f->size = bytes;
	f->stream = rest->stream;
	f->pool = rest->pool;
	f->range = rest->range;
	f->state = rest->state;
	f->prev = rest->prev;
	f->next = id;
	if (f->prev)
		mlv_cache_at(a, f->prev)->next = front;
	rest->prev = front;
	rest->addr += bytes;
	rest->size -= bytes;
	return front;
}

void mlv_cache_merge(struct mlv_allocator *a, mlv_blockid dst, mlv_blockid src)
{
	if (!src)
		return;
	struct mlv_cache_block *d = mlv_cache_at(a, dst), *s = mlv_cache_at(a, src);
	bool unmapped = d->state == MLV_CACHE_UNMAPPED;
	if (s->state != (unmapped ? MLV_CACHE_UNMAPPED : MLV_CACHE_FREE))
		return;
	mlv_cache_remove(a, src);
	if (!unmapped && is_inactive_split(s))
		mlv_stat_sub(&a->stats.inactive_split_bytes, s->size);
	if (d->prev == src) {
		d->addr = s->addr;
		d->prev = s->prev;
		if (d->prev)
			mlv_cache_at(a, d->prev)->next = dst;
	} else {
		d->next = s->next;
		if (d->next)
			mlv_cache_at(a, d->next)->prev = dst;
	}
	d->size += s->size;
	mlv_block_drop(&a->blocks, src);
}

/* What an expandable block could grow to without another segment. */
static uint64_t expandable_size(const struct mlv_allocator *a, const struct mlv_cache_block *b)
{
	const struct mlv_cache_block *next = mlv_cache_at(a, b->next);
	return b->size + (b->next && next->state == MLV_CACHE_UNMAPPED ? next->size : 0);
}

/* Best fit counts what a block could grow to: holes that cannot grow come first. */
static mlv_blockid prefer_holes(const struct mlv_allocator *a, const struct mlv_block_set *set,
				mlv_blockid id)
{
	for (;;) {
		const struct mlv_cache_block *b = mlv_cache_at(a, id), *n;
		mlv_blockid next =
			b->range != MLV_NO_RANGE ? mlv_block_set_next(&a->blocks, set, id) : 0;
		n = mlv_cache_at(a, next);
		if (!next || n->stream != b->stream ||
		    expandable_size(a, n) >= expandable_size(a, b))
			return id;
		id = next;
	}
}

/* get_free_block */
static mlv_blockid get_free_block(struct mlv_allocator *a, uint32_t pool, uint64_t stream,
				  uint64_t size)
{
	struct mlv_cache_pool *p = &a->pools.data[pool];
	if (a->allowed && a->conf.gc_threshold > 0)
		p->calls++;
	mlv_blockid id = mlv_block_set_from(&a->blocks, &p->free,
					    (struct mlv_block_key){ stream, size, 0, 0 });
	if (!id || mlv_cache_at(a, id)->stream != stream)
		return 0;
	if (mlv_cache_at(a, id)->range != MLV_NO_RANGE) {
		if (a->conf.expandable) {
			id = prefer_holes(a, &p->free, id);
		} else {
			/* They were switched off: what is there of them is not used. */
			while (id && mlv_cache_at(a, id)->range != MLV_NO_RANGE &&
			       mlv_cache_at(a, id)->stream == stream)
				id = mlv_block_set_next(&a->blocks, &p->free, id);
			if (!id || mlv_cache_at(a, id)->stream != stream)
				return 0;
		}
	}
	uint64_t found = mlv_cache_at(a, id)->size, most;
	if (size < a->conf.max_split && found >= a->conf.max_split)
		return 0;
	if (size >= a->conf.max_split &&
	    (__builtin_add_overflow(size, a->conf.max_non_split_rounding, &most) || found >= most))
		return 0;
	mlv_cache_remove(a, id);
	return id;
}

/* alloc_block */
static mlv_blockid alloc_block(struct mlv_allocator *a, uint32_t pool, uint64_t stream,
			       uint64_t size, bool is_retry)
{
	uint64_t bytes = mlv_alloc_segment_bytes(&a->conf, size), addr, total;
	if (is_retry)
		a->stats.num_alloc_retries++;
	if (a->allowed && (__builtin_add_overflow(a->stats.reserved_bytes.now, bytes, &total) ||
			   total > a->allowed))
		return 0;
	if (a->conf.expandable)
		return mlv_cache_expand(a, pool, stream, size);
	if (!a->backend.alloc(a->backend.state, bytes, stream, &addr))
		return 0;
	mlv_blockid id = mlv_block_new(&a->blocks);
	if (!id) {
		a->no_memory = true;
		return 0;
	}
	struct mlv_cache_block *b = mlv_cache_at(a, id);
	b->addr = addr;
	b->size = bytes;
	b->stream = stream;
	b->pool = pool;
	b->state = MLV_CACHE_FREE;
	a->stats.num_device_alloc++;
	mlv_stat_add(&a->stats.reserved_bytes, bytes);
	return id;
}

/* should_split */
static bool should_split(const struct mlv_allocator *a, const struct mlv_cache_block *b,
			 uint64_t size)
{
	uint64_t rest = b->size - size;
	if (a->pools.data[b->pool].small || a->conf.expandable)
		return rest >= MLV_ALLOC_MIN_BLOCK;
	return size < a->conf.max_split && rest > MLV_ALLOC_SMALL;
}

/* alloc_found_block */
static mlv_blockid use(struct mlv_allocator *a, mlv_blockid id, uint64_t size, uint64_t requested,
		       uint32_t owner)
{
	struct mlv_cache_block *b = mlv_cache_at(a, id);
	if (is_inactive_split(b))
		mlv_stat_sub(&a->stats.inactive_split_bytes, b->size);
	if (should_split(a, b, size)) {
		mlv_blockid rest = id;
		id = mlv_cache_cut_front(a, rest, size);
		if (!id)
			return 0;
		mlv_cache_insert(a, rest, MLV_CACHE_FREE);
		if (mlv_cache_at(a, rest)->range == MLV_NO_RANGE)
			mlv_stat_add(&a->stats.inactive_split_bytes, mlv_cache_at(a, rest)->size);
		b = mlv_cache_at(a, id);
	}
	b->state = MLV_CACHE_ALLOCATED;
	b->requested = requested;
	b->owner = owner;
	mlv_stat_add(&a->stats.allocated_bytes, b->size);
	mlv_stat_add(&a->stats.active_bytes, b->size);
	mlv_stat_add(&a->stats.requested_bytes, requested);
	return id;
}

/* malloc */
enum mlv_malloc mlv_allocator_malloc(struct mlv_allocator *a, uint32_t pool, uint64_t stream,
				     uint64_t bytes, uint32_t owner, mlv_blockid *block)
{
	uint64_t size = mlv_alloc_round(&a->conf, bytes);
	uint32_t half = 2 * pool + (size <= MLV_ALLOC_SMALL);
	if (bytes > MLV_ALLOC_MOST) {
		a->stats.num_ooms++;
		return MLV_MALLOC_OOM;
	}
	mlv_blockid id = get_free_block(a, half, stream, size);
	if (!id) {
		if (a->allowed && a->conf.gc_threshold > 0)
			mlv_cache_collect(a);
		id = alloc_block(a, half, stream, size, false);
	}
	if (!id && !a->no_memory && mlv_cache_release_available(a, half, stream, size))
		id = alloc_block(a, half, stream, size, false);
	if (!id && !a->no_memory && !a->capturing) {
		mlv_cache_release_all(a);
		id = alloc_block(a, half, stream, size, true);
	}
	if (!id && !a->no_memory) {
		a->stats.num_ooms++;
		return MLV_MALLOC_OOM;
	}
	id = id ? use(a, id, size, bytes, owner) : 0;
	if (!id)
		return MLV_MALLOC_NOMEM;
	*block = id;
	return MLV_MALLOC_OK;
}

void mlv_allocator_free_request(struct mlv_allocator *a, mlv_blockid block)
{
	struct mlv_cache_block *b = mlv_cache_at(a, block);
	if (b->state != MLV_CACHE_ALLOCATED)
		return;
	b->state = MLV_CACHE_PENDING;
	mlv_stat_sub(&a->stats.allocated_bytes, b->size);
}

/* free_block */
void mlv_allocator_free(struct mlv_allocator *a, mlv_blockid block)
{
	struct mlv_cache_block *b = mlv_cache_at(a, block);
	mlv_allocator_free_request(a, block);
	mlv_stat_sub(&a->stats.active_bytes, b->size);
	mlv_stat_sub(&a->stats.requested_bytes, b->requested);
	b->requested = 0;
	b->state = MLV_CACHE_FREE;
	mlv_cache_merge(a, block, b->prev);
	mlv_cache_merge(a, block, b->next);
	mlv_cache_insert(a, block, MLV_CACHE_FREE);
	if (is_inactive_split(b))
		mlv_stat_add(&a->stats.inactive_split_bytes, b->size);
}

void mlv_allocator_empty_cache(struct mlv_allocator *a)
{
	mlv_cache_release_all(a);
}
