/* SPDX-License-Identifier: MIT */
/*
 * Spans in the order of lanes, and which of them stay where there are too
 * many, against a plain reckoning; and whether clocks agree.
 */
#include <string.h>

#include "analysis/clock.h"
#include "analysis/span_rows.h"
#include "report/clocks.h"
#include "unit.h"

static mlv_strid text(struct mlv_run *run, const char *s)
{
	mlv_strid id;
	unit_check(mlv_run_intern(run, mlv_str_of(s), &id));
	return id;
}

static mlv_trackid thread(struct mlv_run *run, int64_t number)
{
	mlv_trackid id;
	unit_check(mlv_run_track(run, MLV_TRACK_THREAD, MLV_TRACK_NONE, number, &id));
	return id;
}

static void span(struct mlv_run *run, mlv_trackid track, int64_t start, int64_t end,
		 const char *category)
{
	struct mlv_span s = { .start_ns = start,
			      .end_ns = end,
			      .track = track,
			      .name = text(run, "x"),
			      .category = text(run, category),
			      .bytes = -1 };
	unit_check(mlv_vec_push(&run->spans, s));
}

START_TEST(test_order)
{
	struct mlv_run a, b;
	struct mlv_span_rows r;
	unit_check(mlv_run_init(&a, "a") && mlv_run_init(&b, "b"));
	mlv_trackid first = thread(&a, 1), second = thread(&a, 2), unused = thread(&a, 3);
	span(&a, second, 10, 20, "cpu_op");
	span(&a, first, 5, 6, "cpu_op");
	span(&a, second, 10, 30, "cpu_op"); /* encloses the first of its track */
	span(&a, first, 2, MLV_NO_TIME, "cpu_op");
	span(&a, first, MLV_NO_TIME, 7, "cpu_op");
	span(&b, thread(&b, 1), 100, 90, "cpu_op"); /* ends before it begins */
	(void)unused;
	const struct mlv_run *runs[] = { &a, &b };
	ck_assert_int_eq(mlv_span_rows_init(&r, runs, 2, 100, NULL), MLV_OK);
	const struct {
		uint32_t track;
		int64_t start, end;
	} want[] = {
		{ 0, 2, INT64_MAX }, { 0, 5, 6 }, { 1, 10, 30 }, { 1, 10, 20 }, { 2, 100, 100 },
	};
	ck_assert_uint_eq(r.list.len, 5);
	for (size_t i = 0; i < 5; i++) {
		ck_assert_uint_eq(r.list.data[i].track, want[i].track);
		ck_assert_int_eq(r.list.data[i].start, want[i].start);
		ck_assert_int_eq(r.list.data[i].end, want[i].end);
	}
	ck_assert_uint_eq(r.tracks.len, 3);
	ck_assert_uint_eq(r.tracks.data[1].track.i, second.i);
	ck_assert_uint_eq(r.tracks.data[1].first, 2);
	ck_assert_uint_eq(r.tracks.data[1].count, 2);
	ck_assert_uint_eq(r.tracks.data[2].run, 1);
	ck_assert_int_eq(r.t0, 2);
	ck_assert_int_eq(r.t1, 100);
	ck_assert_uint_eq(r.total, 5);
	ck_assert_uint_eq(r.untimed, 1);
	mlv_span_rows_fini(&r);
	mlv_run_fini(&a);
	mlv_run_fini(&b);
}
END_TEST

static int longest_first(const void *pa, const void *pb)
{
	const int64_t *a = pa, *b = pb;
	return (*a < *b) - (*a > *b);
}

START_TEST(test_longest_stay)
{
	enum { COUNT = 3000, DEAR = 40, MOST = 500 };
	struct mlv_run run;
	struct mlv_span_rows r;
	uint64_t random = 7;
	int64_t lengths[COUNT], kept = 0, sum = 0, left = 0;
	unit_check(mlv_run_init(&run, "a"));
	mlv_trackid tracks[] = { thread(&run, 1), thread(&run, 2), thread(&run, 3) };
	for (int i = 0; i < COUNT; i++) {
		/* Few lengths, so that the choice falls among equal ones. */
		lengths[i] = (int64_t)(unit_random(&random) % 50);
		int64_t start = (int64_t)(unit_random(&random) % 100000);
		span(&run, tracks[i % 3], start, start + lengths[i], "kernel");
		sum += lengths[i];
	}
	for (int i = 0; i < DEAR; i++)
		span(&run, tracks[0], i, i < DEAR / 2 ? i : MLV_NO_TIME,
		     i < DEAR / 2 ? "user_annotation" : "kernel");
	const struct mlv_run *runs[] = { &run };
	ck_assert_int_eq(mlv_span_rows_init(&r, runs, 1, MOST, NULL), MLV_OK);
	qsort(lengths, COUNT, sizeof(*lengths), longest_first);
	for (int i = 0; i < MOST - DEAR; i++)
		kept += lengths[i];
	ck_assert_uint_eq(r.list.len, MOST);
	int64_t found = 0;
	size_t open = 0;
	for (size_t i = 0; i < r.list.len; i++) {
		const struct mlv_span_item *row = &r.list.data[i];
		open += row->end == INT64_MAX;
		found += row->end == INT64_MAX ? 0 : row->end - row->start;
	}
	ck_assert_uint_eq(open, DEAR / 2);
	ck_assert_int_eq(found, kept);
	uint64_t rest = 0;
	for (size_t i = 0; i < r.rest.len; i++) {
		rest += r.rest.data[i].count;
		left += r.rest.data[i].ns;
		ck_assert_uint_lt(r.rest.data[i].part, MLV_SPAN_PARTS);
	}
	ck_assert_uint_eq(rest, COUNT + DEAR - MOST);
	ck_assert_int_eq(left, sum - kept);
	mlv_span_rows_fini(&r);

	/* None at all, and all that there are. */
	ck_assert_int_eq(mlv_span_rows_init(&r, runs, 1, 0, NULL), MLV_OK);
	ck_assert_uint_eq(r.list.len, 0);
	mlv_span_rows_fini(&r);
	ck_assert_int_eq(mlv_span_rows_init(&r, runs, 1, COUNT + DEAR, NULL), MLV_OK);
	ck_assert_uint_eq(r.list.len, COUNT + DEAR);
	ck_assert_uint_eq(r.rest.len, 0);
	mlv_span_rows_fini(&r);
	mlv_run_fini(&run);
}
END_TEST

