/* SPDX-License-Identifier: MIT */
/* Two histories side by side: what holds for any two, and which stacks are one. */
#include "unit.h"

#include <stdio.h>
#include <string.h>

#include "report/diff.h"
#include "snapshot_writer.h"

static struct mlv_diff diff;
static struct mlv_run runs[2];

static void read_run(struct mlv_run *run, const struct mlv_buf *bytes)
{
	unit_check(snap_read(run, bytes, 0, &mlv_limits_default, NULL) == MLV_OK);
}

static void compare(const struct mlv_run *a, const struct mlv_run *b)
{
	struct mlv_diff_options o = { .ignore = NULL, .device = -1 };
	unit_check(mlv_diff_init(&diff, a, b, &o, NULL) == MLV_OK);
}

static void random_run(struct mlv_run *run, uint64_t seed)
{
	struct snap s = { 0 };
	struct mlv_buf bytes = { 0 };
	struct snap_program p = { .seed = seed,
				  .steps = 300,
				  .devices = 2,
				  .streams = 2,
				  .pools = 1,
				  .stacks = true,
				  .pending = true,
				  .oom = true };
	snap_record(&s, &p);
	if (seed % 3 == 0)
		snap_keep_last(&s, 150);
	snap_write(&s, (struct snap_style){ .form = SNAP_P4 }, &bytes);
	read_run(run, &bytes);
	mlv_buf_fini(&bytes);
	snap_fini(&s);
}

/* ------------------------------------------------------------------ of any two */

START_TEST(nothing_differs_from_itself)
{
	for (uint64_t seed = 1; seed < 20; seed++) {
		random_run(&runs[0], seed);
		compare(&runs[0], &runs[0]);
		unit_check(diff.device_count > 0 && mlv_diff_shares(&diff));
		unit_check(!mlv_diff_differs(&diff));
		for (size_t i = 0; i < diff.device_count; i++)
			ck_assert_uint_eq(diff.devices[i].memory.differing, 0);
		mlv_diff_fini(&diff);
		mlv_run_fini(&runs[0]);
	}
}
END_TEST

static void check_sums(const struct mlv_device_diff *dd)
{
	for (unsigned side = 0; side < 2; side++) {
		struct mlv_amount sum[MLV_AMOUNTS] = { 0 };
		for (size_t i = 0; i < dd->memory.stacks.len; i++) {
			const struct mlv_stack_diff *s = &dd->memory.stacks.data[i];
			for (unsigned k = 0; k < MLV_AMOUNTS; k++) {
				sum[k].bytes += s->amount[side][k].bytes;
				sum[k].count += s->amount[side][k].count;
			}
		}
		const struct mlv_history *h = &dd->history[side];
		unit_check(sum[MLV_AMOUNT_PEAK].bytes == h->requested.peak);
		unit_check(sum[MLV_AMOUNT_END].bytes == h->requested.end);
		unit_check(sum[MLV_AMOUNT_TRAFFIC].count == h->alloc_count - h->initial);
	}
}

START_TEST(listed_changes_sum_to_the_change_of_the_peak)
{
	for (uint64_t seed = 1; seed < 40; seed++) {
		random_run(&runs[0], seed);
		random_run(&runs[1], seed * 7 + 1);
		compare(&runs[0], &runs[1]);
		for (size_t i = 0; i < diff.device_count; i++)
			check_sums(&diff.devices[i]);
		mlv_diff_fini(&diff);
		mlv_run_fini(&runs[0]);
		mlv_run_fini(&runs[1]);
	}
}
END_TEST

static void check_opposite(const struct mlv_memory_diff *x, const struct mlv_memory_diff *y)
{
	ck_assert_uint_eq(x->stacks.len, y->stacks.len);
	ck_assert_uint_eq(x->differing, y->differing);
	for (size_t i = 0; i < x->figures.len; i++)
		unit_check(mlv_figure_change(&x->figures.data[i]) ==
			   -mlv_figure_change(&y->figures.data[i]));
	for (size_t i = 0; i < x->stacks.len; i++) {
		const struct mlv_stack_diff *s = &x->stacks.data[i], *t = &y->stacks.data[i];
		unit_check(s->key == t->key && s->level == t->level);
		unit_check(s->wrappers[0] == t->wrappers[1] && s->wrappers[1] == t->wrappers[0]);
		unit_check(memcmp(s->amount[0], t->amount[1], sizeof(s->amount[0])) == 0);
		unit_check(memcmp(s->amount[1], t->amount[0], sizeof(s->amount[0])) == 0);
	}
}

START_TEST(the_other_way_round_is_the_negative)
{
	for (uint64_t seed = 1; seed < 40; seed++) {
		struct mlv_diff other;
		random_run(&runs[0], seed);
		random_run(&runs[1], seed * 5 + 2);
		compare(&runs[1], &runs[0]);
		other = diff;
		compare(&runs[0], &runs[1]);
		ck_assert_uint_eq(diff.device_count, other.device_count);
		for (size_t i = 0; i < diff.device_count; i++)
			check_opposite(&diff.devices[i].memory, &other.devices[i].memory);
		mlv_diff_fini(&diff);
		mlv_diff_fini(&other);
		mlv_run_fini(&runs[0]);
		mlv_run_fini(&runs[1]);
	}
}
END_TEST

