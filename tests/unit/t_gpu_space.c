/* SPDX-License-Identifier: MIT */
/*
 * Where an allocator's segments and blocks lie on a GPU: whatever the scale,
 * each block has a place of its own that is backed by memory.
 */
#include "fake_gpu.h"
#include "replay/gpu/gpu_space.h"

enum { KIB = 1024, SEGMENTS = 24, BLOCKS = 600 };

static void open_space(struct mlv_gpu *g, struct mlv_gpu_space *s, uint32_t scale)
{
	struct mlv_err err = MLV_ERR_INIT;
	if (mlv_gpu_open(g, &(struct mlv_gpu_setup){ 0 }, &err))
		ck_abort_msg("%s", err.msg);
	unit_check(mlv_gpu_space_init(s, g, scale));
}

static void close_space(struct mlv_gpu *g, struct mlv_gpu_space *s, struct fake_gpu *fake)
{
	int64_t returned = 1;
	unit_check(!g->err.rc);
	mlv_gpu_space_fini(s);
	unit_check(mlv_gpu_close(g, &returned) && !returned);
	fake_gpu_let_go(fake);
}

static void expect(struct mlv_gpu_space *s, uint64_t addr, uint64_t bytes, uint64_t cell)
{
	unit_check(mlv_gpu_space_expect(s, (struct mlv_gpu_island){ addr, bytes, cell }));
}

/* ---- one thing at a time ---- */

START_TEST(segments)
{
	struct fake_gpu fake = fake_gpu_hold("");
	struct mlv_gpu g;
	struct mlv_gpu_space s;
	mlv_cu_ptr at, ptr;
	uint64_t words, addr;
	open_space(&g, &s, 1);
	unit_check(!mlv_gpu_space_alloc_at(&s, 0x7000000000, 20 * MLV_MIB, &at));
	unit_check(mlv_gpu_space_find(&s, 0x7000000000 + 4096, 512, &ptr, &words));
	unit_check(ptr == at + 4096 && words == 128);
	unit_check(mlv_gpu_space_find(&s, 0x7000000000, 20 * MLV_MIB, &ptr, &words));
	unit_check(!mlv_gpu_space_find(&s, 0x7000000000, 20 * MLV_MIB + 1, &ptr, &words));
	unit_check(!mlv_gpu_space_find(&s, 0x7000000000 - 1, 1, &ptr, &words));
	unit_check(!mlv_gpu_space_find(&s, 0x7000000000 + 20 * MLV_MIB, 1, &ptr, &words));
	/* The device's own address, in the model's. */
	unit_check(!mlv_gpu_space_alloc(&s, 2 * MLV_MIB, &addr));
	unit_check(addr > MLV_GPU_MODEL_BASE);
	unit_check(mlv_gpu_space_find(&s, addr, 2 * MLV_MIB, &ptr, &words));
	unit_check(ptr == addr - MLV_GPU_MODEL_BASE && words == MLV_MIB / 2);
	unit_check(!mlv_gpu_space_free(&s, addr));
	unit_check(!mlv_gpu_space_find(&s, addr, 1, &ptr, &words));
	unit_check(!mlv_gpu_space_free(&s, 0x7000000000));
	unit_check(!s.unknown && !g.taken);
	close_space(&g, &s, &fake);
}
END_TEST