/* ---- clocks ---- */

#define UNIX INT64_C(1800000000000000000)

static void alloc(struct mlv_run *run, uint64_t addr, int64_t time)
{
	struct mlv_mem_event e = { .time_ns = time, .addr = addr, .action = MLV_MEM_ALLOC };
	unit_check(mlv_vec_push(&run->mem_events, e));
}

/* A recording of `n` allocations, at addresses that come again, later by `later` and `jitter`. */
static void record(struct mlv_run *run, size_t n, int64_t zero, int64_t later, uint64_t jitter)
{
	uint64_t random = jitter + 1;
	unit_check(mlv_run_init(run, "input"));
	for (size_t i = 0; i < n; i++)
		alloc(run, 0x1000 + i % 7 * 512,
		      zero + (int64_t)i * 1000000 + later +
			      (jitter ? (int64_t)(unit_random(&random) % jitter) : 0));
}

static struct mlv_clocks compared(const struct mlv_run *a, const struct mlv_run *b)
{
	struct mlv_clock_witness wa, wb;
	struct mlv_clocks c;
	ck_assert_int_eq(mlv_clock_witness_init(&wa, a, NULL), MLV_OK);
	ck_assert_int_eq(mlv_clock_witness_init(&wb, b, NULL), MLV_OK);
	ck_assert_int_eq(mlv_clocks_compare(&wa, &wb, &c, NULL), MLV_OK);
	mlv_clock_witness_fini(&wa);
	mlv_clock_witness_fini(&wb);
	return c;
}

static struct mlv_clocks of_two(size_t n, int64_t zero, int64_t later, uint64_t jitter)
{
	struct mlv_run a, b;
	record(&a, 1000, UNIX, 0, 0);
	record(&b, n, zero, later, jitter);
	struct mlv_clocks c = compared(&a, &b);
	mlv_run_fini(&a);
	mlv_run_fini(&b);
	return c;
}

START_TEST(test_clocks)
{
	struct mlv_clocks c = of_two(500, UNIX + 7000000, 900, 200);
	ck_assert_int_eq(c.state, MLV_CLOCKS_AGREE);
	ck_assert(mlv_clocks_comparable(&c));
	ck_assert_uint_eq(c.compared, 500);
	ck_assert_uint_eq(c.near, 500);
	ck_assert_int_ge(c.median_ns, 900);
	ck_assert_int_lt(c.median_ns, 1100);

	/* Off by what no jitter explains: half of the time between two at one address. */
	c = of_two(500, UNIX, 3500000, 0);
	ck_assert_int_eq(c.state, MLV_CLOCKS_DIFFER);
	ck_assert(!mlv_clocks_comparable(&c));
	ck_assert_uint_eq(c.near, 0);

	/* Too few that both saw, none at all, another day, a clock of its own. */
	ck_assert_int_eq(of_two(7, UNIX, 3500000, 0).state, MLV_CLOCKS_STATED);
	ck_assert_int_eq(of_two(500, UNIX + 86400000000000, 0, 0).state, MLV_CLOCKS_APART);
	ck_assert_int_eq(of_two(500, 1000, 0, 0).state, MLV_CLOCKS_UNKNOWN);
	ck_assert_int_eq(of_two(0, UNIX, 0, 0).state, MLV_CLOCKS_UNKNOWN);
}
END_TEST

START_TEST(test_stated_clock)
{
	struct mlv_run run;
	struct mlv_clock_witness w;
	record(&run, 3, UNIX, 0, 0);
	unit_check(mlv_run_property_text(&run, "trace", "clock", MLV_STR("relative")));
	ck_assert_int_eq(mlv_clock_witness_init(&w, &run, NULL), MLV_OK);
	ck_assert_int_eq(w.clock, MLV_CLOCK_OWN);
	ck_assert_int_eq(w.first, UNIX);
	ck_assert_int_eq(w.last, UNIX + 2000000);
	mlv_clock_witness_fini(&w);
	mlv_run_fini(&run);
}
END_TEST

START_TEST(test_words)
{
	struct mlv_clocks c = { MLV_CLOCKS_AGREE, 4716, 4713, 925 };
	char words[300];
	mlv_clocks_in_words(&c, words, sizeof(words));
	ck_assert_str_eq(words, "the clocks agree: 4 713 of 4 716 allocations that both recorded "
				"lie within 100 us, the median is 925 ns apart");
}
END_TEST

UNIT_MAIN("spans", test_order, test_longest_stay, test_clocks, test_stated_clock, test_words)
