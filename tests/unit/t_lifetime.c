/* SPDX-License-Identifier: MIT */
/*
 * Lives and growing stacks, in recordings made for it (each step asks for
 * activations and gives them back, and keeps what the case says), and in real
 * ones whose growth is known.
 */
#include <math.h>
#include <string.h>

#include "analysis/growth/category.h"
#include "analysis/growth/heap_verdict.h"
#include "recording.h"

enum { STACK_FORWARD, STACK_KEPT, STACKS };

struct recorder {
	struct snap snap;
	uint64_t next;
	int64_t time;
};

static void begin(struct recorder *r)
{
	struct snap_stack s = { .frames = { 0, 1 }, .count = 2 };
	memset(r, 0, sizeof(*r));
	r->next = 0x10000;
	r->time = 1000;
	r->snap.devices = 1;
	for (int i = 0; i < STACKS; i++) {
		s.frames[0] = i;
		unit_check(mlv_vec_push(&r->snap.stacks, s));
	}
}

static void event(struct recorder *r, const char *action, uint64_t addr, uint64_t size, int stack)
{
	struct snap_event e = snap_plain(action, addr, size);
	e.time_us = r->time++;
	e.stack = stack;
	snap_event(&r->snap, 0, e);
}

static uint64_t take(struct recorder *r, uint64_t size, int stack)
{
	uint64_t addr = r->next;
	r->next += 1 << 24;
	event(r, "alloc", addr, size, stack);
	return addr;
}

static void give(struct recorder *r, uint64_t addr, uint64_t size, int stack)
{
	event(r, "free_requested", addr, size, stack);
	event(r, "free_completed", addr, size, stack);
}

static void end_step(struct recorder *r)
{
	struct snap_annotation a = { "START", "Optimizer.step#X.step", 0, r->time++ };
	unit_check(mlv_vec_push(&r->snap.annotations, a));
	a.stage = "END";
	a.time_us = r->time++;
	unit_check(mlv_vec_push(&r->snap.annotations, a));
}

/* Keeps in step `s` of the case; returns the bytes. */
enum kind { LEAK, ONCE, WARM_UP, WINDOW, UNEVEN, BUFFER, NOTHING };

static void record(struct recorder *r, enum kind kind, int steps)
{
	static const uint64_t uneven[] = { 9, 1, 12, 3, 10, 2, 11, 1, 14, 4, 9, 2 };
	uint64_t kept[4] = { 0 }, buffer = 0;
	begin(r);
	for (int s = 0; s < steps; s++) {
		uint64_t a = take(r, 5 << 20, STACK_FORWARD), b = take(r, 3 << 20, STACK_FORWARD);
		give(r, b, 3 << 20, STACK_FORWARD);
		if (kind == LEAK || (kind == ONCE && !s) || (kind == WARM_UP && s < 4))
			take(r, 2 << 20, STACK_KEPT);
		if (kind == UNEVEN)
			take(r, uneven[s % 12] << 20, STACK_KEPT);
		if (kind == WINDOW) {
			if (kept[s % 4])
				give(r, kept[s % 4], 2 << 20, STACK_KEPT);
			kept[s % 4] = take(r, 2 << 20, STACK_KEPT);
		}
		if (kind == BUFFER) {
			uint64_t larger = take(r, (uint64_t)(s + 1) << 20, STACK_KEPT);
			if (buffer)
				give(r, buffer, (uint64_t)s << 20, STACK_KEPT);
			buffer = larger;
		}
		give(r, a, 5 << 20, STACK_FORWARD);
		end_step(r);
	}
}

struct judged {
	struct mlv_run run;
	struct mlv_history h;
	struct mlv_lifetimes l;
};

static void judge(struct judged *j, const struct mlv_buf *bytes)
{
	unit_check(!snap_read(&j->run, bytes, 0, NULL, NULL));
	unit_check(!mlv_history_init(&j->h, &j->run, 0, NULL));
	unit_check(!mlv_lifetimes_init(&j->l, &j->h, NULL));
}

static void judged_fini(struct judged *j)
{
	mlv_lifetimes_fini(&j->l);
	mlv_history_fini(&j->h);
	mlv_run_fini(&j->run);
}

static void made(struct judged *j, enum kind kind, int steps)
{
	struct recorder r;
	struct mlv_buf bytes = { 0 };
	record(&r, kind, steps);
	snap_write(&r.snap, (struct snap_style){ .form = SNAP_P4 }, &bytes);
	judge(j, &bytes);
	mlv_buf_fini(&bytes);
	snap_fini(&r.snap);
}

