/* SPDX-License-Identifier: MIT */
#include "replay/frag_series.h"

#include <string.h>

/* Sets are ordered by stream and then by size: the last block of each stream is its largest. */
uint64_t mlv_frag_largest_free(const struct mlv_allocator *a)
{
	uint64_t largest = 0;
	for (size_t i = 0; i < a->pools.len; i++) {
		const struct mlv_block_set *set = &a->pools.data[i].free;
		mlv_blockid id = mlv_block_set_last(&a->blocks, set);
		while (id) {
			const struct mlv_cache_block *b = mlv_cache_at(a, id);
			if (b->size > largest)
				largest = b->size;
			id = mlv_block_set_before(&a->blocks, set,
						  (struct mlv_block_key){ b->stream, 0, 0, 0 });
		}
	}
	return largest;
}

static uint64_t free_bytes(const struct mlv_frag_moment *m)
{
	return m->reserved > m->active ? m->reserved - m->active : 0;
}

static struct mlv_frag_moment moment_of(const struct mlv_allocator *a)
{
	const struct mlv_alloc_stats *s = &a->stats;
	struct mlv_frag_moment m = { .reserved = s->reserved_bytes.now,
				     .active = s->active_bytes.now,
				     .allocated = s->allocated_bytes.now,
				     .largest = mlv_frag_largest_free(a) };
	uint64_t idle = free_bytes(&m);
	m.idle = m.reserved ? (float)((double)idle / (double)m.reserved) : 0;
	m.scattered = idle > m.largest ? (float)((double)(idle - m.largest) / (double)idle) : 0;
	return m;
}

/* Every change of free memory goes with one of these. */
static bool free_changed(const struct mlv_alloc_stats *a, const struct mlv_alloc_stats *b)
{
	return a->active_bytes.now != b->active_bytes.now ||
	       a->reserved_bytes.now != b->reserved_bytes.now ||
	       a->num_device_alloc != b->num_device_alloc ||
	       a->num_device_free != b->num_device_free;
}

static void start_bytes(struct mlv_frag_bytes *r, uint64_t v)
{
	*r = (struct mlv_frag_bytes){ v, v, v };
}

static void start_share(struct mlv_frag_share *r, float v)
{
	*r = (struct mlv_frag_share){ v, v, v };
}

/* `most`: within the event it may have been more than after it. */
static void add_bytes(struct mlv_frag_bytes *r, uint64_t v, uint64_t most)
{
	r->last = v;
	if (v < r->least)
		r->least = v;
	if (most > r->most)
		r->most = most;
}

static void add_share(struct mlv_frag_share *r, float v)
{
	r->last = v;
	if (v < r->least)
		r->least = v;
	if (v > r->most)
		r->most = v;
}

/* A column begins with what stood before its events. */
static void open_column(struct mlv_frag_series *s, uint32_t column)
{
	struct mlv_frag_column *c = &s->columns[column];
	uint64_t n = (uint64_t)s->last - s->first + 1;
	memset(c, 0, sizeof(*c));
	start_bytes(&c->reserved, s->now.reserved);
	start_bytes(&c->active, s->now.active);
	start_bytes(&c->allocated, s->now.allocated);
	start_bytes(&c->largest, s->now.largest);
	start_share(&c->idle, s->now.idle);
	start_share(&c->scattered, s->now.scattered);
	s->column = column;
	/* The first event whose share of the columns reaches the next one. */
	uint64_t next = (((uint64_t)column + 1) * n + s->count - 1) / s->count;
	s->next = next >= n ? UINT32_MAX : s->first + (uint32_t)next;
	s->ended = column + 1;
}

static void raise(struct mlv_frag_peak *p, uint64_t bytes, int64_t event)
{
	if (bytes > p->bytes)
		*p = (struct mlv_frag_peak){ bytes, event };
}

static void raise_all(struct mlv_frag_series *s, const struct mlv_frag_moment *most, int64_t event)
{
	raise(&s->reserved_peak, most->reserved, event);
	raise(&s->active_peak, most->active, event);
	raise(&s->allocated_peak, most->allocated, event);
	uint64_t idle = free_bytes(&s->now);
	if (idle > s->now.largest && idle - s->now.largest > s->outside_peak.bytes) {
		raise(&s->outside_peak, idle - s->now.largest, event);
		s->outside_at = s->now;
	}
}