/* ------------------------------------------------------------------ which stacks are one */

/* One allocation of so many bytes with these frames, innermost first: "FUNCTION FILE LINE;…". */
static void add_alloc(struct mlv_buf *json, uint64_t addr, int bytes, const char *frames)
{
	mlv_buf_printf(json,
		       "%s{\"action\":\"alloc\",\"addr\":%llu,\"size\":%d,\"stream\":0,"
		       "\"frames\":[",
		       json->data[json->len - 1] == '[' ? "" : ",", (unsigned long long)addr,
		       bytes);
	for (const char *p = frames; *p;) {
		char function[80], file[200];
		int line, used;
		unit_check(sscanf(p, "%79[^ ] %199[^ ] %d%n", function, file, &line, &used) == 3);
		mlv_buf_printf(json, "%s{\"name\":\"%s\",\"filename\":\"%s\",\"line\":%d}",
			       p == frames ? "" : ",", function, file, line);
		p += used + (p[used] == ';');
	}
	mlv_buf_puts(json, "]}");
}

/* Stacks of 1, 2, 4, … bytes, so that a sum tells which of them it holds. */
static void stacks_run(struct mlv_run *run, const char *const *stacks, uint64_t base)
{
	struct mlv_buf json = { 0 };
	mlv_buf_puts(&json, "{\"segments\":[],\"device_traces\":[[");
	for (int i = 0; stacks[i]; i++)
		add_alloc(&json, base + (uint64_t)i * 512, 1 << i, stacks[i]);
	mlv_buf_puts(&json, "]]}");
	read_run(run, &json);
	mlv_buf_fini(&json);
}

/* "1=1 2=0": the bytes of each entry at the peak of A and of B, by those of A. */
static const char *matches(const char *const *a, const char *const *b)
{
	static char text[400];
	size_t n = 0;
	stacks_run(&runs[0], a, 1 << 20);
	stacks_run(&runs[1], b, 1 << 25);
	compare(&runs[0], &runs[1]);
	text[0] = '\0';
	const struct mlv_memory_diff *m = &diff.devices[0].memory;
	for (uint64_t x = 0; x < 64; x++) {
		for (size_t i = 0; i < m->stacks.len; i++) {
			const struct mlv_stack_diff *s = &m->stacks.data[i];
			if (s->amount[0][MLV_AMOUNT_PEAK].bytes == x)
				n += (size_t)snprintf(
					text + n, sizeof(text) - n, "%s%u=%u", n ? " " : "",
					(unsigned)x, (unsigned)s->amount[1][MLV_AMOUNT_PEAK].bytes);
		}
	}
	return text;
}

static void end(void)
{
	mlv_diff_fini(&diff);
	mlv_run_fini(&runs[0]);
	mlv_run_fini(&runs[1]);
}

#define LIST(...)                                                                                  \
	(const char *const[])                                                                      \
	{                                                                                          \
		__VA_ARGS__, NULL                                                                  \
	}

START_TEST(by_stack_and_not_by_address)
{
	ck_assert_str_eq(matches(LIST("f a.py 1;main a.py 9", "g a.py 2;main a.py 9"),
				 LIST("g a.py 2;main a.py 9", "f a.py 1;main a.py 9")),
			 "1=2 2=1");
	end();
}
END_TEST

START_TEST(wherever_it_is_installed)
{
	ck_assert_str_eq(matches(LIST("f /home/a/.venv/lib/python3.12/site-packages/lib/x.py 1"),
				 LIST("f /opt/conda/lib/python3.11/site-packages/lib/x.py 1")),
			 "1=1");
	end();
	ck_assert_str_eq(matches(LIST("f /home/a/train.py 1"), LIST("f /work/b/train.py 1")),
			 "1=1");
	end();
}
END_TEST

START_TEST(lines_first_then_functions)
{
	/* The program begins elsewhere: lines inside tell the two apart. */
	ck_assert_str_eq(matches(LIST("f a.py 1;main a.py 9", "f a.py 2;main a.py 9"),
				 LIST("f a.py 2;main a.py 8", "f a.py 1;main a.py 8")),
			 "1=2 2=1");
	end();
	/* An edit moved the function: the order of its lines does. */
	ck_assert_str_eq(matches(LIST("f a.py 1;main a.py 9", "f a.py 2;main a.py 9"),
				 LIST("f a.py 12;main a.py 9", "f a.py 11;main a.py 9")),
			 "1=2 2=1");
	end();
	/* There is one more of them: they are one function's. */
	ck_assert_str_eq(
		matches(LIST("f a.py 1", "f a.py 2", "g a.py 3"), LIST("f a.py 11", "g a.py 3")),
		"3=1 4=2");
	end();
	/* What matches by line is not drawn into it. */
	ck_assert_str_eq(matches(LIST("f a.py 1"), LIST("f a.py 1", "f a.py 2")), "0=2 1=1");
	end();
}
END_TEST