START_TEST(test_growers)
{
	static const struct {
		enum kind kind;
		int steps;
		double bytes, count; /* 0: none */
	} cases[] = {
		{ LEAK, 2, 0, 0 },          { LEAK, 3, 0, 0 },         { LEAK, 4, 2 << 20, 1 },
		{ LEAK, 40, 2 << 20, 1 },   { LEAK, 300, 2 << 20, 1 }, { ONCE, 10, 0, 0 },
		{ WARM_UP, 10, 0, 0 },      { WINDOW, 10, 0, 0 },      { WINDOW, 40, 0, 0 },
		{ UNEVEN, 8, 0, 0 },        { NOTHING, 10, 0, 0 },     { BUFFER, 6, 0, 0 },
		{ BUFFER, 20, 1 << 20, 0 },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct judged j;
		made(&j, cases[i].kind, cases[i].steps);
		ck_assert_uint_eq(j.l.steps.count, (size_t)cases[i].steps);
		ck_assert_int_eq(j.l.steps.by, MLV_STEPS_BY_OPTIMIZER);
		if ((j.l.growers.len > 0) != (cases[i].bytes > 0))
			ck_abort_msg("case %zu: %zu stacks grow", i, j.l.growers.len);
		if (j.l.growers.len) {
			ck_assert_double_eq_tol(j.l.growers.data[0].bytes_per_step, cases[i].bytes,
						1e-6);
			ck_assert_double_eq_tol(j.l.growers.data[0].count_per_step, cases[i].count,
						1e-9);
		}
		judged_fini(&j);
	}
}
END_TEST

START_TEST(test_lives)
{
	struct judged j;
	made(&j, LEAK, 6);
	size_t lives[MLV_LIVES] = { 0 };
	for (size_t i = 0; i < j.h.alloc_count; i++)
		lives[j.l.life[i]]++;
	ck_assert_uint_eq(lives[MLV_LIFE_CUMULATIVE], 6);
	ck_assert_uint_eq(lives[MLV_LIFE_PHASE] + lives[MLV_LIFE_STEP], 12);
	judged_fini(&j);
	made(&j, ONCE, 6);
	memset(lives, 0, sizeof(lives));
	for (size_t i = 0; i < j.h.alloc_count; i++)
		lives[j.l.life[i]]++;
	ck_assert_uint_eq(lives[MLV_LIFE_PERSISTENT], 1);
	ck_assert_uint_eq(lives[MLV_LIFE_CUMULATIVE], 0);
	judged_fini(&j);
}
END_TEST

/* ---- real ones ---- */

static void judge_file(struct judged *j, const char *file)
{
	struct mlv_buf bytes;
	unit_check(recording_load(recording_folder("CORPUS"), file, &bytes));
	judge(j, &bytes);
	mlv_buf_fini(&bytes);
}

/* The one that was used. */
static size_t device_of(const struct mlv_run *run)
{
	size_t i = 0;
	while (i + 1 < run->devices.len && !run->devices.data[i].events)
		i++;
	return i;
}

/* What grows a step, reckoned in Python from the events and the annotations alone. */
START_TEST(test_known_growth)
{
	static const struct {
		const char *file;
		double bytes;
		size_t stacks;
	} known[] = {
		{ "snapshots/leak-graph.pickle.zst", 75534376, 13 },
		{ "run-regressed/mem-rank0.pickle.zst", 32768000, 1 },
		{ "run-regressed/mem-rank3.pickle.zst", 49152000, 1 },
	};
	for (size_t i = 0; recording_folder("CORPUS") && i < sizeof(known) / sizeof(known[0]);
	     i++) {
		struct mlv_buf bytes;
		struct mlv_run run;
		struct mlv_verdict v;
		double sum = 0;
		unit_check(recording_load(recording_folder("CORPUS"), known[i].file, &bytes));
		unit_check(!snap_read(&run, &bytes, 0, NULL, NULL));
		unit_check(!mlv_heap_verdict(&v, &run, device_of(&run), 0, NULL));
		if (v.growth != MLV_GROWTH_CUMULATIVE)
			ck_abort_msg("%s: %s", known[i].file, v.evidence.data[0]);
		for (size_t k = 0; k < v.leaks.len; k++)
			sum += v.leaks.data[k].bytes_per_step;
		ck_assert_double_eq_tol(sum, known[i].bytes, 0.5);
		ck_assert_int_eq(v.cumulative_bytes, (int64_t)known[i].bytes);
		ck_assert_uint_eq(v.leaks.len, known[i].stacks);
		mlv_verdict_fini(&v);
		mlv_run_fini(&run);
		mlv_buf_fini(&bytes);
	}
}
END_TEST

