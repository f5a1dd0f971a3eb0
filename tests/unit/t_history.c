/* SPDX-License-Identifier: MIT */
/* Lives and sums of a history against a reckoning that is slow and plain. */
#include "unit.h"

#include <string.h>

#include "analysis/history.h"
#include "snapshot_writer.h"

/* ---- the plain reckoning ---- */

struct life {
	uint64_t addr, bytes;
	int64_t born, freed, died; /* events; -1 before the first, INT64_MAX never */
	bool gone;                 /* not the holder of its address any more */
	enum mlv_alloc_origin origin;
};

struct plain {
	const struct mlv_mem_event *events;
	int64_t count;
	MLV_VEC(struct life) lives;
	int64_t overlaps, first_overlap;
};

static struct life *holder(struct plain *p, uint64_t addr)
{
	for (size_t i = p->lives.len; i-- > 0;) {
		if (p->lives.data[i].addr == addr && !p->lives.data[i].gone)
			return &p->lives.data[i];
	}
	return NULL;
}

static struct life *add_life(struct plain *p, uint64_t addr, uint64_t bytes, int64_t born,
			     enum mlv_alloc_origin origin)
{
	struct life l = { addr, bytes, born, INT64_MAX, INT64_MAX, false, origin };
	unit_check(mlv_vec_push(&p->lives, l));
	return &p->lives.data[p->lives.len - 1];
}

static void plain_event(struct plain *p, int64_t i, bool implied)
{
	const struct mlv_mem_event *e = &p->events[i];
	bool completes = e->action == MLV_MEM_FREE_COMPLETED;
	struct life *l = holder(p, e->addr);
	if (e->action == MLV_MEM_ALLOC) {
		if (l) {
			l->died = i;
			l->gone = true;
			if (l->freed == INT64_MAX && p->overlaps++ == 0)
				p->first_overlap = i;
		}
		add_life(p, e->addr, e->bytes, i, MLV_ALLOC_TRACED);
	} else if (completes || e->action == MLV_MEM_FREE_REQUESTED) {
		if (!l)
			l = add_life(p, e->addr, e->bytes, -1, MLV_ALLOC_ORPHAN_FREE);
		if (!completes || implied)
			l->freed = i;
		if (completes || implied) {
			l->died = i;
			l->gone = true;
		}
	}
}

static void plain_reckon(struct plain *p, const struct mlv_run *run, size_t device, bool implied)
{
	const struct mlv_device *d = &run->devices.data[device];
	memset(p, 0, sizeof(*p));
	p->events = d->events ? run->mem_events.data + d->first_event : NULL;
	p->count = (int64_t)d->events;
	p->first_overlap = -1;
	for (int64_t i = 0; i < p->count; i++)
		plain_event(p, i, implied);
	for (size_t i = 0; i < d->segments; i++) {
		const struct mlv_segment *seg = &run->segments.data[d->first_segment + i];
		for (uint32_t k = 0; k < seg->blocks; k++) {
			const struct mlv_block *b = &run->blocks.data[seg->first_block + k];
			struct life *l = holder(p, b->addr);
			bool used = b->state == MLV_BLOCK_ALLOCATED ||
				    (b->state == MLV_BLOCK_PENDING_FREE && !implied);
			if (used && l)
				l->gone = true;
			else if (used)
				add_life(p, b->addr, b->requested, -1, MLV_ALLOC_FINAL_BLOCK)
					->gone = true;
		}
	}
}

static bool alive(const struct life *l, int64_t e)
{
	return l->born <= e && l->died > e;
}

static uint64_t plain_requested(const struct plain *p, int64_t e)
{
	uint64_t sum = 0;
	for (size_t i = 0; i < p->lives.len; i++)
		sum += alive(&p->lives.data[i], e) ? p->lives.data[i].bytes : 0;
	return sum;
}

static uint64_t plain_pending(const struct plain *p, int64_t e)
{
	uint64_t sum = 0;
	for (size_t i = 0; i < p->lives.len; i++) {
		const struct life *l = &p->lives.data[i];
		sum += alive(l, e) && l->freed <= e ? l->bytes : 0;
	}
	return sum;
}

/* ---- the comparison ---- */