/* What a damaged recording may say is counted, and the device does not see it. */
START_TEST(what_is_not_there)
{
	struct fake_gpu fake = fake_gpu_hold("");
	struct mlv_gpu g;
	struct mlv_gpu_space s;
	const uint64_t a = 0x7000000000;
	mlv_cu_ptr at;
	open_space(&g, &s, 1);
	unit_check(!mlv_gpu_space_free(&s, a) && s.unknown == 1);
	unit_check(!mlv_gpu_space_unmap(&s, a, 2 * MLV_MIB) && s.unknown == 2);
	unit_check(!mlv_gpu_space_map(&s, a, 2 * MLV_MIB) && s.unknown == 3);
	unit_check(!mlv_gpu_space_alloc_at(&s, a, 20 * MLV_MIB, &at) && s.unknown == 3);
	/* Within another one, around it, of nothing, and freed in its middle. */
	unit_check(!mlv_gpu_space_alloc_at(&s, a + MLV_MIB, MLV_MIB, &at) && s.unknown == 4);
	unit_check(!mlv_gpu_space_alloc_at(&s, a - MLV_MIB, 2 * MLV_MIB, &at) && s.unknown == 5);
	unit_check(!mlv_gpu_space_alloc_at(&s, a - MLV_MIB, 0, &at) && s.unknown == 6);
	unit_check(!mlv_gpu_space_free(&s, a + MLV_MIB) && s.unknown == 7);
	expect(&s, 2 * a, 200 * MLV_MIB, 20 * MLV_MIB);
	unit_check(!mlv_gpu_space_map(&s, 2 * a, 40 * MLV_MIB) && s.unknown == 7);
	/* Mapped twice, in part, no whole cells, beyond the range, nothing. */
	unit_check(!mlv_gpu_space_map(&s, 2 * a + 20 * MLV_MIB, 40 * MLV_MIB) && s.unknown == 8);
	unit_check(!mlv_gpu_space_map(&s, 2 * a + 50 * MLV_MIB, 20 * MLV_MIB) && s.unknown == 9);
	unit_check(!mlv_gpu_space_map(&s, 2 * a + 40 * MLV_MIB, 30 * MLV_MIB) && s.unknown == 10);
	unit_check(!mlv_gpu_space_map(&s, 2 * a + 180 * MLV_MIB, 40 * MLV_MIB) && s.unknown == 11);
	unit_check(!mlv_gpu_space_map(&s, 2 * a + 80 * MLV_MIB, 0) && s.unknown == 12);
	unit_check(!mlv_gpu_space_unmap(&s, 2 * a + 20 * MLV_MIB, 40 * MLV_MIB) && s.unknown == 13);
	unit_check(!mlv_gpu_space_unmap(&s, 2 * a, 2 * MLV_MIB) && s.unknown == 14);
	/* A range of less than a cell. */
	expect(&s, 2 * a + MLV_ALLOC_MOST, 4096, 2 * MLV_MIB);
	unit_check(!mlv_gpu_space_map(&s, 2 * a + MLV_ALLOC_MOST, 4096) && s.unknown == 15);
	unit_check(g.taken == 60 * MLV_MIB);
	/* More than any device has. */
	unit_check(mlv_gpu_space_alloc_at(&s, 3 * a, UINT64_MAX, &at) == MLV_GPU_NO_MEMORY);
	expect(&s, 3 * a + MLV_ALLOC_MOST, UINT64_MAX / 2, 2 * MLV_MIB);
	unit_check(mlv_gpu_space_map(&s, 3 * a + MLV_ALLOC_MOST, 2 * MLV_MIB) == MLV_GPU_NO_MEMORY);
	/* Nobody looks at each of its cells. */
	expect(&s, 4 * a + MLV_ALLOC_MOST, MLV_DEVICE_MOST, 2 * MLV_MIB);
	unit_check(mlv_gpu_space_map(&s, 4 * a + MLV_ALLOC_MOST, MLV_DEVICE_MOST) ==
		   MLV_GPU_NO_MEMORY);
	close_space(&g, &s, &fake);
}
END_TEST

/* A block that reaches over cells, mapped by and by from both ends. */
START_TEST(ranges)
{
	struct fake_gpu fake = fake_gpu_hold("");
	struct mlv_gpu g;
	struct mlv_gpu_space s;
	const uint64_t a = 0x7000000000;
	mlv_cu_ptr ptr, first;
	uint64_t words;
	open_space(&g, &s, 1);
	expect(&s, a, 60 * MLV_MIB, 20 * MLV_MIB);
	expect(&s, 2 * a, 4 * MLV_MIB, 2 * MLV_MIB);
	unit_check(!mlv_gpu_space_map(&s, a + 40 * MLV_MIB, 20 * MLV_MIB));
	unit_check(mlv_gpu_space_find(&s, a + 40 * MLV_MIB, 20 * MLV_MIB, &ptr, &words));
	unit_check(!mlv_gpu_space_find(&s, a + 30 * MLV_MIB, 20 * MLV_MIB, &ptr, &words));
	unit_check(!mlv_gpu_space_map(&s, a, 20 * MLV_MIB));
	unit_check(!mlv_gpu_space_find(&s, a + 10 * MLV_MIB, 40 * MLV_MIB, &ptr, &words));
	unit_check(!mlv_gpu_space_map(&s, a + 20 * MLV_MIB, 20 * MLV_MIB));
	unit_check(mlv_gpu_space_find(&s, a + 10 * MLV_MIB, 40 * MLV_MIB, &ptr, &words));
	unit_check(mlv_gpu_space_find(&s, a, 512, &first, &words));
	unit_check(ptr == first + 10 * MLV_MIB);
	unit_check(!mlv_gpu_space_map(&s, 2 * a, 4 * MLV_MIB));
	ck_assert_uint_eq(fake_gpu_figures(&fake).handles, 5);
	ck_assert_uint_eq(fake_gpu_figures(&fake).ranges, 2);
	/* Without memory a range goes, and comes again. */
	unit_check(!mlv_gpu_space_unmap(&s, a, 60 * MLV_MIB));
	ck_assert_uint_eq(fake_gpu_figures(&fake).ranges, 1);
	unit_check(!mlv_gpu_space_map(&s, a + 20 * MLV_MIB, 20 * MLV_MIB));
	ck_assert_uint_eq(fake_gpu_figures(&fake).ranges, 2);
	unit_check(!s.unknown);
	close_space(&g, &s, &fake);
}
END_TEST

