/* SPDX-License-Identifier: MIT */
/*
 * The program under other settings, on the device: the model of the allocator
 * decides, the device answers. Where the device has no memory the model goes
 * the way that PyTorch goes then: it gives back what it can, and asks again.
 */
#include "replay/gpu/gpu_run.h"

struct below {
	struct mlv_gpu_run *g;
	uint32_t event;
	bool begun;                             /* what is older than the recording is in place */
	const struct mlv_origin_segment *first; /* of the range that was adopted last */
	uint64_t first_bytes;                   /* of that range */
};

/* Whether there was memory; a device that fails has none. */
static bool met(struct below *b, enum mlv_gpu_answer answer)
{
	b->g->takes += answer == MLV_GPU_DONE;
	return answer == MLV_GPU_DONE;
}

static bool below_alloc(void *state, uint64_t bytes, uint64_t stream, uint64_t *addr)
{
	struct below *b = state;
	struct mlv_gpu_run *g = b->g;
	mlv_cu_ptr ptr;
	uint64_t words;
	(void)stream;
	if (mlv_gpu_run_over(g) || !mlv_gpu_run_before(g))
		return false;
	enum mlv_gpu_answer answer = mlv_gpu_space_alloc(&g->space, bytes, addr);
	if (!mlv_gpu_run_after(g, b->event) || !met(b, answer))
		return false;
	return mlv_gpu_space_find(&g->space, *addr, 0, &ptr, &words) &&
	       mlv_gpu_run_follow(g, ptr, mlv_gpu_space_scaled(&g->space, bytes));
}

static void below_free(void *state, uint64_t addr, uint64_t bytes)
{
	struct below *b = state;
	struct mlv_gpu_run *g = b->g;
	mlv_cu_ptr ptr;
	uint64_t words;
	if (mlv_gpu_run_over(g) || !mlv_gpu_space_find(&g->space, addr, 0, &ptr, &words) ||
	    !mlv_gpu_run_unfollow(g, ptr, mlv_gpu_space_scaled(&g->space, bytes)) ||
	    !mlv_gpu_run_before(g))
		return;
	g->gives += mlv_gpu_space_free(&g->space, addr) == MLV_GPU_DONE;
	(void)mlv_gpu_run_after(g, b->event);
}

static bool below_reserve(void *state, uint64_t granule, uint64_t stream, uint64_t *addr,
			  uint64_t *bytes)
{
	struct below *b = state;
	struct mlv_gpu_run *g = b->g;
	(void)stream;
	if (!b->begun) {
		/* Of a range that is older than the recording only the length is asked. */
		*addr = MLV_GPU_MODEL_BASE;
		*bytes = mlv_gpu_space_range_bytes(&g->space, granule);
		return true;
	}
	if (mlv_gpu_run_over(g) || !mlv_gpu_run_before(g))
		return false;
	enum mlv_gpu_answer answer = mlv_gpu_space_reserve(&g->space, granule, addr, bytes);
	return mlv_gpu_run_after(g, b->event) && answer == MLV_GPU_DONE;
}

/* The space releases a range with the last that is unmapped of it. */
static void below_release(void *state, uint64_t addr, uint64_t bytes)
{
	(void)state;
	(void)addr;
	(void)bytes;
}

static bool below_map(void *state, uint64_t addr, uint64_t bytes)
{
	struct below *b = state;
	struct mlv_gpu_run *g = b->g;
	if (mlv_gpu_run_over(g) || !mlv_gpu_run_before(g))
		return false;
	enum mlv_gpu_answer answer = mlv_gpu_space_map(&g->space, addr, bytes);
	return mlv_gpu_run_after(g, b->event) && met(b, answer);
}

static void below_unmap(void *state, uint64_t addr, uint64_t bytes)
{
	struct below *b = state;
	struct mlv_gpu_run *g = b->g;
	if (mlv_gpu_run_over(g) || !mlv_gpu_run_before(g))
		return;
	g->gives += mlv_gpu_space_unmap(&g->space, addr, bytes) == MLV_GPU_DONE;
	(void)mlv_gpu_run_after(g, b->event);
}

/* Whether `s` is a part of the range that was adopted last, as mlv_origin_fill takes it. */
static bool in_last_range(const struct below *b, const struct mlv_origin_segment *s)
{
	const struct mlv_origin_segment *f = b->first;
	return f && s->expandable && f->stream == s->stream && f->pool == s->pool &&
	       f->small == s->small && s->addr - f->addr < b->first_bytes;
}

