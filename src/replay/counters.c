/* SPDX-License-Identifier: MIT */
#include "replay/counters.h"

struct moment {
	uint32_t event;
	uint64_t allocated;
};

static void after(void *state, const struct mlv_allocator *a, uint32_t event)
{
	struct moment *m = state;
	if (event == m->event)
		m->allocated = a->stats.allocated_bytes.now;
}

struct series {
	uint64_t *start, *allocated;
};

static void series_begin(void *state, const struct mlv_allocator *a)
{
	struct series *s = state;
	*s->start = a->stats.allocated_bytes.now;
}

static void series_after(void *state, const struct mlv_allocator *a, uint32_t event)
{
	struct series *s = state;
	s->allocated[event] = a->stats.allocated_bytes.now;
}

static enum mlv_rc count(struct mlv_counters *c, const struct mlv_history *h,
			 struct mlv_replay_watch watch, struct mlv_err *err)
{
	struct mlv_recorded r;
	struct mlv_diags notes = { 0 };
	struct mlv_replay_options o = { .lead = MLV_REPLAY_RECORDED, .watch = watch };
	struct mlv_alloc_conf conf = mlv_alloc_conf_of(h->run, &notes);
	*c = (struct mlv_counters){ 0 };
	mlv_diags_fini(&notes);
	if (h->device->bytes_are != MLV_BYTES_REQUESTED || h->cut ||
	    !(h->count || h->device->segments))
		return MLV_OK;
	enum mlv_rc rc = mlv_recorded_init(&r, h, &conf, &o, err);
	if (rc)
		return rc;
	c->known = mlv_recorded_exact(&r) && !r.origin.homeless;
	c->stats = r.allocator.stats;
	mlv_recorded_fini(&r);
	return MLV_OK;
}

enum mlv_rc mlv_counters_of(struct mlv_counters *c, const struct mlv_history *h,
			    struct mlv_err *err)
{
	return count(c, h, (struct mlv_replay_watch){ 0 }, err);
}

enum mlv_rc mlv_counters_at(struct mlv_counters *c, const struct mlv_history *h, uint32_t event,
			    struct mlv_err *err)
{
	struct moment m = { .event = event };
	struct mlv_replay_watch watch = { NULL, after, &m };
	enum mlv_rc rc = count(c, h, watch, err);
	c->allocated_at = m.allocated;
	return rc;
}

enum mlv_rc mlv_counters_series(struct mlv_counters *c, const struct mlv_history *h,
				uint64_t *start, uint64_t *allocated, struct mlv_err *err)
{
	struct series s = { start, allocated };
	struct mlv_replay_watch watch = { series_begin, series_after, &s };
	*start = 0;
	return count(c, h, watch, err);
}

static void *work(void *state)
{
	struct mlv_counting *c = state;
	struct mlv_err err = MLV_ERR_INIT;
	c->rc = mlv_counters_of(&c->counters, c->history, &err);
	return NULL;
}

void mlv_counting_begin(struct mlv_counting *c, const struct mlv_history *h)
{
	*c = (struct mlv_counting){ .history = h };
	c->threaded = !pthread_create(&c->thread, NULL, work, c);
}

enum mlv_rc mlv_counting_end(struct mlv_counting *c, struct mlv_err *err)
{
	if (!c->history)
		return MLV_OK;
	if (c->threaded)
		pthread_join(c->thread, NULL);
	else
		work(c);
	c->history = NULL;
	return c->rc ? mlv_err_nomem(err) : MLV_OK;
}
