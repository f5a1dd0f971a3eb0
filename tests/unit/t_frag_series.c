/* SPDX-License-Identifier: MIT */
/*
 * Fragmentation over a replay: every column against all states that the
 * allocator went through, looked at one by one.
 */
#include <string.h>

#include "replay/frag_series.h"
#include "snapshot_writer.h"
#include "unit.h"

/* One state of the allocator, by walking over every free block. */
struct seen {
	int64_t event; /* -1: before the first */
	uint64_t reserved, active, allocated, largest, free_bytes;
	struct mlv_alloc_stats stats;
};

struct watched {
	struct mlv_frag_series series;
	MLV_VEC(struct seen) states;
};

static void look(struct watched *w, const struct mlv_allocator *a, int64_t event)
{
	struct seen s = { .event = event,
			  .reserved = a->stats.reserved_bytes.now,
			  .active = a->stats.active_bytes.now,
			  .allocated = a->stats.allocated_bytes.now,
			  .stats = a->stats };
	for (size_t i = 0; i < a->pools.len; i++) {
		const struct mlv_block_set *set = &a->pools.data[i].free;
		for (mlv_blockid id = mlv_block_set_first(&a->blocks, set); id;
		     id = mlv_block_set_next(&a->blocks, set, id)) {
			uint64_t size = mlv_cache_at(a, id)->size;
			s.free_bytes += size;
			s.largest = size > s.largest ? size : s.largest;
		}
	}
	unit_check(s.largest == mlv_frag_largest_free(a));
	unit_check(mlv_vec_push(&w->states, s));
}

static void begin(void *state, const struct mlv_allocator *a)
{
	struct watched *w = state;
	w->states.len = 0;
	look(w, a, -1);
	struct mlv_replay_watch of = mlv_frag_series_watch(&w->series);
	of.begin(of.state, a);
}

static void after(void *state, const struct mlv_allocator *a, uint32_t event)
{
	struct watched *w = state;
	look(w, a, event);
	struct mlv_replay_watch of = mlv_frag_series_watch(&w->series);
	of.after(of.state, a, event);
}

static void check_bytes(const struct mlv_frag_bytes *b, uint64_t least, uint64_t most,
			uint64_t last)
{
	unit_check(b->least == least);
	unit_check(b->most == most);
	unit_check(b->last == last);
}

static float idle_of(const struct seen *s)
{
	return s->reserved ? (float)((double)s->free_bytes / (double)s->reserved) : 0;
}

static float scattered_of(const struct seen *s)
{
	if (!s->free_bytes)
		return 0;
	return (float)((double)(s->free_bytes - s->largest) / (double)s->free_bytes);
}

/* Within an event a counter may have been higher than before and after it. */
static void raised(const struct mlv_alloc_stat *before, const struct mlv_alloc_stat *now,
		   uint64_t *most)
{
	if (now->peak > before->peak)
		*most = now->peak;
}

/* The states from `from` (what stood before the column) to `to`. */
static void check_column(const struct watched *w, const struct mlv_frag_column *c, size_t from,
			 size_t to)
{
	const struct seen *first = &w->states.data[from], *last = &w->states.data[to];
	uint64_t low[4] = { UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX }, high[4] = { 0 };
	float idle[2] = { 1, 0 }, scattered[2] = { 1, 0 };
	for (const struct seen *s = first; s <= last; s++) {
		uint64_t v[4] = { s->reserved, s->active, s->allocated, s->largest }, most[4];
		memcpy(most, v, sizeof(v));
		if (s > first) {
			raised(&s[-1].stats.reserved_bytes, &s->stats.reserved_bytes, &most[0]);
			raised(&s[-1].stats.active_bytes, &s->stats.active_bytes, &most[1]);
			raised(&s[-1].stats.allocated_bytes, &s->stats.allocated_bytes, &most[2]);
		}
		for (int k = 0; k < 4; k++) {
			low[k] = v[k] < low[k] ? v[k] : low[k];
			high[k] = most[k] > high[k] ? most[k] : high[k];
		}
		float i = idle_of(s), q = scattered_of(s);
		idle[0] = i < idle[0] ? i : idle[0];
		idle[1] = i > idle[1] ? i : idle[1];
		scattered[0] = q < scattered[0] ? q : scattered[0];
		scattered[1] = q > scattered[1] ? q : scattered[1];
	}
	check_bytes(&c->reserved, low[0], high[0], last->reserved);
	check_bytes(&c->active, low[1], high[1], last->active);
	check_bytes(&c->allocated, low[2], high[2], last->allocated);
	check_bytes(&c->largest, low[3], high[3], last->largest);
	unit_check(c->idle.least == idle[0] && c->idle.most == idle[1]);
	unit_check(c->scattered.least == scattered[0] && c->scattered.most == scattered[1]);
	unit_check(c->retries == last->stats.num_alloc_retries - first->stats.num_alloc_retries);
	unit_check(c->ooms == last->stats.num_ooms - first->stats.num_ooms);
}

