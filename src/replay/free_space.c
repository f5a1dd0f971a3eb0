/* SPDX-License-Identifier: MIT */
#include "replay/free_space.h"

#include <stdlib.h>

struct gathering {
	struct mlv_free_space *s;
	const struct mlv_history *h;
	const struct mlv_allocator *a;
	struct mlv_map pin_of; /* stack -> row of pins */
};

/* Blocks come in the order of streams: a new share begins where that changes. */
static bool add_share(struct gathering *g, const struct mlv_cache_block *b)
{
	struct mlv_free_space *s = g->s;
	uint32_t pool = b->pool / 2;
	bool small = g->a->pools.data[b->pool].small;
	struct mlv_free_share *last = s->shares.len ? &s->shares.data[s->shares.len - 1] : NULL;
	if (!last || last->pool != pool || last->small != small || last->stream != b->stream) {
		struct mlv_free_share fresh = { .pool = pool, .small = small, .stream = b->stream };
		if (!mlv_vec_push(&s->shares, fresh))
			return false;
		last = &s->shares.data[s->shares.len - 1];
	}
	last->blocks++;
	last->bytes += b->size;
	if (b->size > last->largest)
		last->largest = b->size;
	return true;
}

/* Whole granules within the block can be unmapped. */
static uint64_t releasable(const struct mlv_allocator *a, const struct mlv_cache_block *b)
{
	if (b->range == MLV_NO_RANGE)
		return mlv_cache_is_split(b) ? 0 : b->size;
	const struct mlv_cache_range *r = &a->ranges.data[b->range];
	uint64_t from = b->addr - r->addr, to = (from + b->size) / r->granule * r->granule;
	from = (from + r->granule - 1) / r->granule * r->granule;
	return to > from ? to - from : 0;
}

static struct mlv_pin *pin(struct gathering *g, mlv_stackid stack)
{
	struct mlv_map_slot *slot = mlv_map_find(&g->pin_of, stack.i);
	if (slot)
		return &g->s->pins.data[slot->value];
	struct mlv_pin fresh = { .stack = stack, .oldest = UINT32_MAX };
	if (!mlv_vec_push(&g->s->pins, fresh) ||
	    !mlv_map_set(&g->pin_of, stack.i, (uint32_t)(g->s->pins.len - 1)))
		return NULL;
	return &g->s->pins.data[g->s->pins.len - 1];
}

static bool is_live(const struct mlv_cache_block *b)
{
	return b->state == MLV_CACHE_ALLOCATED || b->state == MLV_CACHE_PENDING;
}

static bool is_older(uint32_t a, uint32_t b)
{
	/* MLV_NEVER, before the recording, is older than all events. */
	return a == MLV_NEVER ? b != MLV_NEVER : b != MLV_NEVER && a < b;
}

/* The segment that begins with `first`: its live blocks share the blame for what is free in it. */
static bool add_segment(struct gathering *g, mlv_blockid first)
{
	uint64_t free_bytes = 0, live = 0;
	for (mlv_blockid id = first; id; id = mlv_cache_at(g->a, id)->next) {
		const struct mlv_cache_block *b = mlv_cache_at(g->a, id);
		if (b->state == MLV_CACHE_FREE)
			free_bytes += b->size - releasable(g->a, b);
		else if (is_live(b))
			live += b->size;
	}
	if (!free_bytes || !live)
		return true;
	for (mlv_blockid id = first; id; id = mlv_cache_at(g->a, id)->next) {
		const struct mlv_cache_block *b = mlv_cache_at(g->a, id);
		if (!is_live(b) || b->owner == MLV_NEVER)
			continue;
		const struct mlv_alloc *alloc = &g->h->allocs[b->owner];
		struct mlv_pin *p = pin(g, alloc->stack);
		if (!p)
			return false;
		if (!p->blocks || is_older(alloc->born, p->oldest))
			p->oldest = alloc->born;
		p->blocks++;
		p->bytes += b->size;
		p->pinned += (uint64_t)((double)free_bytes * ((double)b->size / (double)live));
		p->segments++;
	}
	return true;
}

