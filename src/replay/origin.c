/* SPDX-License-Identifier: MIT */
#include "replay/origin.h"

#include <string.h>

#include "base/map.h"

/* Segments as intervals of addresses, while going back through the events. */
struct walk {
	struct mlv_origin *o;
	const struct mlv_run *run;
	struct mlv_blocks rows; /* addr, size, stream, pool; owner: flags */
	struct mlv_block_set set;
};

enum { SMALL = 1, EXPANDABLE = 2, UNSURE = 4 /* whether it is small */ };

static bool add_interval(struct walk *w, struct mlv_origin_segment s)
{
	/* A damaged file may hold a segment that is none. */
	if (!s.bytes || s.bytes > MLV_DEVICE_MOST || s.addr > UINT64_MAX - s.bytes)
		return true;
	mlv_blockid id = mlv_block_new(&w->rows);
	if (!id)
		return false;
	struct mlv_cache_block *b = mlv_block_at(&w->rows, id);
	b->addr = s.addr;
	b->size = s.bytes;
	/* One order by address for all streams: the stream is kept where sets do not look. */
	b->requested = s.stream;
	b->pool = s.pool;
	b->owner = (s.small ? SMALL : 0) | (s.expandable ? EXPANDABLE : 0);
	mlv_block_set_insert(&w->rows, &w->set, id);
	return true;
}

static void drop_interval(struct walk *w, mlv_blockid id)
{
	mlv_block_set_remove(&w->rows, &w->set, id);
	mlv_block_drop(&w->rows, id);
}

/* The interval that holds an address; 0: none. */
static mlv_blockid holding(const struct walk *w, uint64_t addr)
{
	return mlv_block_set_holding(&w->rows, &w->set, addr);
}

static struct mlv_origin_segment segment_of(const struct walk *w, mlv_blockid id)
{
	const struct mlv_cache_block *b = mlv_block_at(&w->rows, id);
	return (struct mlv_origin_segment){ .addr = b->addr,
					    .bytes = b->size,
					    .stream = b->requested,
					    .pool = b->pool,
					    .small = b->owner & SMALL,
					    .expandable = (b->owner & EXPANDABLE) != 0 };
}

/* Take [addr, addr + bytes) out of what holds it. */
static bool subtract(struct walk *w, uint64_t addr, uint64_t bytes)
{
	while (bytes) {
		mlv_blockid id = holding(w, addr);
		if (!id)
			return true;
		struct mlv_origin_segment s = segment_of(w, id), rest = s;
		uint64_t before = addr - s.addr, there = s.bytes - before;
		uint64_t take = bytes < there ? bytes : there;
		drop_interval(w, id);
		rest.bytes = before;
		if (before && !add_interval(w, rest))
			return false;
		rest.addr = addr + take;
		rest.bytes = there - take;
		if (rest.bytes && !add_interval(w, rest))
			return false;
		addr += take;
		bytes -= take;
	}
	return true;
}

/* Mapped memory that was unmapped later belongs to its neighbours, where it has some. */
static bool add_mapped(struct walk *w, struct mlv_origin_segment s, uint32_t flags)
{
	uint64_t end;
	if (__builtin_add_overflow(s.addr, s.bytes, &end))
		return true;
	mlv_blockid before = s.addr ? holding(w, s.addr - 1) : 0;
	mlv_blockid after = holding(w, end);
	/* In a damaged file one neighbour may lie around it. */
	if (after == before)
		after = 0;
	mlv_blockid near[2] = { before, after };
	for (int i = 0; i < 2; i++) {
		if (!near[i])
			continue;
		struct mlv_origin_segment n = segment_of(w, near[i]);
		if (!n.expandable || n.stream != s.stream)
			continue;
		s.pool = n.pool;
		s.small = n.small;
		if (n.addr + n.bytes > end)
			end = n.addr + n.bytes;
		if (n.addr < s.addr)
			s.addr = n.addr;
		s.bytes = end - s.addr;
		flags &= mlv_block_at(&w->rows, near[i])->owner;
		drop_interval(w, near[i]);
	}
	if (!add_interval(w, s))
		return false;
	mlv_blockid id = holding(w, s.addr);
	if (id)
		mlv_block_at(&w->rows, id)->owner |= flags;
	return true;
}

static bool start(struct walk *w)
{
	const struct mlv_device *d = w->o->history->device;
	if (!mlv_blocks_init(&w->rows))
		return false;
	for (size_t i = 0; i < d->segments; i++) {
		const struct mlv_segment *f = &w->run->segments.data[d->first_segment + i];
		struct mlv_origin_segment s = { .addr = f->addr,
						.bytes = f->bytes,
						.stream = mlv_origin_stream(w->run, f->track),
						.pool = f->pool,
						.small = f->small,
						.expandable = f->expandable };
		if (s.pool == MLV_POOL_UNKNOWN)
			s.pool = MLV_POOL_DEFAULT;
		/* Recorded range by range as they are mapped: neighbours are one. */
		if (!(s.expandable ? add_mapped(w, s, 0) : add_interval(w, s)))
			return false;
	}
	return true;
}

static uint16_t pool_at(const struct walk *w, const struct mlv_mem_event *e)
{
	mlv_blockid id;
	if (e->pool != MLV_POOL_UNKNOWN)
		return e->pool;
	id = holding(w, e->addr);
	return (uint16_t)(id ? mlv_block_at(&w->rows, id)->pool : MLV_POOL_DEFAULT);
}

/* Mapped memory of which nothing is left at the end is of the pool that its blocks fit. */
static void learn_size(struct walk *w, const struct mlv_mem_event *e)
{
	struct mlv_cache_block *b = mlv_block_at(&w->rows, holding(w, e->addr));
	if (b->owner & UNSURE)
		b->owner = EXPANDABLE | (e->bytes <= MLV_ALLOC_SMALL ? SMALL : 0);
}

