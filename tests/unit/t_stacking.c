/* SPDX-License-Identifier: MIT */
/* The stacked layout: every column is checked against the plain sum of what is alive. */
#include "unit.h"

#include <string.h>

#include "analysis/stacking.h"
#include "snapshot_writer.h"

static uint64_t state = 1;

static uint64_t rnd(uint64_t n)
{
	return unit_random(&state) % n;
}

static bool alive(const struct mlv_alloc *a, int64_t e)
{
	return (a->born == MLV_NEVER || (int64_t)a->born <= e) &&
	       (a->died == MLV_NEVER || (int64_t)a->died > e);
}

static uint64_t requested_after(const struct mlv_history *h, int64_t e)
{
	uint64_t sum = 0;
	for (size_t i = 0; i < h->alloc_count; i++)
		sum += alive(&h->allocs[i], e) ? h->allocs[i].bytes : 0;
	return sum;
}

static uint64_t reserved_after(const struct mlv_history *h, int64_t e)
{
	uint64_t sum = h->reserved.start;
	for (int64_t i = 0; i <= e; i++)
		sum += (uint64_t)mlv_reserved_delta(&h->events[i]);
	return sum;
}

/* ---- the instants of the columns ---- */

/* What a column may show: the state before its events if it is the first or has none. */
static void check_instants(const struct mlv_history *h, const struct mlv_view *v,
			   const struct mlv_instant *columns)
{
	int64_t first = v->first, end = h->count ? (int64_t)v->last + 1 : 0, e = first;
	uint64_t peak = requested_after(h, first - 1), shown = 0;
	for (int32_t x = 0; x < v->columns; x++) {
		/* The events of this column; with a clock that goes back, until a later one comes.
		 */
		int64_t from = e;
		while (e < end && (e == first || mlv_view_column(h, v, (uint32_t)e) <= x))
			e++;
		uint64_t most = 0, reserved = 0;
		for (int64_t i = from == e || x == 0 ? from - 1 : from; i < e; i++) {
			uint64_t sum = requested_after(h, i), held = reserved_after(h, i);
			most = sum > most ? sum : most;
			reserved = held > reserved ? held : reserved;
		}
		unit_check(columns[x].requested == most);
		unit_check(columns[x].reserved == reserved);
		unit_check(columns[x].event >= from - 1 &&
			   columns[x].event < (e > from ? e : from));
		unit_check(requested_after(h, columns[x].event) == most);
		unit_check(!x || columns[x].event >= columns[x - 1].event);
		shown = most > shown ? most : shown;
	}
	unit_check(e == end);
	for (int64_t i = first; i < end; i++) {
		uint64_t sum = requested_after(h, i);
		peak = sum > peak ? sum : peak;
	}
	unit_check(shown == peak);
}

/* ---- the shapes of one column ---- */

static int32_t row_of(const struct mlv_view *v, uint64_t bytes)
{
	double row =
		(double)bytes * ((double)v->rows / (double)(v->top_bytes ? v->top_bytes : 1)) + 0.5;
	return row < v->rows ? (int32_t)row : v->rows;
}

/* The step of a shape that covers column x; NULL if there is none. */
static const struct mlv_step *step_at(const struct mlv_stacking *s, const struct mlv_shape *shape,
				      int32_t x)
{
	for (size_t i = 0; i < shape->steps; i++) {
		const struct mlv_step *t = &s->steps[shape->first_step + i];
		if (t->x0 <= x && x < t->x1)
			return t;
	}
	return NULL;
}

/* Every row up to the height of the sum belongs to one shape, and none above. */
static void check_tiles(const struct mlv_stacking *s, const struct mlv_view *v, int32_t x)
{
	uint8_t rows[400] = { 0 };
	for (size_t i = 0; i < s->shapes.len; i++) {
		const struct mlv_step *t = step_at(s, &s->shapes.data[i], x);
		for (int32_t y = t ? t->y0 : 0; t && y < t->y1; y++) {
			unit_check(y >= 0 && y < v->rows);
			rows[y]++;
		}
	}
	int32_t height = row_of(v, s->columns[x].requested);
	for (int32_t y = 0; y < v->rows; y++)
		unit_check(rows[y] == (v->rows - y <= height));
}

static int32_t column_of_end(const struct mlv_history *h, const struct mlv_view *v,
			     const struct mlv_alloc *a)
{
	return a->died > v->last ? v->columns : mlv_view_column(h, v, a->died);
}

