/* SPDX-License-Identifier: MIT */
#include "unit.h"

#include <string.h>

#include "base/reader.h"

enum { SIZE = 20000 };
static uint8_t data[SIZE];

static struct mlv_source *open_data(size_t n, size_t chunk)
{
	struct mlv_source *s;
	uint64_t state = 1;
	for (size_t i = 0; i < SIZE; i++)
		data[i] = (uint8_t)unit_random(&state);
	data[0] = 'x'; /* no magic */
	unit_check(!mlv_source_memory(&s, "data", (struct mlv_bytes){ data, n }, chunk,
				      &mlv_limits_default, NULL));
	return s;
}

static size_t at_hand(const struct mlv_reader *r)
{
	return (size_t)(r->end - r->p);
}

/* What is at hand must be the data at that place. */
static void check_window(const struct mlv_reader *r, uint64_t at, size_t size)
{
	unit_check(mlv_reader_offset(r) == at);
	unit_check(at + at_hand(r) <= size);
	unit_check(memcmp(r->p, data + at, at_hand(r)) == 0);
}

START_TEST(random_walks)
{
	static const size_t chunks[] = { 0, 1, 2, 3, 5, 7, 64, 1000, 1024, 4999, SIZE };
	uint64_t state = 7;
	for (unsigned round = 0; round < 1500; round++) {
		size_t chunk = chunks[round % (sizeof(chunks) / sizeof(chunks[0]))];
		size_t size = round % 3 ? SIZE : unit_random(&state) % 50 + 1;
		size_t largest = (size_t)1 << unit_random(&state) % 14;
		struct mlv_source *s = open_data(size, chunk);
		struct mlv_reader r;
		mlv_reader_init(&r, s);
		size_t at = 0;
		while (at < size) {
			size_t n = unit_random(&state) % largest + 1;
			bool ok = mlv_reader_need(&r, n);
			unit_check(ok == (n <= size - at));
			unit_check(ok ? at_hand(&r) >= n : at_hand(&r) == size - at);
			check_window(&r, at, size);
			size_t step = unit_random(&state) % 4 ? n : unit_random(&state) % n + 1;
			if (step > at_hand(&r))
				step = at_hand(&r);
			/* Or take all there is, as a scanner does. */
			if (unit_random(&state) % 8 == 0)
				step = at_hand(&r);
			r.p += step;
			at += step;
		}
		unit_check(!mlv_reader_need(&r, 1) && at_hand(&r) == 0);
		unit_check(mlv_reader_need(&r, 0));
		unit_check(mlv_reader_offset(&r) == size);
		unit_check(r.err.rc == MLV_OK);
		/* Over one span nothing is copied. */
		unit_check(chunk || !r.hold);
		mlv_reader_fini(&r);
		mlv_source_close(s);
	}
}
END_TEST

START_TEST(one_more_byte_each_time)
{
	/* As the search for the end of a long string: every fill keeps all that came before. */
	for (size_t chunk = 1; chunk < 300; chunk += 37) {
		struct mlv_source *s = open_data(SIZE, chunk);
		struct mlv_reader r;
		mlv_reader_init(&r, s);
		size_t fills = 0;
		while (mlv_reader_fill(&r, at_hand(&r) + 1)) {
			check_window(&r, 0, SIZE);
			fills++;
		}
		ck_assert_uint_eq(at_hand(&r), SIZE);
		/* At least a span at a time, and memory in proportion. */
		ck_assert_uint_le(fills, SIZE / chunk + 1);
		ck_assert_uint_le(r.hold_cap, 2 * SIZE);
		mlv_reader_fini(&r);
		mlv_source_close(s);
	}
}
END_TEST

START_TEST(lookahead_of_a_sliding_window)
{
	/* A large window that moves on byte by byte must neither lose its place nor grow. */
	struct mlv_source *s = open_data(SIZE, 50);
	struct mlv_reader r;
	mlv_reader_init(&r, s);
	for (size_t at = 0; at + 3000 <= SIZE; at++) {
		unit_check(mlv_reader_need(&r, 3000));
		if (at % 100 == 0)
			check_window(&r, at, SIZE);
		r.p++;
	}
	ck_assert_uint_le(r.hold_cap, 16000);
	mlv_reader_fini(&r);
	mlv_source_close(s);
}
END_TEST

START_TEST(absurd_needs_cost_nothing)
{
	for (size_t chunk = 0; chunk < 2; chunk++) {
		struct mlv_source *s = open_data(SIZE, chunk * 100);
		struct mlv_reader r;
		mlv_reader_init(&r, s);
		r.p += mlv_reader_need(&r, 10) ? 10 : 0;
		ck_assert(!mlv_reader_need(&r, SIZE_MAX));
		check_window(&r, 10, SIZE);
		ck_assert_uint_eq(at_hand(&r), SIZE - 10);
		ck_assert_int_eq(r.err.rc, MLV_OK);
		ck_assert(r.ended);
		ck_assert_uint_le(r.hold_cap, 2 * SIZE);
		mlv_reader_fini(&r);
		mlv_source_close(s);
	}
}
END_TEST

START_TEST(straddling_bytes_only)
{
	/* Small words over large spans: the copy stays small. */
	struct mlv_source *s = open_data(SIZE, 9999);
	struct mlv_reader r;
	mlv_reader_init(&r, s);
	for (size_t at = 0; at + 8 <= SIZE; at += 8, r.p += 8)
		unit_check(mlv_reader_need(&r, 8));
	ck_assert_uint_le(r.hold_cap, 2048);
	mlv_reader_fini(&r);
	mlv_source_close(s);
}
END_TEST

START_TEST(an_error_ends_the_bytes)
{
	struct mlv_limits few = mlv_limits_default;
	few.bytes = 100;
	for (size_t chunk = 0; chunk < 20; chunk += 7) {
		struct mlv_source *s = open_data(SIZE, chunk);
		mlv_source_close(s);
		struct mlv_bytes bytes = { data, SIZE };
		ck_assert(!mlv_source_memory(&s, "data", bytes, chunk, &few, NULL));
		struct mlv_reader r;
		mlv_reader_init(&r, s);
		ck_assert(mlv_reader_need(&r, 60));
		r.p += 60;
		ck_assert(!mlv_reader_need(&r, 41));
		ck_assert_uint_eq(at_hand(&r), 40);
		check_window(&r, 60, SIZE);
		ck_assert_int_eq(r.err.rc, MLV_E_LIMIT);
		ck_assert_uint_eq(r.err.offset, 100);
		ck_assert_str_eq(r.err.file, "data");
		ck_assert(mlv_reader_need(&r, 40));
		mlv_reader_fini(&r);
		mlv_source_close(s);
	}
}
END_TEST

START_TEST(empty_input)
{
	struct mlv_source *s = open_data(0, 0);
	struct mlv_reader r;
	mlv_reader_init(&r, s);
	ck_assert_uint_eq(at_hand(&r), 0);
	ck_assert(!mlv_reader_need(&r, 1));
	ck_assert(mlv_reader_need(&r, 0));
	ck_assert_uint_eq(mlv_reader_offset(&r), 0);
	mlv_reader_fini(&r);
	mlv_reader_fini(&r);
	mlv_source_close(s);
}
END_TEST

UNIT_MAIN("base_reader", random_walks, one_more_byte_each_time, lookahead_of_a_sliding_window,
	  absurd_needs_cost_nothing, straddling_bytes_only, an_error_ends_the_bytes, empty_input)
