/* SPDX-License-Identifier: MIT */
/* The tables of the event model: what is added twice is there once, and ids say what they said. */
#include "unit.h"

#include <stdio.h>
#include <string.h>

#include "model/run.h"

static struct mlv_run run;

static mlv_strid text(const char *s)
{
	mlv_strid id;
	unit_check(mlv_intern(&run.strings, s, strlen(s), &id));
	return id;
}

START_TEST(a_fresh_run)
{
	ck_assert(mlv_run_init(&run, "file"));
	ck_assert_str_eq(run.file, "file");
	ck_assert_int_eq(run.rank, -1);
	ck_assert_uint_eq(run.pools.len, 1);
	ck_assert_uint_eq(run.notes.len, 1);
	ck_assert_ptr_null(mlv_run_device_of(&run, MLV_TRACK_NONE));
	ck_assert_ptr_null(mlv_run_property(&run, "settings", "x"));
	mlv_run_fini(&run);
}
END_TEST

START_TEST(tracks)
{
	enum { N = 3000 };
	static mlv_trackid ids[4][N];
	ck_assert(mlv_run_init(&run, "file"));
	for (int round = 0; round < 2; round++) {
		for (uint32_t d = 0; d < 4; d++) {
			mlv_trackid device;
			unit_check(
				mlv_run_track(&run, MLV_TRACK_DEVICE, MLV_TRACK_NONE, d, &device));
			for (int64_t i = 0; i < N; i++) {
				mlv_trackid id;
				int64_t handle = i % 2 ? -i : i << 40;
				unit_check(
					mlv_run_track(&run, MLV_TRACK_STREAM, device, handle, &id));
				unit_check(!round || id.i == ids[d][i].i);
				ids[d][i] = id;
				unit_check(run.tracks.data[id.i].number == handle);
				unit_check(mlv_run_device_of(&run, id)->number == d);
			}
		}
	}
	ck_assert_uint_eq(run.tracks.len, 4 * (N + 1));
	mlv_run_fini(&run);
}
END_TEST

START_TEST(pools)
{
	uint16_t first[200], again;
	ck_assert(mlv_run_init(&run, "file"));
	for (int64_t i = 0; i < 200; i++)
		unit_check(mlv_run_pool(&run, i / 10, i % 10, &first[i]));
	for (int64_t i = 0; i < 200; i++) {
		unit_check(mlv_run_pool(&run, i / 10, i % 10, &again) && again == first[i]);
		unit_check(run.pools.data[again].owner == i / 10 &&
			   run.pools.data[again].id == i % 10);
	}
	ck_assert_uint_eq(first[0], MLV_POOL_DEFAULT);
	ck_assert_uint_eq(run.pools.len, 200);
	/* Beyond all reason they are lumped together. */
	for (int64_t i = 0; i < 10000; i++)
		unit_check(mlv_run_pool(&run, -1, i, &again));
	ck_assert_uint_eq(again, MLV_POOL_UNKNOWN);
	ck_assert_uint_eq(run.pools.len, 4096);
	unit_check(mlv_run_pool(&run, 0, 1, &again) && again == first[1]);
	mlv_run_fini(&run);
}
END_TEST

START_TEST(notes)
{
	mlv_noteid ids[27], again;
	ck_assert(mlv_run_init(&run, "file"));
	mlv_strid texts[3] = { MLV_STR_NONE, text("a"), text("b") };
	/* In turns, so that no look at the last few would find them. */
	for (int round = 0; round < 3; round++) {
		for (unsigned i = 0; i < 27; i++) {
			struct mlv_note note = { .action = texts[i % 3],
						 .compile_context = texts[i / 3 % 3],
						 .user_metadata = texts[i / 9] };
			unit_check(mlv_run_note(&run, note, &again));
			unit_check(!round || again.i == ids[i].i);
			ids[i] = again;
			unit_check(!memcmp(&run.notes.data[again.i], &note, sizeof(note)));
		}
	}
	ck_assert_uint_eq(run.notes.len, 27);
	ck_assert_uint_eq(ids[0].i, MLV_NOTE_NONE.i);
	mlv_run_fini(&run);
}
END_TEST

static void check_stack(mlv_stackid id, const mlv_frameid *frames, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		unit_check(mlv_stack_has_frame(id));
		unit_check(run.stacks.nodes.data[id.i].frame.i == frames[i].i);
		id = mlv_stack_caller(&run.stacks, id);
	}
	unit_check(id.i == MLV_STACK_EMPTY.i);
}

START_TEST(stacks)
{
	enum { LISTS = 400 };
	static mlv_frameid frames[30], lists[LISTS][20];
	static size_t lengths[LISTS];
	static mlv_stackid ids[LISTS];
	uint64_t state = 3;
	ck_assert(mlv_run_init(&run, "file"));
	for (int round = 0; round < 2; round++) {
		for (uint32_t i = 0; i < 30; i++) {
			struct mlv_frame f = { text(i % 2 ? "f" : "g"), text("file"), i / 2 };
			mlv_frameid id;
			unit_check(mlv_frame_intern(&run.stacks, f, &id));
			unit_check(!round || id.i == frames[i].i);
			frames[i] = id;
		}
	}
	ck_assert_uint_eq(run.stacks.frames.len, 30);
	for (size_t i = 0; i < LISTS; i++) {
		lengths[i] = unit_random(&state) % 20;
		for (size_t k = 0; k < lengths[i]; k++)
			lists[i][k] = frames[unit_random(&state) % 30];
		unit_check(mlv_stack_intern(&run.stacks, lists[i], lengths[i], &ids[i]));
		check_stack(ids[i], lists[i], lengths[i]);
	}
	size_t nodes = run.stacks.nodes.len;
	for (size_t i = 0; i < LISTS; i++) {
		mlv_stackid id, pushed = MLV_STACK_EMPTY;
		unit_check(mlv_stack_intern(&run.stacks, lists[i], lengths[i], &id));
		unit_check(id.i == ids[i].i);
		for (size_t k = lengths[i]; k-- > 0;)
			unit_check(mlv_stack_push(&run.stacks, lists[i][k], pushed, &pushed));
		unit_check(pushed.i == ids[i].i);
		check_stack(id, lists[i], lengths[i]);
	}
	ck_assert_uint_eq(run.stacks.nodes.len, nodes);
	mlv_run_fini(&run);
}
END_TEST

START_TEST(times)
{
	ck_assert_int_eq(mlv_time_between(3, 10), 7);
	ck_assert_int_eq(mlv_time_between(10, 3), -7);
	ck_assert(mlv_time_between(INT64_MIN, INT64_MAX) == INT64_MAX);
	ck_assert(mlv_time_between(INT64_MAX, INT64_MIN) == INT64_MIN);
	ck_assert(mlv_time_between(INT64_MIN, 0) == INT64_MAX);
}
END_TEST

START_TEST(names)
{
	for (int a = 0; a < MLV_MEM_ACTIONS; a++)
		ck_assert_int_gt((int)strlen(mlv_mem_action_name((enum mlv_mem_action)a)), 2);
	ck_assert_str_eq(mlv_mem_action_name(MLV_MEM_OTHER), "other");
	ck_assert_str_eq(mlv_block_state_name(MLV_BLOCK_PENDING_FREE), "active_pending_free");
}
END_TEST

UNIT_MAIN("model", a_fresh_run, tracks, pools, notes, stacks, times, names)