static bool add_pins(struct gathering *g, uint32_t half)
{
	const struct mlv_block_set *set = &g->a->pools.data[half].free;
	struct mlv_map seen = { 0 };
	bool ok = true;
	for (mlv_blockid id = mlv_block_set_first(&g->a->blocks, set); ok && id;
	     id = mlv_block_set_next(&g->a->blocks, set, id)) {
		mlv_blockid first = id;
		while (mlv_cache_at(g->a, first)->prev) {
			/* A segment with many gaps is walked once: the way back is marked. */
			if (mlv_map_find(&seen, first))
				break;
			ok = ok && mlv_map_set(&seen, first, 1);
			first = mlv_cache_at(g->a, first)->prev;
		}
		if (mlv_map_find(&seen, first))
			continue;
		ok = ok && mlv_map_set(&seen, first, 1) && add_segment(g, first);
	}
	mlv_map_fini(&seen);
	return ok;
}

static int by_bytes(const void *a, const void *b)
{
	const struct mlv_free_share *x = a, *y = b;
	if (x->bytes != y->bytes)
		return x->bytes > y->bytes ? -1 : 1;
	return x->pool != y->pool       ? (x->pool < y->pool ? -1 : 1)
	       : x->small != y->small   ? (x->small < y->small ? -1 : 1)
	       : x->stream != y->stream ? (x->stream < y->stream ? -1 : 1)
					: 0;
}

static int by_pinned(const void *a, const void *b)
{
	const struct mlv_pin *x = a, *y = b;
	if (x->pinned != y->pinned)
		return x->pinned > y->pinned ? -1 : 1;
	return x->stack.i < y->stack.i ? -1 : x->stack.i > y->stack.i;
}

static bool gather(struct gathering *g)
{
	for (uint32_t i = 0; i < g->a->pools.len; i++) {
		const struct mlv_block_set *set = &g->a->pools.data[i].free;
		for (mlv_blockid id = mlv_block_set_first(&g->a->blocks, set); id;
		     id = mlv_block_set_next(&g->a->blocks, set, id)) {
			const struct mlv_cache_block *b = mlv_cache_at(g->a, id);
			g->s->bytes += b->size;
			g->s->releasable += releasable(g->a, b);
			if (b->size > g->s->largest)
				g->s->largest = b->size;
			if (!add_share(g, b))
				return false;
		}
	}
	return true;
}

enum mlv_rc mlv_free_space_init(struct mlv_free_space *s, const struct mlv_history *h,
				const struct mlv_allocator *a, uint32_t pool, bool small,
				struct mlv_err *err)
{
	struct gathering g = { .s = s, .h = h, .a = a };
	const struct mlv_alloc_stats *t = &a->stats;
	*s = (struct mlv_free_space){
		.pending = t->active_bytes.now - t->allocated_bytes.now,
		.internal = t->active_bytes.now - t->requested_bytes.now,
	};
	bool ok = gather(&g) && add_pins(&g, 2 * pool + small);
	mlv_map_fini(&g.pin_of);
	if (!ok) {
		mlv_free_space_fini(s);
		return mlv_err_nomem(err);
	}
	if (s->shares.len)
		qsort(s->shares.data, s->shares.len, sizeof(*s->shares.data), by_bytes);
	if (s->pins.len)
		qsort(s->pins.data, s->pins.len, sizeof(*s->pins.data), by_pinned);
	return MLV_OK;
}

void mlv_free_space_fini(struct mlv_free_space *s)
{
	mlv_vec_free(&s->shares);
	mlv_vec_free(&s->pins);
}

const struct mlv_free_share *mlv_free_space_share(const struct mlv_free_space *s, uint32_t pool,
						  bool small, uint64_t stream)
{
	for (size_t i = 0; i < s->shares.len; i++) {
		const struct mlv_free_share *f = &s->shares.data[i];
		if (f->pool == pool && f->small == small && f->stream == stream)
			return f;
	}
	return NULL;
}
