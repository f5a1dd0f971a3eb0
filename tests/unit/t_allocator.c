/* SPDX-License-Identifier: MIT */
/*
 * The model of the caching allocator under random programs and settings: what
 * must hold after every step, whatever was asked. A failure names its seed;
 * UNIT_SEED=N runs that one alone.
 */
#include <string.h>

#include "replay/allocator.h"
#include "replay/driver.h"
#include "unit.h"

static uint64_t seed_now;

#define hold(condition)                                                                            \
	do {                                                                                       \
		if (!(condition))                                                                  \
			ck_abort_msg("UNIT_SEED=%llu: %s does not hold",                           \
				     (unsigned long long)seed_now, #condition);                    \
	} while (0)

enum { POOLS = 3, STREAMS = 3, MOST_LIVE = 200 };

struct program {
	struct mlv_allocator a;
	struct mlv_driver driver;
	mlv_blockid live[MOST_LIVE];
	size_t count;
	bool pending[MOST_LIVE];
	uint64_t state;
};

static uint64_t below(struct program *p, uint64_t n)
{
	return unit_random(&p->state) % n;
}

static struct mlv_alloc_conf random_conf(struct program *p)
{
	struct mlv_alloc_conf c = mlv_alloc_conf_default;
	c.expandable = below(p, 2);
	if (below(p, 3) == 0)
		c.max_split = (20 + below(p, 200)) * MLV_MIB;
	if (below(p, 3) == 0)
		c.gc_threshold = 0.3 + 0.1 * (double)below(p, 6);
	if (below(p, 3) == 0) {
		for (int i = 0; i < MLV_ALLOC_DIVISIONS; i++)
			c.divisions[i] = UINT64_C(1) << below(p, 5);
	}
	return c;
}

/* Mostly small, sometimes large, sometimes at the borders of the rules. */
static uint64_t random_bytes(struct program *p)
{
	static const uint64_t borders[] = { 1,        511,      512,      513,
					    1048575,  1048576,  1048577,  10485759,
					    10485760, 10485761, 20971520, 20971521 };
	switch (below(p, 4)) {
	case 0:
		return 1 + below(p, 4096);
	case 1:
		return 1 + below(p, 2 * MLV_MIB);
	case 2:
		return 1 + below(p, 90 * MLV_MIB);
	default:
		return borders[below(p, sizeof(borders) / sizeof(borders[0]))];
	}
}

struct sums {
	uint64_t reserved, active, allocated, requested, split;
	size_t blocks;
};

/* One block, and how it fits to the one behind it. */
static void check_block(struct program *p, mlv_blockid id, struct sums *sum)
{
	const struct mlv_cache_block *b = mlv_cache_at(&p->a, id);
	const struct mlv_cache_block *next = mlv_cache_at(&p->a, b->next);
	bool is_free = b->state == MLV_CACHE_FREE || b->state == MLV_CACHE_UNMAPPED;
	hold(b->size && b->size % MLV_ALLOC_MIN_BLOCK == 0);
	if (b->next) {
		/* The blocks of a segment tile it. */
		hold(next->prev == id && b->addr + b->size == next->addr);
		hold(next->pool == b->pool && next->stream == b->stream && next->range == b->range);
		/* Frees merge fully. */
		hold(!(is_free && next->state == b->state));
	}
	sum->blocks++;
	if (b->state == MLV_CACHE_UNMAPPED) {
		hold(b->range != MLV_NO_RANGE);
		return;
	}
	sum->reserved += b->size;
	if (b->state == MLV_CACHE_FREE) {
		if (b->range == MLV_NO_RANGE && mlv_cache_is_split(b))
			sum->split += b->size;
		return;
	}
	hold(b->size >= b->requested);
	sum->active += b->size;
	sum->requested += b->requested;
	if (b->state == MLV_CACHE_ALLOCATED)
		sum->allocated += b->size;
}

/* From any block of a segment to its first one; then all of it. */
static void check_segment(struct program *p, mlv_blockid id, struct sums *sum)
{
	while (mlv_cache_at(&p->a, id)->prev)
		id = mlv_cache_at(&p->a, id)->prev;
	for (; id; id = mlv_cache_at(&p->a, id)->next)
		check_block(p, id, sum);
}

/* Each segment is entered once, at its first block. */
static void check_all(struct program *p)
{
	struct sums sum = { 0 };
	size_t in_sets = 0;
	for (uint32_t i = 0; i < p->a.pools.len; i++) {
		const struct mlv_cache_pool *pool = &p->a.pools.data[i];
		const struct mlv_block_set *sets[] = { &pool->free, &pool->unmapped };
		for (int k = 0; k < 2; k++) {
			uint64_t size = 0, stream = 0;
			for (mlv_blockid id = mlv_block_set_first(&p->a.blocks, sets[k]); id;
			     id = mlv_block_set_next(&p->a.blocks, sets[k], id)) {
				const struct mlv_cache_block *b = mlv_cache_at(&p->a, id);
				hold(b->pool == i);
				hold(b->state == (k ? MLV_CACHE_UNMAPPED : MLV_CACHE_FREE));
				hold(b->stream > stream ||
				     (b->stream == stream && (k || b->size >= size)));
				size = b->size;
				stream = b->stream;
				in_sets++;
				if (!b->prev)
					check_segment(p, id, &sum);
			}
		}
	}
	for (size_t i = 0; i < p->count; i++) {
		if (!mlv_cache_at(&p->a, p->live[i])->prev)
			check_segment(p, p->live[i], &sum);
	}
	/* Nothing else is there, and nothing twice. */
	hold(sum.blocks == in_sets + p->count);
	const struct mlv_alloc_stats *s = &p->a.stats;
	hold(sum.reserved == s->reserved_bytes.now);
	hold(sum.active == s->active_bytes.now);
	hold(sum.allocated == s->allocated_bytes.now);
	hold(sum.requested == s->requested_bytes.now);
	hold(sum.split == s->inactive_split_bytes.now);
	hold(p->driver.taken == s->reserved_bytes.now);
}

static void check_overlap(const struct program *p)
{
	for (size_t i = 0; i < p->count; i++) {
		const struct mlv_cache_block *b = mlv_cache_at(&p->a, p->live[i]);
		for (size_t k = 0; k < i; k++) {
			const struct mlv_cache_block *c = mlv_cache_at(&p->a, p->live[k]);
			hold(b->addr + b->size <= c->addr || c->addr + c->size <= b->addr);
		}
	}
}

static void release(struct program *p, size_t i)
{
	mlv_allocator_free(&p->a, p->live[i]);
	p->live[i] = p->live[--p->count];
	p->pending[i] = p->pending[p->count];
}

/* What waits for a stream completes when the allocator waits for the device. */
static void complete(void *state)
{
	struct program *p = state;
	for (size_t i = p->count; i--;) {
		if (p->pending[i])
			release(p, i);
	}
}

static void request(struct program *p)
{
	uint32_t pool = (uint32_t)below(p, POOLS);
	uint64_t stream = below(p, STREAMS) * 16, bytes = random_bytes(p);
	uint64_t rounded = mlv_alloc_round(&p->a.conf, bytes);
	mlv_blockid id = 0;
	uint64_t ooms = p->a.stats.num_ooms;
	enum mlv_malloc got = mlv_allocator_malloc(&p->a, pool, stream, bytes, 7, &id);
	hold(got != MLV_MALLOC_NOMEM);
	if (got == MLV_MALLOC_OOM) {
		hold(p->a.stats.num_ooms == ooms + 1);
		return;
	}
	const struct mlv_cache_block *b = mlv_cache_at(&p->a, id);
	hold(b->state == MLV_CACHE_ALLOCATED && b->requested == bytes && b->owner == 7);
	hold(b->size >= rounded && b->stream == stream && b->pool / 2 == pool);
	/* What is not split off is at most what the rules allow. */
	if (p->a.pools.data[b->pool].small || p->a.conf.expandable)
		hold(b->size == rounded);
	p->pending[p->count] = false;
	p->live[p->count++] = id;
}

static void run_program(uint64_t seed)
{
	struct program p = { .state = seed };
	seed_now = seed;
	struct mlv_alloc_conf conf = random_conf(&p);
	uint64_t limit = below(&p, 2) ? (100 + below(&p, 900)) * MLV_MIB : 0;
	uint64_t capacity = below(&p, 2) ? (200 + below(&p, 900)) * MLV_MIB : 0;
	hold(mlv_driver_init(&p.driver, (enum mlv_driver_profile)below(&p, 3), capacity));
	struct mlv_backend below_it = mlv_driver_backend(&p.driver);
	hold(mlv_allocator_init(&p.a, &conf, &below_it, limit, POOLS));
	p.a.complete_frees = complete;
	p.a.program = &p;
	p.a.pools.data[4].freeable = p.a.pools.data[5].freeable = true;
	for (int i = 0; i < 400; i++) {
		switch (below(&p, 8)) {
		case 0:
		case 1:
		case 2:
		case 3:
			if (p.count < MOST_LIVE)
				request(&p);
			break;
		case 4:
			if (p.count) {
				size_t k = below(&p, p.count);
				mlv_allocator_free_request(&p.a, p.live[k]);
				p.pending[k] = true;
			}
			break;
		case 5:
			if (below(&p, 40) == 0)
				mlv_allocator_empty_cache(&p.a);
			break;
		default:
			if (p.count)
				release(&p, below(&p, p.count));
			break;
		}
		check_all(&p);
		/* PyTorch checks the request; granules of 20 MiB may then go a little beyond. */
		if (limit)
			hold(p.a.stats.reserved_bytes.now <=
			     limit + (conf.expandable ? conf.large_segment : 0));
		if (capacity)
			hold(p.a.stats.reserved_bytes.now <= capacity);
	}
	check_overlap(&p);
	/* With nothing alive and nothing of a private pool in use, all goes back. */
	while (p.count)
		release(&p, 0);
	p.a.pools.data[2].freeable = p.a.pools.data[3].freeable = true;
	mlv_allocator_empty_cache(&p.a);
	check_all(&p);
	hold(p.a.stats.reserved_bytes.now == 0 && p.driver.taken == 0);
	mlv_allocator_fini(&p.a);
	mlv_driver_fini(&p.driver);
}

START_TEST(random_programs)
{
	const char *one = getenv("UNIT_SEED");
	if (one) {
		run_program(strtoull(one, NULL, 10));
		return;
	}
	for (uint64_t seed = 1; seed <= 300; seed++)
		run_program(seed);
}
END_TEST

START_TEST(sizes_of_blocks_and_segments)
{
	struct mlv_alloc_conf c = mlv_alloc_conf_default;
	ck_assert_uint_eq(mlv_alloc_round(&c, 1), 512);
	ck_assert_uint_eq(mlv_alloc_round(&c, 512), 512);
	ck_assert_uint_eq(mlv_alloc_round(&c, 513), 1024);
	ck_assert_uint_eq(mlv_alloc_round(&c, 121881100), 121881600);
	ck_assert_uint_eq(mlv_alloc_segment_bytes(&c, 1048576), 2 * MLV_MIB);
	ck_assert_uint_eq(mlv_alloc_segment_bytes(&c, 1049088), 20 * MLV_MIB);
	ck_assert_uint_eq(mlv_alloc_segment_bytes(&c, 10 * MLV_MIB - 512), 20 * MLV_MIB);
	ck_assert_uint_eq(mlv_alloc_segment_bytes(&c, 10 * MLV_MIB), 10 * MLV_MIB);
	ck_assert_uint_eq(mlv_alloc_segment_bytes(&c, 11 * MLV_MIB), 12 * MLV_MIB);
	for (int i = 0; i < MLV_ALLOC_DIVISIONS; i++)
		c.divisions[i] = 4;
	/* From PyTorch's documentation: 1200 lies between 1024 and 2048, divided by 4. */
	ck_assert_uint_eq(mlv_alloc_round(&c, 1200 * MLV_MIB), 1280 * MLV_MIB);
	ck_assert_uint_eq(mlv_alloc_round(&c, 1280 * MLV_MIB), 1280 * MLV_MIB);
	ck_assert_uint_eq(mlv_alloc_round(&c, 1024 * MLV_MIB), 1024 * MLV_MIB);
	ck_assert_uint_eq(mlv_alloc_round(&c, 2047), 2048);
	ck_assert_uint_eq(mlv_alloc_round(&c, 2049), 2560);
}
END_TEST

UNIT_MAIN("allocator", random_programs, sizes_of_blocks_and_segments)
