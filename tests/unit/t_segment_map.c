/* SPDX-License-Identifier: MIT */
/* The map of segments: a copy of the allocator to the byte, whatever the program was. */
#include <string.h>

#include "replay/segment_map.h"
#include "replay/whatif.h"
#include "snapshot_writer.h"
#include "unit.h"

static uint64_t state = 33;

static uint64_t rnd(uint64_t n)
{
	return unit_random(&state) % n;
}

/* Its blocks tile it, and are what it says of itself. */
static void check_segment(const struct mlv_segment_map *m, const struct mlv_map_segment *s)
{
	const struct mlv_map_block *b = &m->blocks.data[s->first_block];
	uint64_t end = s->addr, mapped = 0, free_bytes = 0;
	unit_check(s->blocks);
	for (size_t i = 0; i < s->blocks; i++) {
		bool unmapped = b[i].state == MLV_CACHE_UNMAPPED;
		unit_check(b[i].addr == end && b[i].bytes && b[i].requested <= b[i].bytes);
		unit_check(s->expandable || !unmapped);
		end += b[i].bytes;
		mapped += unmapped ? 0 : b[i].bytes;
		free_bytes += b[i].state == MLV_CACHE_FREE ? b[i].bytes : 0;
	}
	unit_check(end == s->addr + s->bytes);
	unit_check(b[s->blocks - 1].state != MLV_CACHE_UNMAPPED);
	unit_check(mapped == s->mapped && free_bytes == s->free_bytes);
}

static bool before(const struct mlv_map_group *a, const struct mlv_map_group *b)
{
	if (a->pool != b->pool)
		return a->pool < b->pool;
	return a->small != b->small ? b->small : a->stream < b->stream;
}

/*
 * Every segment and every block is in one group, in order. They lie apart where a model of the
 * driver places them; a recording of another allocator than PyTorch's is no such device.
 */
static void check_groups(const struct mlv_segment_map *m, bool apart)
{
	size_t segment = 0, block = 0;
	for (size_t i = 0; i < m->groups.len; i++) {
		const struct mlv_map_group *g = &m->groups.data[i];
		uint64_t mapped = 0, free_bytes = 0, free_blocks = 0, bytes = 0, largest = 0;
		unit_check(g->segments && g->first_segment == segment);
		unit_check(!i || before(g - 1, g));
		for (size_t k = 0; k < g->segments; k++, segment++) {
			const struct mlv_map_segment *s = &m->segments.data[segment];
			unit_check(s->first_block == block);
			unit_check(!k || s[-1].addr + (apart ? s[-1].bytes : 0) <= s->addr);
			check_segment(m, s);
			mapped += s->mapped;
			free_bytes += s->free_bytes;
			bytes += s->bytes;
			for (size_t j = 0; j < s->blocks; j++, block++) {
				const struct mlv_map_block *b = &m->blocks.data[block];
				free_blocks += b->state == MLV_CACHE_FREE;
				if (b->state == MLV_CACHE_FREE && b->bytes > largest)
					largest = b->bytes;
			}
		}
		unit_check(g->mapped == mapped && g->free_bytes == free_bytes);
		unit_check(g->bytes == bytes && g->largest == largest);
		unit_check(g->free_blocks == free_blocks);
	}
	unit_check(segment == m->segments.len && block == m->blocks.len);
}

/* The allocator's own counters. */
static void check_sums(const struct mlv_segment_map *m, const struct mlv_allocator *a)
{
	const struct mlv_alloc_stats *t = &a->stats;
	const struct mlv_map_sums *s = &m->sums;
	uint64_t largest = 0, pending_requested = 0;
	for (size_t i = 0; i < m->blocks.len; i++) {
		const struct mlv_map_block *b = &m->blocks.data[i];
		if (b->state == MLV_CACHE_FREE && b->bytes > largest)
			largest = b->bytes;
		if (b->state == MLV_CACHE_PENDING)
			pending_requested += b->requested;
	}
	unit_check(s->requested + s->rounding == t->allocated_bytes.now);
	unit_check(s->requested + s->rounding + s->pending == t->active_bytes.now);
	unit_check(s->requested + pending_requested == t->requested_bytes.now);
	unit_check(s->requested + s->rounding + s->pending + s->free_bytes ==
		   t->reserved_bytes.now);
	unit_check((m->largest == SIZE_MAX) == (s->free_bytes == 0));
	if (m->largest != SIZE_MAX)
		unit_check(m->blocks.data[m->largest].bytes == largest);
}

