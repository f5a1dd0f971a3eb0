/* SPDX-License-Identifier: MIT */
#include "replay/recorded.h"

#include <string.h>

#include "replay/recorded_device.h"

struct replay {
	struct mlv_recorded *r;
	const struct mlv_history *h;
	struct mlv_origin *o;
	struct mlv_recorded_device device;
	uint32_t run_end; /* of the frees in a row that completes_late() looked at last */
	bool slack_found; /* an initial block was larger than its request tells: start again */
};

static const struct mlv_mem_event *event_at(const struct replay *p, uint32_t e)
{
	return &p->h->events[e];
}

static bool is_segment(const struct mlv_mem_event *e)
{
	return e->action == MLV_MEM_SEGMENT_ALLOC || e->action == MLV_MEM_SEGMENT_FREE ||
	       e->action == MLV_MEM_SEGMENT_MAP || e->action == MLV_MEM_SEGMENT_UNMAP;
}

static bool is_release(const struct mlv_mem_event *e)
{
	return e->action == MLV_MEM_SEGMENT_FREE || e->action == MLV_MEM_SEGMENT_UNMAP;
}

static bool ask(struct replay *p, enum mlv_ask what, uint32_t event, uint32_t alloc)
{
	struct mlv_ask_row row = { .event = event, .alloc = alloc, .ask = (uint8_t)what };
	return mlv_vec_push(&p->r->asks, row);
}

/* torch.cuda.empty_cache(): the releases at the front of what is pending, `n` of them. */
static bool empty_cache(struct replay *p, uint32_t event, size_t n)
{
	struct mlv_recorded_device *d = &p->device;
	size_t all = d->pending.len;
	d->event = d->pending.data[d->at];
	d->bytes = 0;
	p->r->empty_caches++;
	d->pending.len = d->at + n; /* of the rest the device knows nothing yet */
	mlv_allocator_empty_cache(&p->r->allocator);
	while (d->at < d->pending.len) {
		const struct mlv_mem_event *e = event_at(p, d->pending.data[d->at++]);
		mlv_recorded_differ(d, (struct mlv_difference){ .kind = MLV_DIFFERENT_SEGMENT,
								.recorded_action = e->action,
								.recorded_addr = e->addr,
								.recorded_bytes = e->bytes,
								.model_action = MLV_MEM_ACTIONS });
	}
	d->pending.len = all;
	return ask(p, MLV_ASK_EMPTY_CACHE, event, MLV_NEVER);
}

/*
 * How many of the pending releases the program asked for itself. Those of a
 * call carry the call's own stack. Where there are no stacks, a call that took
 * memory afterwards, or failed, is held to have released it.
 */
static size_t by_program(const struct replay *p, const struct mlv_mem_event *call)
{
	const struct mlv_recorded_device *d = &p->device;
	bool stacks = mlv_stack_has_frame(call->stack);
	size_t i = d->at;
	for (; i < d->pending.len; i++) {
		const struct mlv_mem_event *e = event_at(p, d->pending.data[i]);
		if (!is_release(e) || (stacks && e->stack.i == call->stack.i))
			break;
	}
	if (!stacks && (i < d->pending.len || call->action == MLV_MEM_OOM))
		return 0;
	return i - d->at;
}

static bool begin_call(struct replay *p, uint32_t event, uint32_t pool)
{
	const struct mlv_mem_event *e = event_at(p, event);
	struct mlv_recorded_device *d = &p->device;
	size_t n = by_program(p, e);
	if (n && !empty_cache(p, event, n))
		return false;
	d->event = event;
	d->bytes = e->bytes;
	d->stream = mlv_origin_stream(p->h->run, e->track);
	d->pool = pool;
	d->failing = e->action == MLV_MEM_OOM;
	return true;
}

/*
 * A placement behind an initial block of uncertain size: if the model thinks
 * the recorded address lies a little behind the start of a gap after it, the
 * block was larger by that.
 */