static const struct life *life_of(const struct plain *p, const struct mlv_alloc *a)
{
	for (size_t i = 0; i < p->lives.len; i++) {
		const struct life *l = &p->lives.data[i];
		if (l->addr == a->addr && l->bytes == a->bytes && l->origin == a->origin &&
		    l->born == (a->born == MLV_NEVER ? -1 : (int64_t)a->born) &&
		    l->died == (a->died == MLV_NEVER ? INT64_MAX : (int64_t)a->died) &&
		    l->freed == (a->free_requested == MLV_NEVER ? INT64_MAX
								: (int64_t)a->free_requested))
			return l;
	}
	return NULL;
}

static void check_lives(const struct mlv_history *h, const struct plain *p)
{
	size_t deaths = 0, initial = 0;
	unit_check(h->alloc_count == p->lives.len);
	for (size_t i = 0; i < h->alloc_count; i++) {
		const struct mlv_alloc *a = &h->allocs[i];
		unit_check(life_of(p, a));
		deaths += a->died != MLV_NEVER;
		initial += a->born == MLV_NEVER;
		unit_check((i < h->initial) == (a->born == MLV_NEVER));
		/* Stacked by birth; what outlives the recording lies below what does not. */
		if (i > h->initial)
			unit_check(h->allocs[i - 1].born < a->born);
		else if (i && i < h->initial)
			unit_check(h->allocs[i - 1].died == MLV_NEVER || a->died != MLV_NEVER);
	}
	unit_check(initial == h->initial);
	unit_check(deaths == h->death_count);
	for (size_t i = 0; i < h->death_count; i++) {
		unit_check(h->allocs[h->deaths[i]].died != MLV_NEVER);
		unit_check(!i || h->allocs[h->deaths[i - 1]].died < h->allocs[h->deaths[i]].died);
	}
}

static void check_extent(const struct mlv_extent *x, const uint64_t *sums, int64_t count)
{
	/* sums[0] is the initial state, sums[e + 1] that after event e. */
	uint64_t peak = sums[0];
	int64_t at = -1;
	for (int64_t e = 0; e < count; e++) {
		if (sums[e + 1] > peak) {
			peak = sums[e + 1];
			at = e;
		}
	}
	unit_check(x->start == sums[0]);
	unit_check(x->end == sums[count]);
	unit_check(x->peak == peak);
	unit_check(x->peak_event == at);
}

static void check_others(const struct mlv_history *h)
{
	size_t n = 0;
	uint64_t counts[MLV_MEM_ACTIONS] = { 0 };
	bool times = h->count > 0;
	for (uint32_t i = 0; i < h->count; i++) {
		counts[h->events[i].action]++;
		times = times && h->events[i].time_ns != MLV_NO_TIME;
		if (h->events[i].action > MLV_MEM_FREE_COMPLETED)
			unit_check(n < h->other_count && h->others[n++] == i);
	}
	unit_check(n == h->other_count);
	unit_check(times == h->has_times);
	unit_check(!memcmp(counts, h->action_count, sizeof(counts)));
}

static void check_reserved(const struct mlv_history *h, const struct mlv_device *d)
{
	uint64_t *sums = calloc(h->count + 1, sizeof(*sums)), end = 0;
	unit_check(sums);
	for (size_t i = 0; i < d->segments; i++)
		end += h->run->segments.data[d->first_segment + i].bytes;
	sums[h->count] = end;
	for (size_t e = h->count; e-- > 0;)
		sums[e] = sums[e + 1] - (uint64_t)mlv_reserved_delta(&h->events[e]);
	check_extent(&h->reserved, sums, (int64_t)h->count);
	free(sums);
}

static void check_pending(const struct mlv_history *h, const struct plain *p)
{
	uint64_t peak = 0;
	for (int64_t e = 0; e < p->count; e++) {
		uint64_t now = plain_pending(p, e);
		/* In the instant of a free it has not waited yet, unless the recording ends there.
		 */
		bool instant = p->events[e].action == MLV_MEM_FREE_REQUESTED && e + 1 < p->count;
		peak = !instant && now > peak ? now : peak;
	}
	unit_check(h->pending_peak == peak);
	unit_check(h->pending_end == (p->count ? plain_pending(p, p->count - 1) : 0));
}