static bool has_own_shape(const struct mlv_history *h, const struct mlv_view *v,
			  const struct mlv_alloc *a)
{
	int32_t from = a->born == MLV_NEVER ? 0 : mlv_view_column(h, v, a->born);
	double rows_per_byte = (double)v->rows / (double)(v->top_bytes ? v->top_bytes : 1);
	return column_of_end(h, v, a) - from >= 2 && (double)a->bytes * rows_per_byte >= 1;
}

/* What is large enough has its own shape at its exact place; what is not has none. */
static void check_owners(const struct mlv_stacking *s, const struct mlv_classes *c,
			 const struct mlv_view *v, int32_t x)
{
	const struct mlv_history *h = c->h;
	int64_t e = s->columns[x].event;
	uint64_t bottom = 0;
	size_t expected = 0, found = 0;
	for (uint32_t a = 0; a < h->alloc_count; a++) {
		const struct mlv_alloc *alloc = &h->allocs[a];
		if (!alive(alloc, e))
			continue;
		int32_t r0 = row_of(v, bottom), r1 = row_of(v, bottom + alloc->bytes);
		bottom += alloc->bytes;
		if (!has_own_shape(h, v, alloc) || r0 >= r1)
			continue;
		expected++;
		for (size_t i = 0; i < s->shapes.len; i++) {
			const struct mlv_shape *shape = &s->shapes.data[i];
			const struct mlv_step *t = shape->alloc == a ? step_at(s, shape, x) : NULL;
			if (!t)
				continue;
			unit_check(t->y0 == v->rows - r1 && t->y1 == v->rows - r0);
			unit_check(shape->cls == c->of_alloc[a]);
			unit_check(shape->pending ==
				   mlv_alloc_pending(alloc, e < 0 ? 0 : (uint32_t)e));
			unit_check(shape->most_bytes == alloc->bytes && shape->most_allocs == 1);
			found++;
		}
	}
	unit_check(bottom == s->columns[x].requested);
	unit_check(found == expected);
	for (size_t i = 0; i < s->shapes.len; i++) {
		if (s->shapes.data[i].alloc != MLV_NEVER && step_at(s, &s->shapes.data[i], x))
			expected--;
	}
	unit_check(expected == 0);
}

static void check_steps(const struct mlv_stacking *s, const struct mlv_view *v)
{
	size_t at = 0;
	for (size_t i = 0; i < s->shapes.len; i++) {
		const struct mlv_shape *shape = &s->shapes.data[i];
		unit_check(shape->first_step == at && shape->steps);
		at += shape->steps;
		int32_t x = 0;
		for (size_t k = 0; k < shape->steps; k++) {
			const struct mlv_step *t = &s->steps[shape->first_step + k];
			unit_check(t->x0 >= x && t->x1 > t->x0 && t->x1 <= v->columns);
			unit_check(t->y1 > t->y0);
			x = t->x1;
		}
	}
}

static uint32_t count_banded(const struct mlv_history *h, const struct mlv_view *v,
			     const struct mlv_stacking *s)
{
	uint32_t n = 0;
	for (uint32_t a = 0; a < h->alloc_count; a++) {
		const struct mlv_alloc *x = &h->allocs[a];
		bool own = false;
		for (size_t i = 0; i < s->shapes.len; i++)
			own = own || s->shapes.data[i].alloc == a;
		bool seen = !h->count ||
			    ((x->born == MLV_NEVER || x->born <= v->last) && x->died >= v->first);
		n += seen && !own;
	}
	return n;
}

static void check_layout(const struct mlv_classes *c, const struct mlv_view *v)
{
	struct mlv_stacking s;
	unit_check(!mlv_stacking_init(&s, c, v, NULL));
	check_instants(c->h, v, s.columns);
	check_steps(&s, v);
	for (int32_t x = 0; x < v->columns; x++) {
		check_tiles(&s, v, x);
		check_owners(&s, c, v, x);
	}
	unit_check(s.banded == count_banded(c->h, v, &s));
	mlv_stacking_fini(&s);
}

/* ---- random histories and views ---- */

static void read_snap(struct mlv_run *run, const struct snap *s)
{
	struct mlv_buf bytes = { 0 };
	snap_write(s, (struct snap_style){ .form = SNAP_P4 }, &bytes);
	unit_check(!snap_read(run, &bytes, 0, NULL, NULL));
	mlv_buf_fini(&bytes);
}