#define TORCH "/usr/lib/python3/dist-packages/torch/"

START_TEST(wrappers_are_left_out_and_named)
{
	const char *const bare[] = { "mm a.py 1;_call_impl " TORCH
				     "nn/modules/module.py 7;f a.py 5",
				     NULL };
	const char *const wrapped[] = { "mm a.py 1;inner " TORCH
					"nn/modules/module.py 8;_call_impl " TORCH
					"nn/modules/module.py 9;checkpoint " TORCH
					"utils/checkpoint.py 3;f a.py 5",
					NULL };
	ck_assert_str_eq(matches(bare, wrapped), "1=1");
	const struct mlv_memory_diff *m = &diff.devices[0].memory;
	ck_assert_uint_eq(m->stacks.data[0].wrappers[0], 0);
	ck_assert_uint_eq(m->stacks.data[0].wrappers[1], 1u << MLV_WRAP_CHECKPOINT);
	unit_check(mlv_wrapper_one_sided(m, MLV_WRAP_CHECKPOINT));
	unit_check(!mlv_wrapper_one_sided(m, MLV_WRAP_FSDP));
	ck_assert_uint_eq(m->wrappers[1][MLV_WRAP_CHECKPOINT].stacks, 1);
	end();
	/* Who allocates is no wrapper, whatever file it is in. */
	ck_assert_str_eq(
		matches(LIST("save " TORCH "utils/checkpoint.py 3;f a.py 5"), LIST("f a.py 5")),
		"0=1 1=0");
	end();
}
END_TEST

/* ------------------------------------------------------------------ one process twice */

/* "a ADDRESS BYTES TIME;f …": what was allocated and freed. */
static void trace_run(struct mlv_run *run, const char *events)
{
	struct mlv_buf json = { 0 };
	mlv_buf_puts(&json, "{\"segments\":[],\"device_traces\":[[");
	for (const char *p = events; *p;) {
		char what;
		int addr, bytes, time, used;
		unit_check(sscanf(p, "%c %d %d %d%n", &what, &addr, &bytes, &time, &used) == 4);
		mlv_buf_printf(&json,
			       "%s{\"action\":\"%s\",\"addr\":%d,\"size\":%d,\"time_us\":%d,"
			       "\"stream\":0,\"frames\":[{\"name\":\"f\",\"filename\":\"a.py\","
			       "\"line\":1}]}",
			       p == events ? "" : ",", what == 'a' ? "alloc" : "free_completed",
			       addr, bytes, time);
		p += used + (p[used] == ';');
	}
	mlv_buf_puts(&json, "]]}");
	read_run(run, &json);
	mlv_buf_fini(&json);
}

/* Bytes that are still there, new and gone, and addresses with something else. */
static const char *fates(const char *a, const char *b)
{
	static char text[100];
	struct mlv_diff_options o = { .device = -1, .same_process = true };
	trace_run(&runs[0], a);
	trace_run(&runs[1], b);
	unit_check(mlv_diff_init(&diff, &runs[0], &runs[1], &o, NULL) == MLV_OK);
	const struct mlv_process_diff *p = &diff.devices[0].process;
	snprintf(text, sizeof(text), "still %u new %u gone %u reused %u",
		 (unsigned)p->total[MLV_FATE_STILL].bytes, (unsigned)p->total[MLV_FATE_NEW].bytes,
		 (unsigned)p->total[MLV_FATE_GONE].bytes, (unsigned)p->reused);
	end();
	return text;
}

START_TEST(alive_by_address)
{
	static const char first[] = "a 4096 1 10;a 8192 2 11;a 12288 4 12";
	ck_assert_str_eq(fates(first, first), "still 7 new 0 gone 0 reused 0");
	/* 8192 was given back; 12288 too, and given out again for as many bytes. */
	ck_assert_str_eq(fates(first, "a 4096 1 10;a 8192 2 11;a 12288 4 12;f 8192 2 20;"
				      "f 12288 4 21;a 12288 4 22;a 16384 8 23"),
			 "still 1 new 12 gone 6 reused 1");
	/* The later one holds only what came last: 4096 was made anew. */
	ck_assert_str_eq(fates(first, "a 4096 1 30"), "still 0 new 1 gone 7 reused 1");
}
END_TEST

UNIT_MAIN("memory_diff", nothing_differs_from_itself, listed_changes_sum_to_the_change_of_the_peak,
	  the_other_way_round_is_the_negative, by_stack_and_not_by_address,
	  wherever_it_is_installed, lines_first_then_functions, wrappers_are_left_out_and_named,
	  alive_by_address)
