/* SPDX-License-Identifier: MIT */
/* Flame graphs against sums that are reckoned row by row, and against slow, plain nesting. */
#include "unit.h"

#include <stdio.h>
#include <string.h>

#include "analysis/flame/flame.h"
#include "report/export/export.h"
#include "snapshot_writer.h"

/* ---- what must hold of every graph ---- */

static void check_graph(const struct mlv_flame *f)
{
	uint32_t deepest = 0;
	for (uint32_t i = 0; i < f->nodes.len; i++) {
		const struct mlv_flame_node *n = &f->nodes.data[i];
		uint64_t sum = n->self, last = UINT64_MAX;
		uint32_t depth = 0;
		for (uint32_t c = n->first; c != MLV_FLAME_NO_NODE; c = f->nodes.data[c].next) {
			unit_check(f->nodes.data[c].parent == i && c > i);
			unit_check(f->nodes.data[c].total > 0 && f->nodes.data[c].total <= last);
			last = f->nodes.data[c].total;
			sum += last;
		}
		unit_check(sum == n->total);
		for (uint32_t up = i; up; up = f->nodes.data[up].parent)
			depth++;
		if (n->total && depth > deepest)
			deepest = depth;
	}
	unit_check(deepest == f->deepest);
}

static enum mlv_rc append(void *opaque, const void *data, size_t n, struct mlv_err *err)
{
	(void)err;
	mlv_buf_add(opaque, data, n);
	return MLV_OK;
}

/* The sum of the values of folded stacks; each line is one stack, none comes twice. */
static uint64_t folded_sum(const struct mlv_flame *f, struct mlv_buf *text)
{
	struct mlv_sink sink = { append, text };
	uint64_t sum = 0;
	text->len = 0;
	unit_check(mlv_export_folded(f, &sink, NULL) == MLV_OK);
	for (size_t at = 0; at < text->len;) {
		struct mlv_str rest = { text->data + at, text->len - at };
		ptrdiff_t end = mlv_str_find(rest, "\n");
		unit_check(end > 0);
		struct mlv_str line = mlv_str_head(rest, (size_t)end);
		ptrdiff_t blank = mlv_str_find_last(line, " ");
		unit_check(blank > 0);
		sum += strtoull(line.p + blank + 1, NULL, 10);
		at += (size_t)end + 1;
	}
	return sum;
}

/* ---- memory ---- */

static uint64_t alive_bytes(const struct mlv_history *h, int64_t e)
{
	uint64_t sum = 0;
	for (size_t i = 0; i < h->alloc_count; i++) {
		const struct mlv_alloc *a = &h->allocs[i];
		bool born = a->born == MLV_NEVER || (int64_t)a->born <= e;
		bool dead = a->died != MLV_NEVER && (int64_t)a->died <= e;
		sum += born && !dead ? a->bytes : 0;
	}
	return sum;
}

static void check_alive(const struct mlv_history *h, int64_t e, uint64_t sum)
{
	struct mlv_flame f;
	struct mlv_buf text = { 0 };
	unit_check(mlv_flame_init(&f, NULL) == MLV_OK);
	unit_check(mlv_flame_alive(&f, MLV_FLAME_ROOT, h, e, NULL) == MLV_OK);
	unit_check(mlv_flame_settle(&f, NULL) == MLV_OK);
	check_graph(&f);
	unit_check(f.nodes.data[MLV_FLAME_ROOT].total == sum);
	unit_check(folded_sum(&f, &text) == sum);
	mlv_buf_fini(&text);
	mlv_flame_fini(&f);
}

static void check_allocated(const struct mlv_history *h)
{
	struct mlv_flame f;
	uint64_t sum = 0;
	for (size_t i = 0; i < h->count; i++)
		sum += h->events[i].action == MLV_MEM_ALLOC ? h->events[i].bytes : 0;
	unit_check(mlv_flame_init(&f, NULL) == MLV_OK);
	unit_check(mlv_flame_allocated(&f, MLV_FLAME_ROOT, h, NULL) == MLV_OK);
	unit_check(mlv_flame_settle(&f, NULL) == MLV_OK);
	check_graph(&f);
	unit_check(f.nodes.data[MLV_FLAME_ROOT].total == sum);
	unit_check(f.rows == h->action_count[MLV_MEM_ALLOC]);
	mlv_flame_fini(&f);
}