static struct mlv_view any_view(const struct mlv_history *h)
{
	uint64_t peak = h->requested.peak > h->reserved.peak ? h->requested.peak : h->reserved.peak;
	uint32_t last = h->count ? (uint32_t)h->count - 1 : 0;
	struct mlv_view v = { .last = last,
			      .by_time = h->count && rnd(3) == 0,
			      .columns = 1 + (int32_t)rnd(90),
			      .rows = 1 + (int32_t)rnd(200),
			      .top_bytes = peak };
	uint64_t how = rnd(6);
	if (how == 0)
		v.top_bytes = peak * 1000; /* all of it below a pixel */
	else if (how == 1)
		v.top_bytes = peak / 2; /* the upper half does not fit */
	else if (how == 2)
		v.top_bytes = h->requested.peak;
	if (rnd(3) == 0) {
		v.first = (uint32_t)rnd(last + 1);
		v.last = v.first + (uint32_t)rnd(last + 1 - v.first);
	}
	return v;
}

static void check_views(const struct mlv_run *run, unsigned views)
{
	struct mlv_sites sites;
	unit_check(!mlv_sites_init(&sites, run, NULL, 0, NULL));
	for (size_t i = 0; i < run->devices.len; i++) {
		struct mlv_history h;
		unit_check(!mlv_history_init(&h, run, i, NULL));
		for (unsigned k = 0; k < views; k++) {
			struct mlv_classes c;
			struct mlv_view v = any_view(&h);
			unit_check(!mlv_classes_init(&c, (enum mlv_class_kind)(k % 4), &h, &sites,
						     NULL));
			check_layout(&c, &v);
			mlv_classes_fini(&c);
		}
		mlv_history_fini(&h);
	}
	mlv_sites_fini(&sites);
}

START_TEST(random_histories)
{
	for (uint64_t seed = 1; seed <= 200; seed++) {
		struct snap_program p = { .seed = seed,
					  .steps = 5 + (unsigned)(seed * 31 % 250),
					  .devices = 1,
					  .streams = 1 + (int)(seed % 3),
					  .pools = 1 + (int)(seed % 2),
					  .times = true,
					  .stacks = true,
					  .pending = seed % 2,
					  .empty_cache = true,
					  .expandable = seed % 3 == 0,
					  .oom = true,
					  .odd = true };
		struct snap s;
		struct mlv_run run;
		snap_record(&s, &p);
		if (seed % 3 == 1)
			snap_keep_last(&s, s.traces[0].len / 2 + 1);
		read_snap(&run, &s);
		check_views(&run, 6);
		mlv_run_fini(&run);
		snap_fini(&s);
	}
}
END_TEST

/* Give the events other times. */
static void set_times(struct mlv_run *run, int64_t (*time)(size_t i))
{
	for (size_t i = 0; i < run->mem_events.len; i++)
		run->mem_events.data[i].time_ns = time(i);
}

static int64_t equal_times(size_t i)
{
	(void)i;
	return 5;
}

static int64_t two_times(size_t i)
{
	return i < 40 ? 1000 : 2000;
}

static int64_t bursts(size_t i)
{
	return (int64_t)(i / 10 * 1000000 + i % 10);
}

static int64_t far_apart(size_t i)
{
	return i % 2 ? (int64_t)i << 55 : INT64_MIN + 1 + (int64_t)i;
}

static int64_t backward(size_t i)
{
	return 100000 - (int64_t)i;
}

static int64_t jumping(size_t i)
{
	return (int64_t)((i * 7919) % 1000);
}

static int64_t missing(size_t i)
{
	return i % 5 ? (int64_t)i * 100 : MLV_NO_TIME;
}

/* The columns only: with a clock that goes back, nothing is said of where a life ends. */
static void check_times(const struct mlv_run *run)
{
	struct mlv_history h;
	struct mlv_sites sites;
	struct mlv_classes c;
	unit_check(!mlv_sites_init(&sites, run, NULL, 0, NULL));
	unit_check(!mlv_history_init(&h, run, 0, NULL));
	unit_check(!mlv_classes_init(&c, MLV_BY_SIZE, &h, &sites, NULL));
	for (int32_t columns = 1; columns < 200; columns += 13) {
		struct mlv_view v = { .last = (uint32_t)h.count - 1,
				      .by_time = true,
				      .columns = columns,
				      .rows = 50,
				      .top_bytes = h.reserved.peak };
		struct mlv_stacking s;
		unit_check(!mlv_stacking_init(&s, &c, &v, NULL));
		check_instants(&h, &v, s.columns);
		check_steps(&s, &v);
		for (int32_t x = 0; x < v.columns; x++)
			check_tiles(&s, &v, x);
		mlv_stacking_fini(&s);
	}
	mlv_classes_fini(&c);
	mlv_history_fini(&h);
	mlv_sites_fini(&sites);
}