static void check_device(const struct mlv_run *run, size_t device, bool implied)
{
	struct mlv_history h;
	struct plain p;
	uint64_t origins[3] = { 0 };
	unit_check(!mlv_history_init(&h, run, device, NULL));
	unit_check(h.frees_implied == implied);
	plain_reckon(&p, run, device, implied);
	check_lives(&h, &p);
	check_others(&h);
	uint64_t *sums = calloc(h.count + 1, sizeof(*sums));
	unit_check(sums);
	for (int64_t e = -1; e < p.count; e++)
		sums[e + 1] = plain_requested(&p, e);
	check_extent(&h.requested, sums, p.count);
	free(sums);
	check_reserved(&h, &run->devices.data[device]);
	check_pending(&h, &p);
	for (size_t i = 0; i < p.lives.len; i++)
		origins[p.lives.data[i].origin]++;
	unit_check(h.orphan_frees == origins[MLV_ALLOC_ORPHAN_FREE]);
	unit_check(h.unseen_blocks == origins[MLV_ALLOC_FINAL_BLOCK]);
	unit_check(h.overlaps == (uint64_t)p.overlaps && h.first_overlap == p.first_overlap);
	unit_check(h.complete == (h.count && !h.initial && !h.reserved.start));
	mlv_vec_free(&p.lives);
	mlv_history_fini(&h);
}

static void read_snap(struct mlv_run *run, const struct snap *s)
{
	struct mlv_buf bytes = { 0 };
	snap_write(s, (struct snap_style){ .form = SNAP_P4 }, &bytes);
	unit_check(!snap_read(run, &bytes, 0, NULL, NULL));
	mlv_buf_fini(&bytes);
}

static void record(struct snap *s, uint64_t seed)
{
	struct snap_program p = { .seed = seed,
				  .steps = 50 + (unsigned)(seed * 37 % 400),
				  .devices = 1 + (int)(seed % 2),
				  .streams = 1 + (int)(seed % 3),
				  .pools = 1 + (int)(seed % 2),
				  .times = seed % 4 != 0,
				  .stacks = seed % 2,
				  .pending = seed % 3 != 1,
				  .empty_cache = true,
				  .expandable = seed % 5 == 0,
				  .oom = seed % 2,
				  .odd = seed % 3 == 0 };
	snap_record(s, &p);
}

START_TEST(random_programs)
{
	for (uint64_t seed = 1; seed <= 60; seed++) {
		struct snap s;
		struct mlv_run run;
		record(&s, seed);
		read_snap(&run, &s);
		for (size_t i = 0; i < run.devices.len; i++) {
			struct mlv_history h;
			check_device(&run, i, false);
			unit_check(!mlv_history_init(&h, &run, i, NULL));
			unit_check(h.complete && !h.overlaps && !h.lost_blocks);
			unit_check(!h.resized_blocks && !h.reserved_missing);
			mlv_history_fini(&h);
		}
		mlv_run_fini(&run);
		snap_fini(&s);
	}
}
END_TEST

/* The sums after each event of a history, by its own lives. */
static void sums_of(const struct mlv_history *h, uint64_t *requested, uint64_t *reserved)
{
	uint64_t r = h->reserved.start;
	for (uint32_t e = 0; e < h->count; e++) {
		requested[e] = 0;
		for (size_t i = 0; i < h->alloc_count; i++) {
			const struct mlv_alloc *a = &h->allocs[i];
			if ((a->born == MLV_NEVER || a->born <= e) && a->died > e)
				requested[e] += a->bytes;
		}
		r += (uint64_t)mlv_reserved_delta(&h->events[e]);
		reserved[e] = r;
	}
}

START_TEST(a_ring_buffer_knows_the_same_sums)
{
	for (uint64_t seed = 1; seed <= 30; seed++) {
		struct snap s;
		struct mlv_run whole, ring;
		struct mlv_history h, g;
		uint64_t *a = calloc(5000, sizeof(*a)), *b = calloc(5000, sizeof(*b));
		uint64_t *c = calloc(5000, sizeof(*c)), *d = calloc(5000, sizeof(*d));
		unit_check(a && b && c && d);
		record(&s, 2 * seed);
		read_snap(&whole, &s);
		unit_check(!mlv_history_init(&h, &whole, 0, NULL));
		sums_of(&h, a, b);
		for (size_t keep = 1; keep < h.count; keep += 1 + h.count / 13) {
			snap_keep_last(&s, h.count - keep);
			read_snap(&ring, &s);
			/* Too little may be left for a device to count as one. */
			if (!ring.devices.len || ring.devices.data[0].ordinal != 0 ||
			    ring.devices.data[0].events != h.count - keep) {
				mlv_run_fini(&ring);
				break;
			}
			check_device(&ring, 0, false);
			unit_check(!mlv_history_init(&g, &ring, 0, NULL));
			sums_of(&g, c, d);
			unit_check(g.requested.start == a[keep - 1]);
			unit_check(g.reserved.start == b[keep - 1]);
			unit_check(!memcmp(c, a + keep, g.count * sizeof(*a)));
			unit_check(!memcmp(d, b + keep, g.count * sizeof(*b)));
			unit_check(g.requested.end == h.requested.end);
			unit_check(!g.overlaps && !g.lost_blocks && !g.resized_blocks);
			mlv_history_fini(&g);
			mlv_run_fini(&ring);
		}
		mlv_history_fini(&h);
		mlv_run_fini(&whole);
		snap_fini(&s);
		free(a);
		free(b);
		free(c);
		free(d);
	}
}
END_TEST