START_TEST(memory_sums_to_the_byte)
{
	for (uint64_t seed = 1; seed <= 40; seed++) {
		struct snap_program p = { .seed = seed,
					  .steps = 300,
					  .devices = 1 + (int)(seed % 2),
					  .streams = 2,
					  .pools = 2,
					  .stacks = seed % 5 != 0,
					  .pending = seed % 3 == 0,
					  .oom = true };
		struct snap s;
		struct mlv_buf bytes = { 0 };
		struct mlv_run run;
		snap_record(&s, &p);
		if (seed % 4 == 0)
			snap_keep_last(&s, 100);
		snap_write(&s, (struct snap_style){ .form = SNAP_P4 }, &bytes);
		unit_check(snap_read(&run, &bytes, 0, &mlv_limits_default, NULL) == MLV_OK);
		for (size_t d = 0; d < run.devices.len; d++) {
			struct mlv_history h;
			unit_check(mlv_history_init(&h, &run, d, NULL) == MLV_OK);
			check_alive(&h, h.requested.peak_event, h.requested.peak);
			check_alive(&h, (int64_t)h.count - 1, h.requested.end);
			check_alive(&h, -1, h.requested.start);
			for (int64_t e = 7; e < (int64_t)h.count; e += 61)
				check_alive(&h, e, alive_bytes(&h, e));
			check_allocated(&h);
			mlv_history_fini(&h);
		}
		mlv_run_fini(&run);
		mlv_buf_fini(&bytes);
		snap_fini(&s);
	}
}
END_TEST

/* ---- time ---- */

static void add_span(struct mlv_run *run, mlv_trackid track, const char *name, int64_t start,
		     int64_t end, mlv_stackid stack)
{
	struct mlv_span s = {
		.start_ns = start, .end_ns = end, .track = track, .stack = stack, .bytes = -1
	};
	unit_check(mlv_run_intern(run, mlv_str_of(name), &s.name) && mlv_vec_push(&run->spans, s));
}

static mlv_trackid add_track(struct mlv_run *run, int64_t number)
{
	mlv_trackid id;
	unit_check(mlv_run_track(run, MLV_TRACK_THREAD, MLV_TRACK_NONE, number, &id));
	return id;
}

static mlv_stackid push(struct mlv_run *run, const char *function, uint32_t line,
			mlv_stackid caller)
{
	struct mlv_frame f = { .line = line };
	mlv_frameid frame;
	mlv_stackid id;
	unit_check(mlv_run_intern(run, mlv_str_of(function), &f.function) &&
		   mlv_run_intern(run, MLV_STR("train.py"), &f.file) &&
		   mlv_frame_intern(&run->stacks, f, &frame) &&
		   mlv_stack_push(&run->stacks, frame, caller, &id));
	return id;
}

static const char *folded_spans(const struct mlv_run *run, bool counted, struct mlv_buf *text,
				struct mlv_flame *f)
{
	unit_check(mlv_flame_init(f, NULL) == MLV_OK);
	unit_check(mlv_flame_spans(f, MLV_FLAME_ROOT, run, counted, NULL) == MLV_OK);
	unit_check(mlv_flame_settle(f, NULL) == MLV_OK);
	check_graph(f);
	unit_check(folded_sum(f, text) == f->nodes.data[MLV_FLAME_ROOT].total);
	mlv_flame_fini(f);
	return text->len ? text->data : "";
}

START_TEST(spans_nest_by_time)
{
	struct mlv_run run;
	struct mlv_flame f;
	struct mlv_buf text = { 0 };
	unit_check(mlv_run_init(&run, "file"));
	mlv_trackid a = add_track(&run, 1), b = add_track(&run, 2);
	/* Written in no order, as profilers do. */
	add_span(&run, a, "inner", 20, 50, MLV_STACK_NONE);
	add_span(&run, a, "outer", 0, 100, MLV_STACK_NONE);
	add_span(&run, a, "inner", 50, 60, MLV_STACK_NONE);
	add_span(&run, a, "leaf", 25, 30, MLV_STACK_NONE);
	ck_assert_str_eq(folded_spans(&run, false, &text, &f),
			 "outer 60\nouter;inner 35\nouter;inner;leaf 5\n");
	ck_assert_str_eq(folded_spans(&run, true, &text, &f),
			 "outer 1\nouter;inner 2\nouter;inner;leaf 1\n");
	/* A neighbour that outlives another is not within it. */
	add_span(&run, b, "first", 0, 10, MLV_STACK_NONE);
	add_span(&run, b, "second", 5, 15, MLV_STACK_NONE);
	add_span(&run, b, "open", 5, MLV_NO_TIME, MLV_STACK_NONE);
	add_span(&run, b, "untimed", MLV_NO_TIME, MLV_NO_TIME, MLV_STACK_NONE);
	ck_assert_str_eq(folded_spans(&run, false, &text, &f),
			 "thread 1;outer 60\nthread 1;outer;inner 35\nthread 1;outer;inner;leaf 5\n"
			 "thread 2;first 10\nthread 2;second 10\n");
	unit_check(mlv_flame_init(&f, NULL) == MLV_OK);
	unit_check(mlv_flame_spans(&f, MLV_FLAME_ROOT, &run, false, NULL) == MLV_OK);
	unit_check(f.overlaps == 1 && f.open == 1 && f.untimed == 1 && f.rows == 6);
	mlv_flame_fini(&f);
	mlv_buf_fini(&text);
	mlv_run_fini(&run);
}
END_TEST