struct watched {
	unsigned looks, holes, pending;
	unsigned every;
	bool apart;
};

static void after(void *opaque, const struct mlv_allocator *a, uint32_t event)
{
	struct watched *w = opaque;
	struct mlv_segment_map m;
	if (event % w->every)
		return;
	unit_check(!mlv_segment_map_init(&m, a, NULL));
	check_groups(&m, w->apart);
	check_sums(&m, a);
	w->looks++;
	w->holes += m.sums.unmapped > 0;
	w->pending += m.sums.pending > 0;
	mlv_segment_map_fini(&m);
}

/* The sums after the last request or free up to an event. */
struct passed {
	uint32_t event;
	struct mlv_map_sums sums;
};

static struct mlv_map_sums sums_of(const struct mlv_allocator *a)
{
	struct mlv_segment_map m;
	unit_check(!mlv_segment_map_init(&m, a, NULL));
	struct mlv_map_sums sums = m.sums;
	mlv_segment_map_fini(&m);
	return sums;
}

static void pass_begin(void *opaque, const struct mlv_allocator *a)
{
	struct passed *p = opaque;
	p->sums = sums_of(a);
}

static void pass(void *opaque, const struct mlv_allocator *a, uint32_t event)
{
	struct passed *p = opaque;
	if (event <= p->event)
		p->sums = sums_of(a);
}

/* A what-if that stops at an event is what a whole one was there. */
static void check_stop(const struct mlv_recorded *r, const struct mlv_whatif_setup *given)
{
	struct mlv_whatif whole, part;
	struct mlv_whatif_setup setup = *given;
	struct passed p = { .event = (uint32_t)rnd(r->history->count) };
	setup.watch = (struct mlv_replay_watch){ pass_begin, pass, &p };
	unit_check(!mlv_whatif_init(&whole, r, &setup, NULL));
	setup.watch = (struct mlv_replay_watch){ 0 };
	setup.events = p.event + 1;
	unit_check(!mlv_whatif_init(&part, r, &setup, NULL));
	struct mlv_map_sums sums = sums_of(&part.allocator);
	unit_check(memcmp(&sums, &p.sums, sizeof(sums)) == 0);
	mlv_whatif_fini(&whole);
	mlv_whatif_fini(&part);
}

START_TEST(random_programs)
{
	struct watched w = { 0 };
	for (int round = 0; round < 150; round++) {
		struct snap snap = { 0 };
		struct mlv_buf file = { 0 };
		struct mlv_run run;
		struct mlv_history h;
		struct mlv_recorded r;
		struct mlv_whatif what;
		struct mlv_alloc_conf conf = mlv_alloc_conf_default;
		struct mlv_replay_options o = { .watch = { NULL, after, &w } };
		struct mlv_whatif_setup setup = { .conf = conf, .watch = o.watch };
		conf.expandable = rnd(2);
		w.apart = false;
		w.every = 1 + (unsigned)rnd(9);
		snap_record(&snap, &(struct snap_program){ .seed = rnd(1000000) + 1,
							   .steps = 20 + (unsigned)rnd(400),
							   .devices = 1,
							   .streams = 1 + (int)rnd(3),
							   .pools = 1 + (int)rnd(3),
							   .pending = rnd(2),
							   .empty_cache = rnd(2),
							   .expandable = conf.expandable });
		snap_write(&snap, (struct snap_style){ 0 }, &file);
		unit_check(!snap_read(&run, &file, 0, NULL, NULL));
		unit_check(!mlv_history_init(&h, &run, 0, NULL));
		unit_check(!mlv_recorded_init(&r, &h, &conf, &o, NULL));
		setup.conf.expandable = rnd(2);
		w.apart = true;
		unit_check(!mlv_whatif_init(&what, &r, &setup, NULL));
		mlv_whatif_fini(&what);
		check_stop(&r, &setup);
		mlv_recorded_fini(&r);
		mlv_history_fini(&h);
		mlv_run_fini(&run);
		mlv_buf_fini(&file);
		snap_fini(&snap);
	}
	/* The programs did what they are for. */
	ck_assert_uint_gt(w.looks, 1000);
	ck_assert_uint_gt(w.holes, 10);
	ck_assert_uint_gt(w.pending, 100);
}
END_TEST

UNIT_MAIN("segment_map", random_programs)