/* Training of every kind, generation, serving: nothing of it leaks. */
START_TEST(test_no_false_alarm)
{
	static const char *const files[] = {
		"annotations",
		"big40",
		"churn-cap-expandable",
		"churn-expandable",
		"churn-native",
		"compile",
		"cpp-pickle",
		"empty-cache",
		"generate",
		"graphs",
		"graphs-expandable",
		"hf-train",
		"late-start",
		"mempool",
		"multi-gpu",
		"no-frames",
		"oom-3.6-expandable",
		"oom-3.6-native.at-oom",
		"oom-3.6-native",
		"oom-3.7-native",
		"ring-2000",
		"stacks-all",
		"state-frames",
		"streams",
		"train-adamw",
		"train-adamw-bs8",
		"train-ckpt",
		"train-sgd-bs8",
		"varlen-expandable",
		"varlen-native",
		"varlen-roundup4",
	};
	for (size_t i = 0; recording_folder("CORPUS") && i < sizeof(files) / sizeof(files[0]);
	     i++) {
		char name[120];
		struct judged j;
		snprintf(name, sizeof(name), "snapshots/%s.pickle.zst", files[i]);
		judge_file(&j, name);
		struct mlv_verdict v;
		unit_check(!mlv_heap_verdict(&v, &j.run, 0, 0, NULL));
		if (v.growth == MLV_GROWTH_CUMULATIVE)
			ck_abort_msg("%s: %.0f bytes a step", name, (double)v.cumulative_bytes);
		mlv_verdict_fini(&v);
		judged_fini(&j);
	}
}
END_TEST

/* The recording ends after so many events, and so do its annotations. */
static void cut(struct mlv_run *run, size_t events)
{
	struct mlv_device *d = &run->devices.data[0];
	int64_t last = run->mem_events.data[d->first_event + events - 1].time_ns;
	size_t n = 0;
	d->segments = events < d->events ? 0 : d->segments;
	d->events = events;
	for (size_t i = 0; i < run->spans.len; i++) {
		struct mlv_span s = run->spans.data[i];
		if (s.end_ns > last)
			s.end_ns = MLV_NO_TIME;
		if (s.start_ns <= last)
			run->spans.data[n++] = s;
	}
	run->spans.len = n;
}

/* The recording ends earlier, as with a ring buffer that is dumped in between: no other verdict. */
START_TEST(test_shortened)
{
	static const struct {
		const char *file;
		enum mlv_growth growth;
	} known[] = {
		{ "snapshots/leak-graph.pickle.zst", MLV_GROWTH_CUMULATIVE },
		{ "snapshots/train-adamw.pickle.zst", MLV_GROWTH_ACTIVATION },
		{ "snapshots/train-adamw-bs8.pickle.zst", MLV_GROWTH_ACTIVATION },
		{ "snapshots/train-ckpt.pickle.zst", MLV_GROWTH_PERSISTENT },
		{ "snapshots/hf-train.pickle.zst", MLV_GROWTH_ACTIVATION },
		{ "run-base/mem-rank0.pickle.zst", MLV_GROWTH_ACTIVATION },
		{ "run-regressed/mem-rank0.pickle.zst", MLV_GROWTH_CUMULATIVE },
	};
	for (size_t i = 0; recording_folder("CORPUS") && i < sizeof(known) / sizeof(known[0]);
	     i++) {
		struct mlv_buf bytes;
		struct mlv_run run;
		unit_check(recording_load(recording_folder("CORPUS"), known[i].file, &bytes));
		unit_check(!snap_read(&run, &bytes, 0, NULL, NULL));
		size_t all = run.devices.data[0].events;
		for (int part = 20; part >= 1; part--) {
			struct mlv_verdict v;
			if (part < 20)
				cut(&run, all * (size_t)part / 20);
			unit_check(!mlv_heap_verdict(&v, &run, 0, 0, NULL));
			if (v.growth != known[i].growth &&
			    (part == 20 || v.growth != MLV_GROWTH_UNKNOWN))
				ck_abort_msg("%s, %d twentieths: %s", known[i].file, part,
					     mlv_growth_name(v.growth));
			mlv_verdict_fini(&v);
		}
		mlv_run_fini(&run);
		mlv_buf_fini(&bytes);
	}
}
END_TEST

UNIT_MAIN("lifetime", test_growers, test_lives, test_known_growth, test_no_false_alarm,
	  test_shortened)