/* What is known before the first event that is shown. */
static void start(struct mlv_frag_series *s, int64_t event)
{
	s->reserved_peak = s->active_peak = s->allocated_peak = s->outside_peak =
		(struct mlv_frag_peak){ 0, -1 };
	s->retries = s->ooms = 0;
	s->passed = false;
	open_column(s, 0);
	raise_all(s, &s->now, event);
}

static void begin(void *state, const struct mlv_allocator *a)
{
	struct mlv_frag_series *s = state;
	s->now = moment_of(a);
	s->before = a->stats;
	start(s, -1);
}

/* A counter's peak that rose in this event, else what it is after it. */
static uint64_t most_in(const struct mlv_alloc_stat *before, const struct mlv_alloc_stat *after)
{
	return after->peak > before->peak ? after->peak : after->now;
}

static void add_failures(struct mlv_frag_series *s, const struct mlv_alloc_stats *t, uint32_t event)
{
	struct mlv_frag_column *c = &s->columns[s->column];
	uint64_t retries = t->num_alloc_retries - s->before.num_alloc_retries;
	uint64_t ooms = t->num_ooms - s->before.num_ooms;
	if (retries && !c->retries)
		c->first_retry = event;
	if (ooms && !c->ooms)
		c->first_oom = event;
	c->retries += (uint32_t)retries;
	c->ooms += (uint32_t)ooms;
	s->retries += retries;
	s->ooms += ooms;
}

static void add(struct mlv_frag_series *s, const struct mlv_alloc_stats *t, uint32_t event)
{
	struct mlv_frag_column *c = &s->columns[s->column];
	struct mlv_frag_moment most = {
		.reserved = most_in(&s->before.reserved_bytes, &t->reserved_bytes),
		.active = most_in(&s->before.active_bytes, &t->active_bytes),
		.allocated = most_in(&s->before.allocated_bytes, &t->allocated_bytes),
	};
	add_bytes(&c->reserved, s->now.reserved, most.reserved);
	add_bytes(&c->active, s->now.active, most.active);
	add_bytes(&c->allocated, s->now.allocated, most.allocated);
	add_bytes(&c->largest, s->now.largest, s->now.largest);
	add_share(&c->idle, s->now.idle);
	add_share(&c->scattered, s->now.scattered);
	raise_all(s, &most, event);
	if (t->num_alloc_retries != s->before.num_alloc_retries ||
	    t->num_ooms != s->before.num_ooms)
		add_failures(s, t, event);
}

static void after(void *state, const struct mlv_allocator *a, uint32_t event)
{
	struct mlv_frag_series *s = state;
	if (event > s->last) {
		s->passed = true;
		return;
	}
	while (event >= s->first && event >= s->next)
		open_column(s, s->column + 1);
	if (free_changed(&s->before, &a->stats))
		s->now = moment_of(a);
	s->now.allocated = a->stats.allocated_bytes.now;
	if (event < s->first)
		start(s, event);
	else
		add(s, &a->stats, event);
	s->before = a->stats;
}

enum mlv_rc mlv_frag_series_init(struct mlv_frag_series *s, uint32_t first, uint32_t last,
				 uint32_t columns, struct mlv_err *err)
{
	uint64_t n = (uint64_t)last - first + 1;
	*s = (struct mlv_frag_series){ .first = first, .last = last };
	s->count = columns < 1 ? 1 : columns > n ? (uint32_t)n : columns;
	s->columns = mlv_zeroed(s->count, sizeof(*s->columns));
	return s->columns ? MLV_OK : mlv_err_nomem(err);
}

void mlv_frag_series_fini(struct mlv_frag_series *s)
{
	free(s->columns);
	s->columns = NULL;
}

struct mlv_replay_watch mlv_frag_series_watch(struct mlv_frag_series *s)
{
	return (struct mlv_replay_watch){ begin, after, s };
}

void mlv_frag_series_end(struct mlv_frag_series *s, const struct mlv_allocator *a)
{
	/* Released behind the last event: the program emptied its cache and ended. */
	if (!s->passed && s->next == UINT32_MAX && free_changed(&s->before, &a->stats)) {
		s->now = moment_of(a);
		add(s, &a->stats, s->last);
	}
	s->at_end = s->now;
}

uint32_t mlv_frag_series_column(const struct mlv_frag_series *s, uint32_t event)
{
	uint64_t n = (uint64_t)s->last - s->first + 1;
	if (event < s->first)
		return 0;
	if (event > s->last)
		event = s->last;
	return (uint32_t)(((uint64_t)event - s->first) * s->count / n);
}