START_TEST(spans_with_stacks)
{
	struct mlv_run run;
	struct mlv_flame f;
	struct mlv_buf text = { 0 };
	unit_check(mlv_run_init(&run, "file"));
	mlv_trackid t = add_track(&run, 1);
	mlv_stackid main = push(&run, "main", 3, MLV_STACK_EMPTY);
	mlv_stackid step = push(&run, "step", 9, main);
	push(&run, "unused", 1, step);
	add_span(&run, t, "all_reduce", 0, 7, step);
	add_span(&run, t, "all_reduce", 3, 9, step);
	add_span(&run, t, "barrier", 3, 4, main);
	ck_assert_str_eq(folded_spans(&run, false, &text, &f),
			 "main train.py:3;step train.py:9;all_reduce 13\n"
			 "main train.py:3;barrier 1\n");
	mlv_buf_fini(&text);
	mlv_run_fini(&run);
}
END_TEST

/* Properly nested calls of random length: the graph has what each took beyond those within it. */
static int64_t random_calls(struct mlv_run *run, mlv_trackid t, uint64_t *seed, int64_t at,
			    unsigned depth, uint64_t *self)
{
	static const char *const names[] = { "a", "b", "c", "d" };
	unsigned name = (unsigned)(unit_random(seed) % 4);
	size_t row = run->spans.len;
	int64_t now = at + (int64_t)(unit_random(seed) % 5);
	int64_t within = 0;
	add_span(run, t, names[name], at, 0, MLV_STACK_NONE);
	while (depth < 6 && unit_random(seed) % 3) {
		int64_t end = random_calls(run, t, seed, now, depth + 1, self);
		within += end - now;
		now = end + (int64_t)(unit_random(seed) % 3);
	}
	now += 1;
	run->spans.data[row].end_ns = now;
	self[name] += (uint64_t)(now - at - within);
	return now;
}

START_TEST(random_nesting)
{
	for (uint64_t seed = 1; seed <= 200; seed++) {
		struct mlv_run run;
		struct mlv_flame f;
		uint64_t state = seed, self[4] = { 0 }, sums[4] = { 0 };
		int64_t now = 5;
		unit_check(mlv_run_init(&run, "file"));
		mlv_trackid t = add_track(&run, 1);
		for (int i = 0; i < 6; i++)
			now = random_calls(&run, t, &state, now, 0, self);
		for (size_t i = run.spans.len; i-- > 1;) {
			size_t k = unit_random(&state) % (i + 1);
			struct mlv_span s = run.spans.data[i];
			run.spans.data[i] = run.spans.data[k];
			run.spans.data[k] = s;
		}
		unit_check(mlv_flame_init(&f, NULL) == MLV_OK);
		unit_check(mlv_flame_spans(&f, MLV_FLAME_ROOT, &run, false, NULL) == MLV_OK);
		unit_check(mlv_flame_settle(&f, NULL) == MLV_OK);
		check_graph(&f);
		unit_check(f.overlaps == 0);
		for (uint32_t i = 1; i < f.nodes.len; i++)
			sums[mlv_str_get(&f.names, mlv_flame_label(&f, i)->name).p[0] - 'a'] +=
				f.nodes.data[i].self;
		for (int i = 0; i < 4; i++)
			unit_check(sums[i] == self[i]);
		mlv_flame_fini(&f);
		mlv_run_fini(&run);
	}
}
END_TEST