static bool learn_slack(struct replay *p, uint64_t addr)
{
	struct mlv_origin *o = p->o;
	uint32_t best = MLV_NEVER;
	uint64_t behind = 0;
	for (size_t i = 0; i < p->h->initial; i++) {
		const struct mlv_alloc *a = &p->h->allocs[i];
		if (o->initial_known[i] || !o->initial_bytes[i] || a->addr >= addr)
			continue;
		uint64_t end = a->addr + o->initial_bytes[i];
		if (end < addr && addr - end <= MLV_ALLOC_SMALL &&
		    (best == MLV_NEVER || a->addr > p->h->allocs[best].addr)) {
			best = (uint32_t)i;
			behind = addr - end;
		}
	}
	if (best == MLV_NEVER)
		return false;
	o->initial_bytes[best] += behind;
	o->initial_known[best] = true;
	p->r->slack++;
	return true;
}

static bool on_alloc(struct replay *p, uint32_t event)
{
	const struct mlv_mem_event *e = event_at(p, event);
	struct mlv_recorded *r = p->r;
	uint32_t alloc = p->o->alloc_of[event], pool = p->o->alloc_pool[alloc];
	mlv_blockid id = 0;
	if (!begin_call(p, event, pool))
		return false;
	enum mlv_malloc got =
		mlv_allocator_malloc(&r->allocator, pool, p->device.stream, e->bytes, alloc, &id);
	mlv_recorded_done(&p->device);
	r->placements++;
	if (got == MLV_MALLOC_NOMEM)
		return false;
	if (got == MLV_MALLOC_OOM) {
		mlv_recorded_differ(&p->device,
				    (struct mlv_difference){ .kind = MLV_DIFFERENT_FAILURE,
							     .recorded_addr = e->addr });
		return ask(p, MLV_ASK_MALLOC, event, alloc);
	}
	r->blocks[alloc] = id;
	const struct mlv_cache_block *b = mlv_cache_at(&r->allocator, id);
	if (b->addr == e->addr) {
		r->placements_exact++;
	} else {
		mlv_recorded_differ(&p->device,
				    (struct mlv_difference){ .kind = MLV_DIFFERENT_PLACE,
							     .recorded_addr = e->addr,
							     .model_addr = b->addr,
							     .model_bytes = b->size });
		p->slack_found = p->o->inferred > r->slack && learn_slack(p, e->addr);
	}
	return ask(p, MLV_ASK_MALLOC, event, alloc);
}

static bool on_oom(struct replay *p, uint32_t event)
{
	const struct mlv_mem_event *e = event_at(p, event);
	uint32_t pool = e->pool == MLV_POOL_UNKNOWN ? MLV_POOL_DEFAULT : e->pool;
	mlv_blockid id = 0;
	if (!begin_call(p, event, pool))
		return false;
	enum mlv_malloc got = mlv_allocator_malloc(&p->r->allocator, pool, p->device.stream,
						   e->bytes, MLV_NEVER, &id);
	mlv_recorded_done(&p->device);
	p->r->ooms++;
	if (got == MLV_MALLOC_NOMEM)
		return false;
	if (got == MLV_MALLOC_OOM) {
		p->r->ooms_exact++;
	} else {
		mlv_recorded_differ(&p->device,
				    (struct mlv_difference){ .kind = MLV_DIFFERENT_FAILURE });
		mlv_allocator_free(&p->r->allocator, id);
	}
	return ask(p, MLV_ASK_FAILED, event, MLV_NEVER);
}

/* What was pending before the program went on was its own doing. */
static bool settle(struct replay *p, uint32_t event)
{
	struct mlv_recorded_device *d = &p->device;
	size_t n = 0;
	while (d->at + n < d->pending.len && is_release(event_at(p, d->pending.data[d->at + n])))
		n++;
	if (n && !empty_cache(p, event, n))
		return false;
	mlv_recorded_done(d);
	return true;
}