/* Whole views only: the last column may hold what the replay did behind its last event. */
static void check_series(struct watched *w, const struct mlv_allocator *end)
{
	const struct mlv_frag_series *s = &w->series;
	size_t at = 0;
	while (at + 1 < w->states.len && w->states.data[at + 1].event < (int64_t)s->first)
		at++;
	if (s->first == 0 && s->ended == s->count)
		look(w, end, s->last);
	uint64_t retries = 0, ooms = 0, most = 0;
	for (uint32_t x = 0; x < s->ended; x++) {
		size_t to = at;
		while (to + 1 < w->states.len && w->states.data[to + 1].event <= s->last &&
		       mlv_frag_series_column(s, (uint32_t)w->states.data[to + 1].event) <= x)
			to++;
		check_column(w, &s->columns[x], at, to);
		retries += s->columns[x].retries;
		ooms += s->columns[x].ooms;
		most = s->columns[x].reserved.most > most ? s->columns[x].reserved.most : most;
		at = to;
	}
	unit_check(s->retries == retries && s->ooms == ooms);
	unit_check(s->reserved_peak.bytes == most);
	if (s->first || s->passed)
		return;
	/* The whole replay: the allocator's own counters. */
	unit_check(s->reserved_peak.bytes == end->stats.reserved_bytes.peak);
	unit_check(s->active_peak.bytes == end->stats.active_bytes.peak);
	unit_check(s->allocated_peak.bytes == end->stats.allocated_bytes.peak);
	unit_check(s->retries == end->stats.num_alloc_retries && s->ooms == end->stats.num_ooms);
	unit_check(s->at_end.reserved == end->stats.reserved_bytes.now);
	unit_check(s->at_end.largest == mlv_frag_largest_free(end));
}

/* ---- random programs ---- */

static uint64_t state = 20;

static uint64_t rnd(uint64_t n)
{
	return unit_random(&state) % n;
}

static void check_recorded(struct mlv_recorded *r, const struct mlv_history *h,
			   const struct mlv_alloc_conf *conf, uint32_t first, uint32_t last,
			   uint32_t columns)
{
	struct watched w = { 0 };
	struct mlv_replay_options o = { .watch = { begin, after, &w } };
	unit_check(!mlv_frag_series_init(&w.series, first, last, columns, NULL));
	unit_check(!mlv_recorded_init(r, h, conf, &o, NULL));
	mlv_frag_series_end(&w.series, &r->allocator);
	unit_check(w.series.ended == w.series.count);
	check_series(&w, &r->allocator);
	mlv_frag_series_fini(&w.series);
	mlv_vec_free(&w.states);
}

/* Under a limit that is sometimes too small: then the columns end where the what-if does. */
static bool check_whatif(const struct mlv_recorded *r, const struct mlv_history *h,
			 uint32_t columns)
{
	struct watched w = { 0 };
	struct mlv_whatif what;
	struct mlv_whatif_setup setup = { .conf = mlv_alloc_conf_default,
					  .limit = r->allocator.stats.reserved_bytes.peak / 2 +
						   rnd(r->allocator.stats.reserved_bytes.peak),
					  .watch = { begin, after, &w } };
	setup.conf.expandable = rnd(2);
	unit_check(!mlv_frag_series_init(&w.series, 0, (uint32_t)h->count - 1, columns, NULL));
	unit_check(!mlv_whatif_init(&what, r, &setup, NULL));
	mlv_frag_series_end(&w.series, &what.allocator);
	check_series(&w, &what.allocator);
	bool failed = what.oom_at_alloc >= 0;
	unit_check(!failed || w.series.ooms == 1);
	if (failed)
		unit_check(w.series.ended == mlv_frag_series_column(&w.series, what.oom_event) + 1);
	mlv_whatif_fini(&what);
	mlv_frag_series_fini(&w.series);
	mlv_vec_free(&w.states);
	return failed;
}

START_TEST(random_programs)
{
	unsigned failed = 0, retried = 0;
	for (int round = 0; round < 150; round++) {
		struct snap snap = { 0 };
		struct mlv_buf file = { 0 };
		struct mlv_run run;
		struct mlv_history h;
		struct mlv_recorded r;
		snap_record(&snap, &(struct snap_program){ .seed = rnd(1000000) + 1,
							   .steps = 20 + (unsigned)rnd(400),
							   .devices = 1,
							   .streams = 1 + (int)rnd(3),
							   .pools = 1 + (int)rnd(3),
							   .pending = rnd(2),
							   .empty_cache = rnd(2),
							   .expandable = rnd(2),
							   .oom = rnd(2) });
		if (rnd(3) == 0)
			snap_keep_last(&snap, 1 + rnd(100));
		snap_write(&snap, (struct snap_style){ 0 }, &file);
		unit_check(!snap_read(&run, &file, 0, NULL, NULL));
		unit_check(!mlv_history_init(&h, &run, 0, NULL));
		struct mlv_alloc_conf conf = mlv_alloc_conf_default;
		uint32_t last = (uint32_t)h.count - 1;
		uint32_t from = (uint32_t)rnd(h.count), to = from + (uint32_t)rnd(h.count - from);
		check_recorded(&r, &h, &conf, from, to, 1 + (uint32_t)rnd(50));
		mlv_recorded_fini(&r);
		check_recorded(&r, &h, &conf, 0, last, 1 + (uint32_t)rnd(2 * h.count));
		retried += r.allocator.stats.num_alloc_retries > 0;
		if (r.allocator.stats.reserved_bytes.peak)
			failed += check_whatif(&r, &h, 1 + (uint32_t)rnd(2 * h.count));
		mlv_recorded_fini(&r);
		mlv_history_fini(&h);
		mlv_run_fini(&run);
		mlv_buf_fini(&file);
		snap_fini(&snap);
	}
	/* The programs did what they are for. */
	ck_assert_uint_gt(failed, 10);
	ck_assert_uint_gt(retried, 10);
}
END_TEST

UNIT_MAIN("frag_series", random_programs)
