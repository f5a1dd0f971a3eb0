/* SPDX-License-Identifier: MIT */
#include "replay/whatif.h"

struct play {
	struct mlv_whatif *w;
	const struct mlv_recorded *r;
	struct mlv_driver driver;
	mlv_blockid *blocks;       /* of each allocation while it lives */
	MLV_VEC(uint32_t) waiting; /* allocations whose free waits for a stream */
};

/* Tell the device, if there is one, of a block. */
static void tell(struct play *p, uint32_t alloc, bool leaves)
{
	const struct mlv_whatif_device *d = p->w->setup.device;
	if (!d || !p->blocks[alloc])
		return;
	const struct mlv_cache_block *b = mlv_cache_at(&p->w->allocator, p->blocks[alloc]);
	if (!(leaves ? d->leaves : d->placed)(d->backend.state, alloc, b->addr, b->size))
		p->w->lost = true;
}

static void free_block(struct play *p, uint32_t alloc)
{
	tell(p, alloc, true);
	if (p->blocks[alloc])
		mlv_allocator_free(&p->w->allocator, p->blocks[alloc]);
	p->blocks[alloc] = 0;
}

/* A release by the allocator waits for the streams. */
static void complete_frees(void *state)
{
	struct play *p = state;
	for (size_t i = 0; i < p->waiting.len; i++)
		free_block(p, p->waiting.data[i]);
	p->waiting.len = 0;
}

/* The driver learns of segments that are older than the recording. */
static bool adopt(struct play *p, const struct mlv_origin *o)
{
	const struct mlv_whatif_device *d = p->w->setup.device;
	for (size_t i = 0; i < o->segments.len; i++) {
		const struct mlv_origin_segment *s = &o->segments.data[i];
		if (d) {
			p->w->lost = p->w->lost || !d->adopt(d->backend.state, s);
			continue;
		}
		p->driver.taken += s->bytes;
		if (!s->expandable && !mlv_driver_adopt(&p->driver, s->addr, s->bytes))
			return false;
	}
	return true;
}

static void fail(struct mlv_whatif *w, const struct mlv_mem_event *e, uint32_t event)
{
	w->oom_at_alloc = (int64_t)w->allocs;
	w->oom_event = event;
	w->oom_bytes = e->bytes;
}

/* A request that failed in the recording: if it is met here, nobody knows what comes then. */
static bool retry_failed(struct play *p, const struct mlv_ask_row *row, bool *end)
{
	const struct mlv_mem_event *e = &p->r->history->events[row->event];
	mlv_blockid id;
	enum mlv_malloc got = mlv_allocator_malloc(
		&p->w->allocator, e->pool == MLV_POOL_UNKNOWN ? MLV_POOL_DEFAULT : e->pool,
		mlv_origin_stream(p->r->history->run, e->track), e->bytes, MLV_NEVER, &id);
	*end = true;
	if (got == MLV_MALLOC_OOM)
		fail(p->w, e, row->event);
	p->w->survived_recorded = got == MLV_MALLOC_OK;
	if (got == MLV_MALLOC_OK && p->w->setup.go_on) {
		mlv_allocator_free(&p->w->allocator, id);
		*end = false;
	}
	return got != MLV_MALLOC_NOMEM;
}

static bool request(struct play *p, const struct mlv_ask_row *row, bool *end)
{
	const struct mlv_mem_event *e = &p->r->history->events[row->event];
	mlv_blockid id;
	enum mlv_malloc got = mlv_allocator_malloc(
		&p->w->allocator, p->r->origin.alloc_pool[row->alloc],
		mlv_origin_stream(p->r->history->run, e->track), e->bytes, row->alloc, &id);
	if (got == MLV_MALLOC_OK) {
		p->blocks[row->alloc] = id;
		p->w->allocs++;
		tell(p, row->alloc, false);
	} else if (got == MLV_MALLOC_OOM) {
		fail(p->w, e, row->event);
		*end = true;
	}
	return got != MLV_MALLOC_NOMEM;
}

static bool step(struct play *p, const struct mlv_ask_row *row, bool *end)
{
	mlv_blockid *block = row->alloc == MLV_NEVER ? NULL : &p->blocks[row->alloc];
	switch (row->ask) {
	case MLV_ASK_MALLOC:
		return request(p, row, end);
	case MLV_ASK_FREE_REQUEST:
		if (*block)
			mlv_allocator_free_request(&p->w->allocator, *block);
		return mlv_vec_push(&p->waiting, row->alloc);
	case MLV_ASK_FREE:
		/* Mostly the free that was requested last. */
		if (p->waiting.len && p->waiting.data[p->waiting.len - 1] == row->alloc)
			p->waiting.len--;
		free_block(p, row->alloc);
		return true;
	case MLV_ASK_EMPTY_CACHE:
		mlv_allocator_empty_cache(&p->w->allocator);
		return true;
	default:
		return retry_failed(p, row, end);
	}
}

static bool play(struct play *p)
{
	struct mlv_whatif *w = p->w;
	const struct mlv_whatif_device *d = w->setup.device;
	struct mlv_backend below = d ? d->backend : mlv_driver_backend(&p->driver);
	const struct mlv_recorded *r = p->r;
	p->blocks = mlv_zeroed(r->history->alloc_count + 1, sizeof(*p->blocks));
	if (!p->blocks || !mlv_driver_init(&p->driver, w->setup.profile, w->setup.capacity) ||
	    !mlv_allocator_init(&w->allocator, &w->setup.conf, &below, w->setup.limit,
				(uint32_t)r->history->run->pools.len) ||
	    !adopt(p, &r->origin) || !mlv_origin_fill(&r->origin, &w->allocator, p->blocks))
		return false;
	w->allocator.complete_frees = complete_frees;
	w->allocator.program = p;
	for (uint32_t i = 0; i < r->history->initial; i++)
		tell(p, i, false);
	const struct mlv_replay_watch *watch = &w->setup.watch;
	if (watch->begin)
		watch->begin(watch->state, &w->allocator);
	bool end = false;
	for (size_t i = 0; i < r->asks.len && !end; i++) {
		if (d && (w->lost || !d->next(d->backend.state, r->asks.data[i].event))) {
			w->lost = true;
			break;
		}
		if (w->setup.events && r->asks.data[i].event >= w->setup.events)
			break;
		if (!step(p, &r->asks.data[i], &end) || p->driver.no_memory ||
		    w->allocator.no_memory)
			return false;
		if (watch->after)
			watch->after(watch->state, &w->allocator, r->asks.data[i].event);
	}
	w->driver_bytes = p->driver.taken;
	return true;
}

enum mlv_rc mlv_whatif_init(struct mlv_whatif *w, const struct mlv_recorded *r,
			    const struct mlv_whatif_setup *setup, struct mlv_err *err)
{
	struct play p = { .w = w, .r = r };
	*w = (struct mlv_whatif){ .setup = *setup, .oom_at_alloc = -1 };
	bool ok = play(&p);
	mlv_driver_fini(&p.driver);
	mlv_vec_free(&p.waiting);
	free(p.blocks);
	w->allocator.complete_frees = NULL;
	if (ok)
		return MLV_OK;
	mlv_whatif_fini(w);
	return mlv_err_nomem(err);
}

void mlv_whatif_fini(struct mlv_whatif *w)
{
	mlv_allocator_fini(&w->allocator);
}