static bool back(struct walk *w, uint32_t event)
{
	const struct mlv_mem_event *e = &w->o->history->events[event];
	uint32_t alloc = w->o->alloc_of[event];
	struct mlv_origin_segment s = { .addr = e->addr,
					.bytes = e->bytes,
					.stream = mlv_origin_stream(w->run, e->track),
					.small = e->bytes == MLV_ALLOC_BUFFER };
	s.pool = e->pool == MLV_POOL_UNKNOWN ? MLV_POOL_DEFAULT : e->pool;
	switch (e->action) {
	case MLV_MEM_SEGMENT_ALLOC:
	case MLV_MEM_SEGMENT_MAP:
		w->o->event_pool[event] = pool_at(w, e);
		return subtract(w, e->addr, e->bytes);
	case MLV_MEM_SEGMENT_FREE:
		return !e->bytes || add_interval(w, s);
	case MLV_MEM_SEGMENT_UNMAP:
		s.expandable = true;
		return !e->bytes || add_mapped(w, s, UNSURE);
	case MLV_MEM_ALLOC:
	case MLV_MEM_FREE_COMPLETED:
	case MLV_MEM_FREE_REQUESTED:
		if (alloc != MLV_NEVER)
			w->o->alloc_pool[alloc] = pool_at(w, e);
		learn_size(w, e);
		w->o->outside += e->action == MLV_MEM_ALLOC && !holding(w, e->addr);
		return true;
	default:
		return true;
	}
}

static bool keep(struct walk *w)
{
	for (mlv_blockid id = mlv_block_set_first(&w->rows, &w->set); id;
	     id = mlv_block_set_next(&w->rows, &w->set, id)) {
		struct mlv_origin_segment s = segment_of(w, id);
		if (!mlv_vec_push(&w->o->segments, s))
			return false;
	}
	/* What lived from before to after the recording has no event to ask at. */
	for (size_t i = 0; i < w->o->history->initial; i++) {
		const struct mlv_alloc *a = &w->o->history->allocs[i];
		mlv_blockid id = holding(w, a->addr);
		if (id && a->origin == MLV_ALLOC_FINAL_BLOCK)
			w->o->alloc_pool[i] = (uint16_t)mlv_block_at(&w->rows, id)->pool;
	}
	return true;
}

/*
 * Whether allocations have anything to tell: of which pool they are where there
 * are several, or that they lie in no segment; else the events of segments do.
 */
static bool asks_allocations(const struct mlv_history *h)
{
	return h->run->pools.len > 1 || h->action_count[MLV_MEM_SEGMENT_UNMAP] ||
	       !(h->action_count[MLV_MEM_SEGMENT_ALLOC] + h->action_count[MLV_MEM_SEGMENT_MAP]);
}

static bool walk_back(struct mlv_origin *o)
{
	const struct mlv_history *h = o->history;
	struct walk w = { .o = o, .run = h->run };
	bool ok = start(&w), all = asks_allocations(h);
	for (size_t i = all ? h->count : h->other_count; ok && i--;)
		ok = back(&w, all ? (uint32_t)i : h->others[i]);
	ok = ok && keep(&w);
	mlv_blocks_fini(&w.rows);
	return ok;
}

static void link_events(struct mlv_origin *o)
{
	const struct mlv_history *h = o->history;
	for (size_t i = 0; i < h->count; i++)
		o->alloc_of[i] = MLV_NEVER;
	for (size_t i = 0; i < h->alloc_count; i++) {
		const struct mlv_alloc *a = &h->allocs[i];
		if (a->born != MLV_NEVER)
			o->alloc_of[a->born] = (uint32_t)i;
		if (a->free_requested != MLV_NEVER)
			o->alloc_of[a->free_requested] = (uint32_t)i;
		if (a->died != MLV_NEVER && h->events[a->died].action != MLV_MEM_ALLOC)
			o->alloc_of[a->died] = (uint32_t)i;
	}
}

enum mlv_rc mlv_origin_init(struct mlv_origin *o, const struct mlv_history *h,
			    const struct mlv_alloc_conf *conf, struct mlv_err *err)
{
	*o = (struct mlv_origin){ .history = h };
	o->alloc_of = mlv_zeroed(h->count + 1, sizeof(*o->alloc_of));
	o->event_pool = mlv_zeroed(h->count + 1, sizeof(*o->event_pool));
	o->alloc_pool = mlv_zeroed(h->alloc_count + 1, sizeof(*o->alloc_pool));
	o->initial_bytes = mlv_zeroed(h->initial + 1, sizeof(*o->initial_bytes));
	o->initial_known = mlv_zeroed(h->initial + 1, sizeof(*o->initial_known));
	bool ok = o->alloc_of && o->event_pool && o->alloc_pool && o->initial_bytes &&
		  o->initial_known;
	if (ok) {
		link_events(o);
		ok = walk_back(o) && mlv_origin_sizes(o, conf);
	}
	if (ok)
		return MLV_OK;
	mlv_origin_fini(o);
	return mlv_err_nomem(err);
}

void mlv_origin_fini(struct mlv_origin *o)
{
	free(o->alloc_of);
	free(o->event_pool);
	free(o->alloc_pool);
	free(o->initial_bytes);
	free(o->initial_known);
	mlv_vec_free(&o->segments);
	*o = (struct mlv_origin){ 0 };
}

uint64_t mlv_origin_stream(const struct mlv_run *run, mlv_trackid track)
{
	const struct mlv_track *t = &run->tracks.data[track.i];
	return t->kind == MLV_TRACK_STREAM ? (uint64_t)t->number : 0;
}