/* Drop every event of this action. */
static void skip_action(struct snap *s, const char *action)
{
	for (int i = 0; i < s->devices; i++) {
		size_t n = 0;
		for (size_t k = 0; k < s->traces[i].len; k++) {
			if (strcmp(s->traces[i].data[k].action, action))
				s->traces[i].data[n++] = s->traces[i].data[k];
		}
		s->traces[i].len = n;
	}
}

START_TEST(recorders_that_skip_one_half_of_frees)
{
	for (uint64_t seed = 1; seed <= 20; seed++) {
		struct snap s;
		struct mlv_run run;
		struct mlv_history whole, part;
		record(&s, seed);
		read_snap(&run, &s);
		unit_check(!mlv_history_init(&whole, &run, 0, NULL));
		struct mlv_extent sums = whole.requested;
		uint64_t waiting = whole.pending_end;
		bool frees = whole.action_count[MLV_MEM_FREE_COMPLETED] > 0;
		mlv_history_fini(&whole);
		mlv_run_fini(&run);
		skip_action(&s, seed % 2 ? "free_completed" : "free_requested");
		read_snap(&run, &s);
		check_device(&run, 0, seed % 2 && frees);
		unit_check(!mlv_history_init(&part, &run, 0, NULL));
		unit_check(part.requested.start == 0 && !part.overlaps && !part.lost_blocks);
		unit_check(part.requested.end + (seed % 2 ? waiting : 0) == sums.end);
		if (seed % 2 == 0)
			unit_check(part.requested.peak == sums.peak);
		mlv_history_fini(&part);
		mlv_run_fini(&run);
		snap_fini(&s);
	}
}
END_TEST

/* ---- single cases ---- */

static struct mlv_run one_run;
static struct mlv_history one;

/* A history of events as `a100:64` (alloc of 64 bytes at 100), r, c, s and f (segments), o. */
static const struct mlv_history *history(const char *events)
{
	static const struct {
		char c;
		const char *action;
	} actions[] = { { 'a', "alloc" },          { 'r', "free_requested" },
			{ 'c', "free_completed" }, { 's', "segment_alloc" },
			{ 'f', "segment_free" },   { 'm', "segment_map" },
			{ 'u', "segment_unmap" },  { 'o', "oom" } };
	struct snap s = { .devices = 1 };
	for (char *p = (char *)(uintptr_t)events; *p;) {
		size_t i = 0;
		while (actions[i].c != *p)
			i++;
		uint64_t addr = strtoull(p + 1, &p, 10), size = 0;
		if (*p == ':')
			size = strtoull(p + 1, &p, 10);
		snap_event(&s, 0, snap_plain(actions[i].action, addr, size));
		while (*p == ' ')
			p++;
	}
	read_snap(&one_run, &s);
	unit_check(!mlv_history_init(&one, &one_run, 0, NULL));
	snap_fini(&s);
	return &one;
}

static void done(void)
{
	mlv_history_fini(&one);
	mlv_run_fini(&one_run);
}

START_TEST(overlaps)
{
	const struct mlv_history *h = history("a1:10 a2:10 a1:20 r2:10 a2:5 a1:1");
	ck_assert_uint_eq(h->overlaps, 2);
	ck_assert_int_eq(h->first_overlap, 2);
	ck_assert_uint_eq(h->requested.end, 6);
	ck_assert_uint_eq(h->requested.peak, 30);
	done();
}
END_TEST

