/* SPDX-License-Identifier: MIT */
/*
 * The blocks that were there before the recording: which lie in which segment,
 * how large they are, and the allocator filled with them.
 */
#include <stdlib.h>

#include "base/map.h"
#include "replay/origin.h"

struct placed {
	uint64_t addr;
	uint32_t alloc; /* row of history->allocs */
};

static int by_addr(const void *a, const void *b)
{
	const struct placed *x = a, *y = b;
	if (x->addr != y->addr)
		return x->addr < y->addr ? -1 : 1;
	return x->alloc < y->alloc ? -1 : 1;
}

static struct placed *sorted(const struct mlv_history *h)
{
	struct placed *p = mlv_zeroed(h->initial + 1, sizeof(*p));
	for (size_t i = 0; p && i < h->initial; i++)
		p[i] = (struct placed){ h->allocs[i].addr, (uint32_t)i };
	if (p)
		qsort(p, h->initial, sizeof(*p), by_addr);
	return p;
}

/* The sizes of blocks that lived to the end stand in the final heap. */
static bool known_sizes(struct mlv_origin *o)
{
	const struct mlv_history *h = o->history;
	const struct mlv_run *run = h->run;
	struct mlv_map map = { 0 };
	bool ok = true;
	for (size_t i = 0; ok && i < h->device->segments; i++) {
		const struct mlv_segment *s = &run->segments.data[h->device->first_segment + i];
		for (uint32_t k = 0; ok && k < s->blocks; k++) {
			const struct mlv_block *b = &run->blocks.data[s->first_block + k];
			ok = b->state == MLV_BLOCK_INACTIVE ||
			     mlv_map_set(&map, b->addr, s->first_block + k);
		}
	}
	for (size_t i = 0; ok && i < h->initial; i++) {
		const struct mlv_map_slot *slot = h->allocs[i].died == MLV_NEVER
							  ? mlv_map_find(&map, h->allocs[i].addr)
							  : NULL;
		if (slot) {
			o->initial_bytes[i] = run->blocks.data[slot->value].bytes;
			o->initial_known[i] = true;
		}
	}
	mlv_map_fini(&map);
	return ok;
}

/*
 * Others are as large as their request rounded up; in a segment of large
 * blocks, a rest of up to 1 MiB is not split off, so a gap that small before
 * the next block must belong to the block.
 */
static void guess(struct mlv_origin *o, const struct mlv_alloc_conf *conf, uint32_t alloc,
		  const struct mlv_origin_segment *s, uint64_t next)
{
	const struct mlv_alloc *a = &o->history->allocs[alloc];
	uint64_t room = next - a->addr, bytes = mlv_alloc_round(conf, a->bytes);
	if (bytes > room)
		bytes = room;
	bool slack = !s->small && !(s->expandable && conf->expandable);
	if (slack && room - bytes <= MLV_ALLOC_SMALL)
		bytes = room;
	o->initial_known[alloc] = !slack || bytes == room;
	o->initial_bytes[alloc] = bytes;
	o->inferred += !o->initial_known[alloc];
}

bool mlv_origin_sizes(struct mlv_origin *o, const struct mlv_alloc_conf *conf)
{
	const struct mlv_history *h = o->history;
	struct placed *p = sorted(h);
	if (!p || !known_sizes(o)) {
		free(p);
		return false;
	}
	size_t k = 0;
	for (size_t i = 0; i < o->segments.len; i++) {
		const struct mlv_origin_segment *s = &o->segments.data[i];
		for (; k < h->initial && p[k].addr < s->addr; k++)
			o->homeless++;
		for (; k < h->initial && p[k].addr - s->addr < s->bytes; k++) {
			uint64_t end = s->addr + s->bytes;
			uint64_t next =
				k + 1 < h->initial && p[k + 1].addr < end ? p[k + 1].addr : end;
			if (!o->initial_known[p[k].alloc])
				guess(o, conf, p[k].alloc, s, next);
		}
	}
	o->homeless += h->initial - k;
	free(p);
	return true;
}

/* One more block behind `last` (0: the first of its segment). */
static mlv_blockid append(struct mlv_allocator *a, mlv_blockid last, uint64_t addr, uint64_t bytes,
			  const struct mlv_origin_segment *s, uint32_t range)
{
	mlv_blockid id = mlv_block_new(&a->blocks);
	if (!id)
		return 0;
	struct mlv_cache_block *b = mlv_cache_at(a, id);
	b->addr = addr;
	b->size = bytes;
	b->stream = s->stream;
	b->pool = 2 * s->pool + s->small;
	b->range = range;
	b->prev = last;
	if (last)
		mlv_cache_at(a, last)->next = id;
	return id;
}

static void count_free(struct mlv_allocator *a, mlv_blockid first)
{
	for (mlv_blockid id = first; id; id = mlv_cache_at(a, id)->next) {
		const struct mlv_cache_block *b = mlv_cache_at(a, id);
		if (b->state == MLV_CACHE_FREE && b->range == MLV_NO_RANGE && mlv_cache_is_split(b))
			mlv_stat_add(&a->stats.inactive_split_bytes, b->size);
	}
}

struct filling {
	const struct mlv_origin *o;
	struct mlv_allocator *a;
	mlv_blockid *blocks;
	const struct placed *p;
	size_t k; /* the next of p */
};