/* Whatever the times are, nothing breaks and no sum is wrong. */
START_TEST(odd_times)
{
	static const int64_t times[] = { INT64_MIN + 1, -5, 0, 0, 3, 7, INT64_MAX - 1, INT64_MAX };
	for (uint64_t seed = 1; seed <= 300; seed++) {
		struct mlv_run run;
		struct mlv_flame f;
		struct mlv_buf text = { 0 };
		uint64_t state = seed;
		unit_check(mlv_run_init(&run, "file"));
		mlv_trackid t[2] = { add_track(&run, 1), add_track(&run, 2) };
		for (int i = 0; i < 30; i++)
			add_span(&run, t[unit_random(&state) % 2], i % 3 ? "x" : "y",
				 times[unit_random(&state) % 8], times[unit_random(&state) % 8],
				 MLV_STACK_NONE);
		for (int counted = 0; counted < 2; counted++) {
			unit_check(mlv_flame_init(&f, NULL) == MLV_OK);
			unit_check(mlv_flame_spans(&f, MLV_FLAME_ROOT, &run, counted, NULL) ==
				   MLV_OK);
			unit_check(mlv_flame_settle(&f, NULL) == MLV_OK);
			unit_check(!counted || f.nodes.data[MLV_FLAME_ROOT].total == 30);
			mlv_flame_fini(&f);
		}
		mlv_buf_fini(&text);
		mlv_run_fini(&run);
	}
}
END_TEST

/* ---- names and depth ---- */

START_TEST(names_in_folded_stacks)
{
	struct mlv_run run;
	struct mlv_flame f;
	struct mlv_buf text = { 0 };
	unit_check(mlv_run_init(&run, "file"));
	mlv_trackid t = add_track(&run, 1);
	add_span(&run, t, "a;b\nc 7 \xff", 0, 5, MLV_STACK_NONE);
	add_span(&run, t, "", 10, 12, MLV_STACK_NONE);
	add_span(&run, t,
		 "\xe2\x80\xae"
		 "evil",
		 20, 21, MLV_STACK_NONE);
	ck_assert_str_eq(folded_spans(&run, false, &text, &f),
			 "a:b c 7 \xef\xbf\xbd 5\n(no name) 2\n\xef\xbf\xbd"
			 "evil 1\n");
	mlv_buf_fini(&text);
	mlv_run_fini(&run);
}
END_TEST

START_TEST(deep_stacks)
{
	enum { DEEP = 10000 };
	struct mlv_run run;
	struct mlv_flame f;
	struct mlv_buf text = { 0 };
	unit_check(mlv_run_init(&run, "file"));
	mlv_trackid t = add_track(&run, 1);
	mlv_stackid stack = MLV_STACK_EMPTY;
	for (uint32_t i = 0; i < DEEP; i++) {
		stack = push(&run, "recurse", i, stack);
		add_span(&run, t, "leaf", 0, 2, stack);
	}
	unit_check(mlv_flame_init(&f, NULL) == MLV_OK);
	unit_check(mlv_flame_spans(&f, MLV_FLAME_ROOT, &run, false, NULL) == MLV_OK);
	unit_check(mlv_flame_settle(&f, NULL) == MLV_OK);
	unit_check(f.deepest == DEEP + 1 && f.nodes.len == 2 * DEEP + 1);
	unit_check(f.nodes.data[MLV_FLAME_ROOT].total == 2 * DEEP);
	unit_check(folded_sum(&f, &text) == 2 * DEEP);
	/* The square of the depth that is written, and not of the one that is there. */
	unit_check(text.len < (size_t)MLV_FOLDED_DEPTH * MLV_FOLDED_DEPTH * 24);
	mlv_flame_fini(&f);
	mlv_buf_fini(&text);
	mlv_run_fini(&run);
}
END_TEST

START_TEST(grep_keeps_whole_stacks)
{
	struct mlv_run run;
	struct mlv_flame f;
	struct mlv_buf text = { 0 };
	unit_check(mlv_run_init(&run, "file"));
	mlv_trackid t = add_track(&run, 1);
	mlv_stackid main = push(&run, "main", 3, MLV_STACK_EMPTY);
	add_span(&run, t, "x", 0, 7, push(&run, "forward", 9, main));
	add_span(&run, t, "x", 0, 5, push(&run, "backward", 11, main));
	add_span(&run, t, "x", 0, 1, main);
	unit_check(mlv_flame_init(&f, NULL) == MLV_OK);
	unit_check(mlv_flame_spans(&f, MLV_FLAME_ROOT, &run, false, NULL) == MLV_OK);
	unit_check(mlv_flame_grep(&f, "forw", NULL) == MLV_OK);
	unit_check(mlv_flame_settle(&f, NULL) == MLV_OK);
	check_graph(&f);
	unit_check(folded_sum(&f, &text) == 7);
	ck_assert_str_eq(text.data, "main train.py:3;forward train.py:9;x 7\n");
	mlv_flame_fini(&f);
	mlv_buf_fini(&text);
	mlv_run_fini(&run);
}
END_TEST

UNIT_MAIN("flame", memory_sums_to_the_byte, spans_nest_by_time, spans_with_stacks, random_nesting,
	  odd_times, names_in_folded_stacks, deep_stacks, grep_keeps_whole_stacks)