/* Frees that complete in the middle of a call do so when it waits for the device. */
static bool completes_late(struct replay *p, uint32_t event)
{
	/* Of the next call: it gives memory back, and holds this very moment's stack. */
	uint32_t i = p->run_end > event ? p->run_end : event + 1;
	while (i < p->h->count && event_at(p, i)->action == MLV_MEM_FREE_COMPLETED)
		i++;
	p->run_end = i;
	const struct mlv_mem_event *e = event_at(p, event);
	return i < p->h->count && is_release(event_at(p, i)) &&
	       event_at(p, i)->stack.i == e->stack.i && mlv_stack_has_frame(e->stack);
}

static bool on_free(struct replay *p, uint32_t event)
{
	const struct mlv_mem_event *e = event_at(p, event);
	uint32_t alloc = p->o->alloc_of[event];
	bool completed = e->action == MLV_MEM_FREE_COMPLETED;
	if (alloc == MLV_NEVER)
		return true;
	const struct mlv_alloc *a = &p->h->allocs[alloc];
	if (p->h->frees_implied)
		completed = a->died == event;
	if (!completed) {
		if (!settle(p, event))
			return false;
		if (p->r->blocks[alloc])
			mlv_allocator_free_request(&p->r->allocator, p->r->blocks[alloc]);
		return ask(p, MLV_ASK_FREE_REQUEST, event, alloc);
	}
	bool deferred = a->free_requested != MLV_NEVER && event - a->free_requested > 1;
	if (!deferred && !settle(p, event))
		return false;
	if (deferred && completes_late(p, event))
		return mlv_vec_push(&p->device.late, alloc) && ask(p, MLV_ASK_FREE, event, alloc);
	if (p->r->blocks[alloc])
		mlv_allocator_free(&p->r->allocator, p->r->blocks[alloc]);
	p->r->blocks[alloc] = 0;
	return ask(p, MLV_ASK_FREE, event, alloc);
}

static bool step(struct replay *p, uint32_t event)
{
	const struct mlv_mem_event *e = event_at(p, event);
	if (is_segment(e)) {
		p->r->segment_events++;
		return mlv_vec_push(&p->device.pending, event);
	}
	switch (e->action) {
	case MLV_MEM_ALLOC:
		return on_alloc(p, event);
	case MLV_MEM_FREE_REQUESTED:
	case MLV_MEM_FREE_COMPLETED:
		return on_free(p, event);
	case MLV_MEM_OOM:
		return on_oom(p, event);
	default:
		return true;
	}
}

/* The heap at the end, block by block. */
static void compare_final(struct replay *p)
{
	const struct mlv_device *d = p->h->device;
	const struct mlv_run *run = p->h->run;
	struct mlv_map map = { 0 };
	const struct mlv_allocator *a = &p->r->allocator;
	bool ok = true;
	for (size_t i = 0; ok && i < p->h->alloc_count; i++) {
		mlv_blockid id = p->r->blocks[i];
		if (id)
			ok = mlv_map_set(&map, mlv_cache_at(a, id)->addr, id);
	}
	for (size_t i = 0; ok && i < d->segments; i++) {
		const struct mlv_segment *s = &run->segments.data[d->first_segment + i];
		for (uint32_t k = 0; k < s->blocks; k++) {
			const struct mlv_block *b = &run->blocks.data[s->first_block + k];
			if (b->state == MLV_BLOCK_INACTIVE)
				continue;
			const struct mlv_map_slot *slot = mlv_map_find(&map, b->addr);
			p->r->final_blocks++;
			p->r->final_blocks_exact +=
				slot && mlv_cache_at(a, slot->value)->size == b->bytes;
		}
	}
	mlv_map_fini(&map);
}