static mlv_blockid fill_used(struct filling *f, mlv_blockid last,
			     const struct mlv_origin_segment *s, uint32_t range, uint64_t *at)
{
	uint32_t alloc = f->p[f->k].alloc;
	uint64_t bytes = f->o->initial_bytes[alloc], end = s->addr + s->bytes;
	if (bytes > end - *at)
		bytes = end - *at;
	mlv_blockid id = append(f->a, last, *at, bytes, s, range);
	if (!id)
		return 0;
	struct mlv_cache_block *b = mlv_cache_at(f->a, id);
	b->state = MLV_CACHE_ALLOCATED;
	b->requested = f->o->history->allocs[alloc].bytes;
	b->owner = alloc;
	f->blocks[alloc] = id;
	mlv_stat_add(&f->a->stats.allocated_bytes, bytes);
	mlv_stat_add(&f->a->stats.active_bytes, bytes);
	mlv_stat_add(&f->a->stats.requested_bytes, b->requested);
	*at += bytes;
	return id;
}

/* Blocks and gaps of [s->addr, + s->bytes); the last one, 0 when memory runs out. */
static mlv_blockid fill_segment(struct filling *f, const struct mlv_origin_segment *s,
				uint32_t range, mlv_blockid last)
{
	uint64_t at = s->addr, end = s->addr + s->bytes;
	size_t count = f->o->history->initial;
	while (at < end) {
		/* What overlaps the block before it is no block. */
		while (f->k < count && f->p[f->k].addr < at)
			f->k++;
		uint64_t next = f->k < count && f->p[f->k].addr < end ? f->p[f->k].addr : end;
		if (next > at) {
			last = append(f->a, last, at, next - at, s, range);
			if (!last)
				return 0;
			mlv_cache_insert(f->a, last, MLV_CACHE_FREE);
			at = next;
			continue;
		}
		last = fill_used(f, last, s, range, &at);
		f->k++;
		if (!last)
			return 0;
	}
	mlv_stat_add(&f->a->stats.reserved_bytes, s->bytes);
	return last;
}

/* Addresses without memory between, and behind, the mapped parts of an expandable segment. */
static mlv_blockid fill_hole(struct filling *f, const struct mlv_origin_segment *s, uint32_t range,
			     mlv_blockid last, uint64_t addr, uint64_t end)
{
	if (addr >= end)
		return last;
	mlv_blockid id = append(f->a, last, addr, end - addr, s, range);
	if (id)
		mlv_cache_insert(f->a, id, MLV_CACHE_UNMAPPED);
	return id;
}

static bool same_range(const struct mlv_origin_segment *a, const struct mlv_origin_segment *b)
{
	return b->expandable && a->stream == b->stream && a->pool == b->pool &&
	       a->small == b->small;
}

/* The mapped parts from row `i` on that share a range of addresses; the row behind them in *i. */
static bool fill_expandable(struct filling *f, size_t *i)
{
	const struct mlv_origin *o = f->o;
	const struct mlv_origin_segment *first = &o->segments.data[*i];
	struct mlv_cache_range r = { .granule = first->small ? MLV_ALLOC_BUFFER
							     : f->a->conf.large_segment };
	uint64_t bytes;
	/* Its first part is taken for its start; the device says how long such ranges are. */
	if (!f->a->backend.reserve(f->a->backend.state, r.granule, first->stream, &r.addr, &bytes))
		return false;
	r.addr = first->addr;
	size_t end = *i + 1;
	while (end < o->segments.len && same_range(first, &o->segments.data[end]) &&
	       o->segments.data[end].addr - first->addr < bytes)
		end++;
	uint64_t behind = end < o->segments.len ? o->segments.data[end].addr : UINT64_MAX;
	r.bytes = bytes < behind - first->addr ? bytes : behind - first->addr;
	if (!mlv_vec_push(&f->a->ranges, r))
		return false;
	uint32_t range = (uint32_t)(f->a->ranges.len - 1);
	uint64_t at = first->addr;
	mlv_blockid last = 0;
	for (; *i < end; (*i)++) {
		const struct mlv_origin_segment *s = &o->segments.data[*i];
		last = fill_hole(f, s, range, last, at, s->addr);
		last = fill_segment(f, s, range, last);
		if (!last)
			return false;
		at = s->addr + s->bytes;
	}
	return fill_hole(f, first, range, last, at, r.addr + r.bytes) != 0;
}

bool mlv_origin_fill(const struct mlv_origin *o, struct mlv_allocator *a, mlv_blockid *blocks)
{
	struct placed *p = sorted(o->history);
	struct filling f = { .o = o, .a = a, .blocks = blocks, .p = p };
	bool ok = p != NULL;
	for (size_t i = 0; ok && i < o->segments.len;) {
		const struct mlv_origin_segment *s = &o->segments.data[i];
		if (s->expandable) {
			ok = fill_expandable(&f, &i);
			continue;
		}
		mlv_blockid last = fill_segment(&f, s, MLV_NO_RANGE, 0), first = last;
		while (first && mlv_cache_at(a, first)->prev)
			first = mlv_cache_at(a, first)->prev;
		count_free(a, first);
		ok = last != 0;
		i++;
	}
	free(p);
	return ok;
}