START_TEST(orphans)
{
	const struct mlv_history *h = history("c1:10 r2:20 a3:5 c2:20 c4:40 r5:1");
	ck_assert_uint_eq(h->orphan_frees, 4);
	ck_assert_uint_eq(h->requested.start, 71);
	ck_assert_uint_eq(h->requested.peak, 71);
	ck_assert_int_eq(h->requested.peak_event, -1);
	ck_assert_uint_eq(h->requested.end, 6);
	ck_assert_uint_eq(h->pending_end, 1);
	ck_assert_uint_eq(h->initial, 4);
	/* From the bottom: the one that never ended, then the last one freed. */
	ck_assert_uint_eq(h->allocs[0].addr, 5);
	ck_assert_uint_eq(h->allocs[1].addr, 4);
	ck_assert_uint_eq(h->allocs[2].addr, 2);
	ck_assert_uint_eq(h->allocs[3].addr, 1);
	ck_assert(!h->complete);
	done();
}
END_TEST

START_TEST(reserved_before_the_recording)
{
	/* What was given back first was there before, whatever the end says. */
	const struct mlv_history *h = history("f1:100 s2:30 u3:10");
	ck_assert_uint_eq(h->reserved.start, 100);
	ck_assert_uint_eq(h->reserved.peak, 100);
	ck_assert_int_eq(h->reserved.peak_event, -1);
	ck_assert_uint_eq(h->reserved.end, 20);
	ck_assert_uint_eq(h->reserved_missing, 20);
	done();
}
END_TEST

START_TEST(sizes_that_cannot_be)
{
	/* Sums wrap; nothing is undefined. */
	const struct mlv_history *h = history(
		"a1:18446744073709551615 a2:9223372036854775807 a3:9223372036854775807 "
		"s1:9223372036854775808 f1:9223372036854775808 f2:9223372036854775808 "
		"c1:18446744073709551615 r3:1 c4:9223372036854775808 a1:18446744073709551615");
	ck_assert_uint_eq(h->alloc_count, 5);
	done();
}
END_TEST

START_TEST(waiting_for_a_stream)
{
	const struct mlv_history *h =
		history("a1:10 a2:20 a3:40 r1:10 c1:10 r2:20 r3:40 c3:40 o9:1");
	ck_assert_uint_eq(h->pending_peak, 20);
	ck_assert_uint_eq(h->pending_end, 20);
	for (size_t i = 0; i < h->alloc_count; i++) {
		const struct mlv_alloc *a = &h->allocs[i];
		ck_assert(mlv_alloc_pending(a, 8) == (a->addr == 2));
		ck_assert(!mlv_alloc_pending(a, 3));
	}
	done();
}
END_TEST

START_TEST(a_trace_that_was_cut_off)
{
	struct snap s;
	struct mlv_run run;
	struct mlv_history h;
	record(&s, 5);
	s.traces[0].len /= 2;
	read_snap(&run, &s);
	run.devices.data[0].cut = true;
	ck_assert(!mlv_history_init(&h, &run, 0, NULL));
	/* The final heap is of another moment: no block of it counts. */
	ck_assert_uint_eq(h.unseen_blocks, 0);
	ck_assert_uint_eq(h.lost_blocks, 0);
	ck_assert_uint_eq(h.resized_blocks, 0);
	ck_assert_uint_eq(h.requested.start, 0);
	ck_assert_uint_eq(h.reserved.start, 0);
	ck_assert_uint_gt(h.count, 0);
	ck_assert_uint_eq(h.initial, 0);
	ck_assert(h.cut && !h.complete);
	mlv_history_fini(&h);
	mlv_run_fini(&run);
	snap_fini(&s);
}
END_TEST

START_TEST(no_events)
{
	struct snap s;
	struct mlv_run run;
	record(&s, 8);
	snap_keep_last(&s, 0);
	s.devices = 0;
	read_snap(&run, &s);
	for (size_t i = 0; i < run.devices.len; i++)
		check_device(&run, i, false);
	mlv_run_fini(&run);
	snap_fini(&s);
}
END_TEST

UNIT_MAIN("history", random_programs, a_ring_buffer_knows_the_same_sums,
	  recorders_that_skip_one_half_of_frees, overlaps, orphans, reserved_before_the_recording,
	  sizes_that_cannot_be, waiting_for_a_stream, a_trace_that_was_cut_off, no_events)