/* A range for the mapped parts from `s` on. Where they are no whole granules: in small cells. */
static bool expect_range(struct below *b, const struct mlv_origin_segment *s)
{
	struct mlv_gpu_space *space = &b->g->space;
	const struct mlv_origin *o = &b->g->recorded->origin;
	uint64_t granule = s->small ? MLV_ALLOC_BUFFER : b->g->setup.conf.large_segment;
	if (in_last_range(b, s))
		return true;
	b->first = s;
	b->first_bytes = mlv_gpu_space_range_bytes(space, granule);
	struct mlv_gpu_island island = { s->addr, b->first_bytes, granule };
	const struct mlv_origin_segment *p = s, *end = o->segments.data + o->segments.len;
	for (; p < end && in_last_range(b, p); p++) {
		if ((p->addr - s->addr) % granule || p->bytes % granule)
			island.cell = MLV_ALLOC_BUFFER;
	}
	/* It ends where another segment begins. */
	if (p < end && p->addr - s->addr < b->first_bytes && (p->addr - s->addr) % granule)
		island.cell = MLV_ALLOC_BUFFER;
	if (mlv_gpu_space_expect(space, island))
		return true;
	mlv_err_nomem(&b->g->gpu.err);
	return false;
}

static bool adopt(void *state, const struct mlv_origin_segment *s)
{
	struct below *b = state;
	struct mlv_gpu_run *g = b->g;
	mlv_cu_ptr ptr = 0;
	if (s->expandable && !expect_range(b, s))
		return false;
	if (mlv_gpu_run_over(g) || !mlv_gpu_run_before(g))
		return false;
	enum mlv_gpu_answer answer =
		s->expandable ? mlv_gpu_space_map(&g->space, s->addr, s->bytes)
			      : mlv_gpu_space_alloc_at(&g->space, s->addr, s->bytes, &ptr);
	if (!mlv_gpu_run_after(g, 0) || !met(b, answer)) {
		if (answer == MLV_GPU_NO_MEMORY)
			mlv_gpu_run_fails(g, 0, s->bytes);
		return false;
	}
	return !ptr || mlv_gpu_run_follow(g, ptr, mlv_gpu_space_scaled(&g->space, s->bytes));
}

static bool placed(void *state, uint32_t alloc, uint64_t addr, uint64_t bytes)
{
	struct below *b = state;
	return mlv_gpu_run_fill(b->g, alloc, addr, bytes);
}

static bool leaves(void *state, uint32_t alloc, uint64_t addr, uint64_t bytes)
{
	struct below *b = state;
	return mlv_gpu_run_check(b->g, alloc, addr, bytes);
}

static bool next(void *state, uint32_t event)
{
	struct below *b = state;
	b->event = event;
	b->begun = true;
	return !mlv_gpu_run_over(b->g);
}

/* The blocks that are still there hold what was written into them. */
static void check_survivors(struct mlv_gpu_run *g)
{
	const struct mlv_allocator *a = &g->whatif.allocator;
	for (size_t i = 1; i < a->blocks.rows.len; i++) {
		const struct mlv_cache_block *c = mlv_cache_at(a, (mlv_blockid)i);
		bool used = c->state == MLV_CACHE_ALLOCATED || c->state == MLV_CACHE_PENDING;
		if (used && c->size && c->owner != MLV_NEVER &&
		    !mlv_gpu_run_check(g, c->owner, c->addr, c->size))
			return;
	}
}

void mlv_gpu_whatif_play(struct mlv_gpu_run *g)
{
	struct below b = { .g = g };
	struct mlv_whatif_device device = {
		.backend = { .state = &b,
			     .alloc = below_alloc,
			     .free = below_free,
			     .reserve = below_reserve,
			     .release = below_release,
			     .map = below_map,
			     .unmap = below_unmap },
		.adopt = adopt,
		.placed = placed,
		.leaves = leaves,
		.next = next,
	};
	struct mlv_whatif_setup setup = { .conf = g->setup.conf,
					  .limit = g->setup.limit,
					  .profile = g->setup.profile,
					  .device = &device };
	if (mlv_whatif_init(&g->whatif, g->recorded, &setup, &g->gpu.err))
		return;
	g->has_whatif = true;
	g->whatif.setup.device = NULL;
	g->allocs = g->whatif.allocs;
	g->reserved_peak = g->whatif.allocator.stats.reserved_bytes.peak;
	if (g->whatif.oom_at_alloc >= 0 && !mlv_gpu_run_over(g))
		mlv_gpu_run_fails(g, g->whatif.oom_event, g->whatif.oom_bytes);
	if (g->setup.verify && !mlv_gpu_run_over(g))
		check_survivors(g);
}
