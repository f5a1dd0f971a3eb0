/* SPDX-License-Identifier: MIT */
#include "replay/postmortem.h"

int64_t mlv_oom_event(const struct mlv_history *h, uint32_t number)
{
	for (size_t i = 0; i < h->other_count; i++) {
		if (h->events[h->others[i]].action == MLV_MEM_OOM && !number--)
			return h->others[i];
	}
	return -1;
}

/*
 * What a program never gets below is what it keeps: the least that was alive in
 * each quarter of the recording up to the failure, and how far it fell.
 */
static void find_floors(struct mlv_postmortem *p, const struct mlv_history *h)
{
	const enum mlv_mem_action freed =
		h->frees_implied ? MLV_MEM_FREE_REQUESTED : MLV_MEM_FREE_COMPLETED;
	uint64_t now = h->requested.start, quarter = (uint64_t)p->event / 4 + 1, height = 0;
	int last = -1;
	for (uint32_t i = 0; i < p->event; i++) {
		const struct mlv_mem_event *e = &h->events[i];
		if (e->action == MLV_MEM_ALLOC)
			now += e->bytes;
		else if (e->action == freed)
			now -= e->bytes;
		int q = (int)(i / quarter);
		if (q != last || now > height)
			height = now;
		if (q != last || now < p->floors[q])
			p->floors[q] = now;
		if (height - now > p->falls[q])
			p->falls[q] = height - now;
		last = q;
	}
}

/*
 * A leak raises the floor in every quarter while memory goes up and down above
 * it, and by enough to matter: without the growth since the second quarter the
 * request would have fitted. The first quarter holds the start of the program,
 * when everything is new; a single climb is no leak.
 */
static bool grew_into_it(const struct mlv_postmortem *p, uint64_t missing)
{
	const uint64_t *f = p->floors;
	for (int q = 1; q < 4; q++) {
		if (f[q] <= f[q - 1] || (q > 1 && p->falls[q] < (f[q] - f[q - 1]) / 2))
			return false;
	}
	return f[3] - f[1] >= missing && f[3] - f[2] >= (f[2] - f[1]) / 2;
}

static void find_limit(struct mlv_postmortem *p, const struct mlv_postmortem_setup *s)
{
	uint64_t reserved = p->at.reserved_bytes.now, peak = p->at.reserved_bytes.peak;
	p->capacity = s->capacity;
	p->limit_kind = MLV_LIMIT_GIVEN;
	if (s->limit) {
		p->limit = p->limit_most = s->limit;
	} else if (p->device_free == UINT64_MAX) {
		p->limit = p->limit_most = s->capacity ? s->capacity : reserved;
	} else if (p->device_free >= p->segment) {
		/* The device had it: a limit of the process stood before. */
		p->limit_kind = MLV_LIMIT_INFERRED;
		p->limit = peak;
		p->limit_most = reserved + p->segment;
		if (p->limit >= p->limit_most)
			p->limit = reserved;
	} else {
		p->limit_kind = MLV_LIMIT_DEVICE;
		p->limit = p->limit_most = reserved + p->device_free;
	}
	if (s->capacity && p->device_free != UINT64_MAX && s->capacity > reserved + p->device_free)
		p->outside = s->capacity - reserved - p->device_free;
}

static enum mlv_oom_verdict judge(const struct mlv_postmortem *p)
{
	uint64_t wanted = p->at.active_bytes.now + p->rounded;
	if (wanted <= p->limit)
		return MLV_OOM_FRAGMENTATION;
	uint64_t missing = wanted - p->limit;
	/* The part of a device's memory that a process itself needs without PyTorch. */
	const uint64_t own = 1024 * MLV_MIB;
	if (p->limit_kind == MLV_LIMIT_DEVICE && p->outside > own && p->outside - own >= missing)
		return MLV_OOM_OTHER_MEMORY;
	return grew_into_it(p, missing) ? MLV_OOM_LEAK : MLV_OOM_CAPACITY;
}

static enum mlv_rc examine(struct mlv_postmortem *p, const struct mlv_history *h,
			   const struct mlv_allocator *a, const struct mlv_postmortem_setup *s,
			   struct mlv_err *err)
{
	p->at = a->stats;
	p->rounded = mlv_alloc_round(&a->conf, p->requested ? p->requested : p->rounded);
	p->segment =
		a->conf.expandable ? p->rounded : mlv_alloc_segment_bytes(&a->conf, p->rounded);
	p->small = p->rounded <= MLV_ALLOC_SMALL;
	enum mlv_rc rc = mlv_free_space_init(&p->space, h, a, p->pool, p->small, err);
	if (rc)
		return rc;
	const struct mlv_free_share *mine =
		mlv_free_space_share(&p->space, p->pool, p->small, p->stream);
	p->usable = mine ? mine->bytes : 0;
	p->usable_largest = mine ? mine->largest : 0;
	find_floors(p, h);
	find_limit(p, s);
	p->verdict = judge(p);
	return MLV_OK;
}

static void describe(struct mlv_postmortem *p, const struct mlv_history *h, uint32_t event)
{
	const struct mlv_mem_event *e = &h->events[event];
	*p = (struct mlv_postmortem){ .event = event,
				      .pool = e->pool == MLV_POOL_UNKNOWN ? MLV_POOL_DEFAULT
									  : e->pool,
				      .stream = mlv_origin_stream(h->run, e->track),
				      .stack = e->stack,
				      .device_free = UINT64_MAX };
	if (e->action == MLV_MEM_OOM) {
		p->rounded = e->bytes;
		p->device_free = mlv_oom_device_free(e);
	} else {
		p->requested = e->bytes;
	}
}

enum mlv_rc mlv_postmortem_init(struct mlv_postmortem *p, const struct mlv_history *h,
				const struct mlv_alloc_conf *conf, uint32_t event,
				const struct mlv_postmortem_setup *setup, struct mlv_err *err)
{
	struct mlv_recorded r;
	struct mlv_replay_options o = { .allowed = setup->limit, .events = event + 1 };
	enum mlv_rc rc = mlv_recorded_init(&r, h, conf, &o, err);
	if (rc)
		return rc;
	describe(p, h, event);
	p->at_alloc = r.placements;
	rc = examine(p, h, &r.allocator, setup, err);
	mlv_recorded_fini(&r);
	return rc;
}

enum mlv_rc mlv_postmortem_whatif(struct mlv_postmortem *p, const struct mlv_whatif *w,
				  const struct mlv_history *h, struct mlv_err *err)
{
	struct mlv_postmortem_setup s = { .limit = w->setup.limit, .capacity = w->setup.capacity };
	describe(p, h, w->oom_event);
	p->device_free = UINT64_MAX;
	p->at_alloc = w->allocs;
	return examine(p, h, &w->allocator, &s, err);
}

void mlv_postmortem_fini(struct mlv_postmortem *p)
{
	mlv_free_space_fini(&p->space);
}

const char *mlv_oom_verdict_name(enum mlv_oom_verdict v)
{
	static const char *const names[] = {
		[MLV_OOM_CAPACITY] = "capacity",
		[MLV_OOM_LEAK] = "leak before",
		[MLV_OOM_OTHER_MEMORY] = "other memory on the device",
		[MLV_OOM_FRAGMENTATION] = "fragmentation",
	};
	return names[v];
}