/* Of two ranges that cross, which happens where their length is only guessed, the later one. */
START_TEST(ranges_that_cross)
{
	struct fake_gpu fake = fake_gpu_hold("");
	struct mlv_gpu g;
	struct mlv_gpu_space s;
	const uint64_t a = 0x7000000000;
	mlv_cu_ptr ptr;
	uint64_t words;
	open_space(&g, &s, 1);
	expect(&s, a, 0, 20 * MLV_MIB);
	expect(&s, a + 41 * MLV_MIB, 0, 2 * MLV_MIB);
	unit_check(!mlv_gpu_space_map(&s, a, 40 * MLV_MIB));
	unit_check(!mlv_gpu_space_map(&s, a + 41 * MLV_MIB, 20 * MLV_MIB));
	ck_assert_uint_eq(fake_gpu_figures(&fake).handles, 12);
	unit_check(mlv_gpu_space_find(&s, a + 43 * MLV_MIB, 2 * MLV_MIB, &ptr, &words));
	unit_check(!mlv_gpu_space_unmap(&s, a + 43 * MLV_MIB, 2 * MLV_MIB));
	unit_check(!mlv_gpu_space_unmap(&s, a + 20 * MLV_MIB, 20 * MLV_MIB));
	unit_check(!s.unknown && g.taken == 38 * MLV_MIB);
	close_space(&g, &s, &fake);
}
END_TEST

START_TEST(a_device_that_cannot_map)
{
	struct fake_gpu fake = fake_gpu_hold("mapping=no");
	struct mlv_gpu g;
	struct mlv_gpu_space s;
	open_space(&g, &s, 1);
	expect(&s, 0x7000000000, 0, 2 * MLV_MIB);
	unit_check(mlv_gpu_space_map(&s, 0x7000000000, 2 * MLV_MIB) == MLV_GPU_FAILED);
	unit_check(strstr(g.err.msg, "expandable segments"));
	mlv_gpu_space_fini(&s);
	mlv_gpu_close(&g, NULL);
	fake_gpu_let_go(&fake);
}
END_TEST

/* ---- places are disjoint ---- */

struct place {
	mlv_cu_ptr at;
	uint64_t words;
};

static int by_place(const void *a, const void *b)
{
	const struct place *x = a, *y = b;
	return (x->at > y->at) - (x->at < y->at);
}

/* Cut [addr, addr + bytes) into blocks without gaps; each has a place. */
static size_t cut(const struct mlv_gpu_space *s, uint64_t addr, uint64_t bytes, uint64_t *seed,
		  struct place *places, size_t n)
{
	while (bytes && n < BLOCKS) {
		uint64_t block = (1 + unit_random(seed) % 3000) * 512;
		block = block < bytes ? block : bytes;
		struct place p;
		unit_check(mlv_gpu_space_find(s, addr, block, &p.at, &p.words));
		unit_check(p.at % 4 == 0);
		/* No more than its share, and no less but for the words that it has only in part.
		 */
		uint64_t share = block / s->scale;
		if (s->scale == 1)
			unit_check(4 * p.words == block);
		unit_check(4 * p.words <= block && 4 * p.words + 8 > share);
		if (p.words)
			places[n++] = p;
		addr += block;
		bytes -= block;
	}
	return n;
}