static bool prepare(struct replay *p, const struct mlv_replay_options *o)
{
	struct mlv_recorded *r = p->r;
	struct mlv_backend backend = mlv_recorded_backend(&p->device);
	uint64_t allowed = o->allowed;
	/* Garbage collection only runs under a limit. */
	if (!allowed && r->conf.gc_threshold > 0 && o->lead == MLV_REPLAY_RECORDED)
		allowed = MLV_LIMIT_UNKNOWN;
	p->device.result = r;
	p->device.lead = o->lead;
	p->device.invented = UINT64_C(1) << 60;
	p->slack_found = false;
	p->run_end = 0;
	r->blocks = mlv_zeroed(p->h->alloc_count + 1, sizeof(*r->blocks));
	if (!r->blocks || !mlv_allocator_init(&r->allocator, &r->conf, &backend, allowed,
					      (uint32_t)p->h->run->pools.len))
		return false;
	r->allocator.complete_frees = mlv_recorded_complete_frees;
	r->allocator.program = &p->device;
	return mlv_origin_fill(p->o, &r->allocator, r->blocks);
}

/* Everything from the start, with the origin as it is known so far. */
static bool run_once(struct replay *p, const struct mlv_replay_options *o)
{
	uint32_t count = (uint32_t)p->h->count;
	uint32_t end = o->events && o->events < count ? o->events : count;
	const struct mlv_replay_watch *w = &o->watch;
	if (!prepare(p, o))
		return false;
	if (w->begin)
		w->begin(w->state, &p->r->allocator);
	for (uint32_t i = 0; i < end && !p->slack_found; i++) {
		if (!step(p, i))
			return false;
		if (w->after)
			w->after(w->state, &p->r->allocator, i);
	}
	if (p->slack_found)
		return true;
	if (end && !settle(p, end - 1))
		return false;
	if (end == count)
		compare_final(p);
	return !p->r->allocator.no_memory;
}

static void reset(struct mlv_recorded *r)
{
	struct mlv_recorded fresh = {
		.history = r->history, .conf = r->conf, .origin = r->origin, .slack = r->slack
	};
	mlv_allocator_fini(&r->allocator);
	free(r->blocks);
	mlv_vec_free(&r->asks);
	*r = fresh;
}

enum mlv_rc mlv_recorded_init(struct mlv_recorded *r, const struct mlv_history *h,
			      const struct mlv_alloc_conf *conf,
			      const struct mlv_replay_options *options, struct mlv_err *err)
{
	/* Each new start costs a pass, and each finds one size: so many events may that take. */
	const uint64_t most = 50 * 1000 * 1000;
	const uint64_t most_starts = 2 + most / (h->count + 1000);
	*r = (struct mlv_recorded){ .history = h, .conf = *conf };
	enum mlv_rc rc = mlv_origin_init(&r->origin, h, conf, err);
	if (rc)
		return rc;
	struct replay p = { .r = r, .h = h, .o = &r->origin };
	bool ok;
	for (uint64_t starts = 0;; starts++) {
		ok = run_once(&p, options);
		p.device.pending.len = p.device.at = p.device.late.len = 0;
		if (!ok || !p.slack_found || starts >= most_starts)
			break;
		reset(r);
	}
	mlv_vec_free(&p.device.pending);
	mlv_vec_free(&p.device.late);
	if (ok)
		return MLV_OK;
	mlv_recorded_fini(r);
	return mlv_err_nomem(err);
}

void mlv_recorded_fini(struct mlv_recorded *r)
{
	mlv_allocator_fini(&r->allocator);
	free(r->blocks);
	mlv_vec_free(&r->asks);
	mlv_origin_fini(&r->origin);
	*r = (struct mlv_recorded){ 0 };
}

bool mlv_recorded_exact(const struct mlv_recorded *r)
{
	return !r->different && r->placements_exact == r->placements &&
	       r->segment_events_exact == r->segment_events && r->ooms_exact == r->ooms &&
	       r->final_blocks_exact == r->final_blocks;
}