START_TEST(odd_clocks)
{
	static int64_t (*const times[])(size_t) = { equal_times, two_times, bursts, far_apart,
						    backward,    jumping,   missing };
	struct snap_program p = { .seed = 3, .steps = 100, .devices = 1, .streams = 1, .pools = 1 };
	struct snap s;
	struct mlv_run run;
	snap_record(&s, &p);
	read_snap(&run, &s);
	for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++) {
		set_times(&run, times[i]);
		check_times(&run);
	}
	mlv_run_fini(&run);
	snap_fini(&s);
}
END_TEST

START_TEST(few_events_and_none)
{
	for (unsigned events = 0; events < 4; events++) {
		struct snap_program p = {
			.seed = 9, .steps = 60, .devices = 1, .streams = 1, .pools = 1
		};
		struct snap s;
		struct mlv_run run;
		snap_record(&s, &p);
		snap_keep_last(&s, events);
		read_snap(&run, &s);
		ck_assert_uint_eq(run.devices.len, 1);
		check_views(&run, 30);
		mlv_run_fini(&run);
		snap_fini(&s);
	}
}
END_TEST

START_TEST(allocations_of_nothing)
{
	/* Zero bytes take no row, and a plot of a top of zero is empty. */
	struct snap s = { .devices = 1 };
	struct mlv_run run;
	for (uint64_t i = 0; i < 200; i++)
		snap_event(&s, 0, snap_plain("alloc", 4096 + i, 0));
	read_snap(&run, &s);
	check_views(&run, 10);
	mlv_run_fini(&run);
	snap_event(&s, 0, snap_plain("alloc", 5, 1000));
	for (uint64_t i = 0; i < 100; i++)
		snap_event(&s, 0, snap_plain("free_completed", 4096 + i, 0));
	read_snap(&run, &s);
	check_views(&run, 10);
	mlv_run_fini(&run);
	snap_fini(&s);
}
END_TEST

START_TEST(many_small_ones)
{
	/* Whole groups of small allocations are taken as one, between large ones. */
	struct snap s = { .devices = 1 };
	struct mlv_run run;
	for (uint64_t i = 0; i < 1500; i++) {
		uint64_t size = rnd(40) ? rnd(2000) : 1 << 20;
		snap_event(&s, 0, snap_plain("alloc", (i + 1) << 22, size));
		if (rnd(3) == 0)
			snap_event(&s, 0, snap_plain("free_completed", (rnd(i + 1) + 1) << 22, 5));
	}
	read_snap(&run, &s);
	check_views(&run, 4);
	mlv_run_fini(&run);
	snap_fini(&s);
}
END_TEST

START_TEST(sizes_that_cannot_be)
{
	/* Sums that wrap stay within the plot. */
	static const uint64_t sizes[] = { UINT64_MAX, 1, INT64_MAX, UINT64_C(1) << 62, 0, 77 };
	struct snap s = { .devices = 1 };
	struct mlv_run run;
	struct mlv_sites sites;
	for (uint64_t i = 0; i < 60; i++)
		snap_event(
			&s, 0,
			snap_plain(i % 4 == 3 ? "free_completed" : "alloc", rnd(30), sizes[i % 6]));
	read_snap(&run, &s);
	unit_check(!mlv_sites_init(&sites, &run, NULL, 0, NULL));
	for (uint64_t top = 0; top < 64; top += 9) {
		struct mlv_history h;
		struct mlv_classes c;
		struct mlv_stacking t;
		unit_check(!mlv_history_init(&h, &run, 0, NULL));
		unit_check(!mlv_classes_init(&c, MLV_BY_SIZE, &h, &sites, NULL));
		struct mlv_view v = { .last = (uint32_t)h.count - 1,
				      .columns = 40,
				      .rows = 30,
				      .top_bytes = UINT64_C(1) << top };
		unit_check(!mlv_stacking_init(&t, &c, &v, NULL));
		size_t steps = 0;
		for (size_t i = 0; i < t.shapes.len; i++)
			steps += t.shapes.data[i].steps;
		for (size_t i = 0; i < steps; i++) {
			unit_check(t.steps[i].y0 >= 0 && t.steps[i].y1 <= v.rows);
			unit_check(t.steps[i].y0 < t.steps[i].y1);
			unit_check(t.steps[i].x0 >= 0 && t.steps[i].x1 <= v.columns);
		}
		mlv_stacking_fini(&t);
		mlv_classes_fini(&c);
		mlv_history_fini(&h);
	}
	mlv_sites_fini(&sites);
	mlv_run_fini(&run);
	snap_fini(&s);
}
END_TEST

UNIT_MAIN("stacking", random_histories, odd_clocks, few_events_and_none, allocations_of_nothing,
	  many_small_ones, sizes_that_cannot_be)