static void no_overlap(struct place *places, size_t n)
{
	qsort(places, n, sizeof(*places), by_place);
	for (size_t i = 1; i < n; i++)
		unit_check(places[i - 1].at + 4 * places[i - 1].words <= places[i].at);
}

/* All of a place can be written: the fake driver knows what is accessible. */
static void is_memory(struct mlv_gpu *g, const struct place *places, size_t n)
{
	for (size_t i = 0; i < n; i++)
		unit_check(!g->cuda.call.cuMemsetD32Async(places[i].at, 1, places[i].words, NULL));
}

/* Segments at addresses of a recording, and at those of the device; and model addresses. */
static void random_segments(uint32_t scale, uint64_t seed)
{
	static struct place places[BLOCKS];
	struct fake_gpu fake = fake_gpu_hold("capacity=4G step=64K");
	struct mlv_gpu g;
	struct mlv_gpu_space s;
	size_t n = 0;
	struct place model[SEGMENTS];
	uint64_t at = 0x7000000000;
	open_space(&g, &s, scale);
	for (size_t i = 0; i < SEGMENTS; i++) {
		uint64_t bytes = (1 + unit_random(&seed) % 2000) * 512, addr;
		mlv_cu_ptr ptr;
		if (i % 2) {
			unit_check(!mlv_gpu_space_alloc_at(&s, at, bytes, &ptr));
			addr = at;
			at += bytes;
		} else {
			unit_check(!mlv_gpu_space_alloc(&s, bytes, &addr));
		}
		model[i] = (struct place){ addr, (bytes + 3) / 4 };
		n = cut(&s, addr, bytes, &seed, places, n);
	}
	no_overlap(places, n);
	is_memory(&g, places, n);
	no_overlap(model, SEGMENTS);
	close_space(&g, &s, &fake);
}

/* A range that is mapped and unmapped at random: a block lies where all its memory is. */
static void random_range(uint32_t scale, uint64_t cell, uint64_t seed)
{
	enum { CELLS = 12 };
	static struct place places[BLOCKS];
	struct fake_gpu fake = fake_gpu_hold("capacity=4G granularity=64K");
	struct mlv_gpu g;
	struct mlv_gpu_space s;
	const uint64_t a = 0x7000000000;
	bool mapped[CELLS] = { 0 };
	open_space(&g, &s, scale);
	expect(&s, a, CELLS * cell, cell);
	for (int step = 0; step < 60; step++) {
		size_t i = unit_random(&seed) % CELLS, k = i + 1;
		while (k < CELLS && mapped[k] == mapped[i] && unit_random(&seed) % 2)
			k++;
		unit_check(!(mapped[i] ? mlv_gpu_space_unmap : mlv_gpu_space_map)(&s, a + i * cell,
										  (k - i) * cell));
		for (bool was = mapped[i]; i < k; i++)
			mapped[i] = !was;
		size_t n = 0, live = 0;
		for (size_t from = 0; from < CELLS; from++) {
			size_t to = from;
			while (to < CELLS && mapped[to])
				to++;
			live += to - from;
			if (to > from)
				n = cut(&s, a + from * cell, (to - from) * cell, &seed, places, n);
			from = to;
		}
		no_overlap(places, n);
		is_memory(&g, places, n);
		ck_assert_uint_eq(fake_gpu_figures(&fake).maps, live);
		ck_assert_uint_eq(fake_gpu_figures(&fake).ranges, live != 0);
	}
	unit_check(!s.unknown);
	close_space(&g, &s, &fake);
}

START_TEST(places_are_disjoint)
{
	static const uint32_t scales[] = { 1, 2, 3, 7, 8, 33, 64 };
	for (size_t i = 0; i < sizeof(scales) / sizeof(scales[0]); i++) {
		for (uint64_t seed = 1; seed <= 4; seed++)
			random_segments(scales[i], seed);
		random_range(scales[i], 2 * MLV_MIB, 1 + i);
		random_range(scales[i], 1280 * KIB, 11 + i);
	}
}
END_TEST

UNIT_MAIN("gpu_space", segments, what_is_not_there, ranges, ranges_that_cross,
	  a_device_that_cannot_map, places_are_disjoint)
