/* SPDX-License-Identifier: MIT */
/*
 * The recording as it was: its segment operations in their order, and between
 * them its blocks, which --verify writes and checks. Nothing is decided here,
 * so the device's answer to each operation is the only thing that can differ.
 */
#include "replay/gpu/gpu_run.h"

struct playing {
	struct mlv_gpu_run *g;
	const struct mlv_history *h;
	const struct mlv_recorded *r;
	uint64_t reserved; /* bytes of the recording */
};

/* Whether the device did it; false ends the run, for want of memory or since it failed. */
static bool done(struct playing *p, enum mlv_gpu_answer answer, uint32_t event, uint64_t bytes)
{
	if (answer == MLV_GPU_NO_MEMORY)
		mlv_gpu_run_fails(p->g, event, bytes);
	return answer == MLV_GPU_DONE;
}

static void reserved(struct playing *p, uint64_t bytes)
{
	p->reserved += bytes;
	if (p->reserved > p->g->reserved_peak)
		p->g->reserved_peak = p->reserved;
}

static bool take(struct playing *p, uint32_t event, uint64_t addr, uint64_t bytes, bool map)
{
	struct mlv_gpu_run *g = p->g;
	mlv_cu_ptr ptr = 0;
	uint64_t unknown = g->space.unknown;
	if (!mlv_gpu_run_before(g))
		return false;
	enum mlv_gpu_answer answer = map ? mlv_gpu_space_map(&g->space, addr, bytes)
					 : mlv_gpu_space_alloc_at(&g->space, addr, bytes, &ptr);
	if (!mlv_gpu_run_after(g, event) || !done(p, answer, event, bytes))
		return false;
	if (g->space.unknown != unknown)
		return true;
	g->takes++;
	reserved(p, bytes);
	return !ptr || mlv_gpu_run_follow(g, ptr, mlv_gpu_space_scaled(&g->space, bytes));
}

static bool give(struct playing *p, uint32_t event, const struct mlv_mem_event *e)
{
	struct mlv_gpu_run *g = p->g;
	bool unmap = e->action == MLV_MEM_SEGMENT_UNMAP;
	mlv_cu_ptr ptr = 0;
	uint64_t words, unknown = g->space.unknown;
	/* Checks of its blocks are under way; only unmapping does not wait for them. */
	if (!unmap && mlv_gpu_space_find(&g->space, e->addr, 0, &ptr, &words) &&
	    !mlv_gpu_run_unfollow(g, ptr, mlv_gpu_space_scaled(&g->space, e->bytes)))
		return false;
	if (!mlv_gpu_run_before(g))
		return false;
	enum mlv_gpu_answer answer = unmap ? mlv_gpu_space_unmap(&g->space, e->addr, e->bytes)
					   : mlv_gpu_space_free(&g->space, e->addr);
	if (!mlv_gpu_run_after(g, event) || answer)
		return false;
	if (g->space.unknown != unknown)
		return true;
	g->gives++;
	p->reserved -= e->bytes < p->reserved ? e->bytes : p->reserved;
	return true;
}

/* A block's bytes as the allocator rounds them, or as the recording was found to have them. */
static uint64_t block_bytes(const struct playing *p, uint32_t alloc)
{
	const struct mlv_origin *o = &p->r->origin;
	if (alloc < p->h->initial && o->initial_bytes[alloc])
		return o->initial_bytes[alloc];
	return mlv_alloc_round(&p->r->conf, p->h->allocs[alloc].bytes);
}

static bool fill(struct playing *p, uint32_t alloc)
{
	return mlv_gpu_run_fill(p->g, alloc, p->h->allocs[alloc].addr, block_bytes(p, alloc));
}

static bool check(struct playing *p, uint32_t alloc)
{
	return mlv_gpu_run_check(p->g, alloc, p->h->allocs[alloc].addr, block_bytes(p, alloc));
}

/*
 * A request that failed in the recording, on a device as small as that one's
 * (--ballast): does it fail here too? What it would have got goes back at once.
 */
static bool fail(struct playing *p, uint32_t event, const struct mlv_mem_event *e)
{
	struct mlv_gpu_run *g = p->g;
	const struct mlv_alloc_conf *conf = &p->r->conf;
	mlv_cu_ptr ptr;
	if (!g->setup.remaining)
		return true;
	uint64_t bytes = mlv_alloc_segment_bytes(conf, mlv_alloc_round(conf, e->bytes));
	enum mlv_gpu_answer answer =
		mlv_gpu_alloc(&g->gpu, mlv_gpu_space_scaled(&g->space, bytes), &ptr);
	if (answer == MLV_GPU_NO_MEMORY)
		mlv_gpu_run_fails(g, event, e->bytes);
	return answer ? answer == MLV_GPU_NO_MEMORY : mlv_gpu_free(&g->gpu, ptr) == MLV_GPU_DONE;
}

static bool step(struct playing *p, uint32_t event)
{
	const struct mlv_mem_event *e = &p->h->events[event];
	uint32_t alloc = p->r->origin.alloc_of[event];
	switch (e->action) {
	case MLV_MEM_SEGMENT_ALLOC:
		return take(p, event, e->addr, e->bytes, false);
	case MLV_MEM_SEGMENT_MAP:
		return take(p, event, e->addr, e->bytes, true);
	case MLV_MEM_SEGMENT_FREE:
	case MLV_MEM_SEGMENT_UNMAP:
		return give(p, event, e);
	case MLV_MEM_ALLOC:
		p->g->allocs++;
		return alloc == MLV_NEVER || fill(p, alloc);
	case MLV_MEM_FREE_REQUESTED:
	case MLV_MEM_FREE_COMPLETED:
		if (alloc == MLV_NEVER || p->h->allocs[alloc].died != event)
			return true;
		return check(p, alloc);
	case MLV_MEM_OOM:
		return fail(p, event, e);
	default:
		return true;
	}
}

/* What was there when the recording began. */
static bool begin(struct playing *p)
{
	const struct mlv_origin *o = &p->r->origin;
	if (!mlv_gpu_expect_islands(p->g))
		return false;
	for (size_t i = 0; i < o->segments.len; i++) {
		const struct mlv_origin_segment *s = &o->segments.data[i];
		if (mlv_gpu_run_over(p->g) || !take(p, 0, s->addr, s->bytes, s->expandable))
			return false;
	}
	for (uint32_t i = 0; i < p->h->initial; i++) {
		if (mlv_gpu_run_over(p->g) || !fill(p, i))
			return false;
	}
	return true;
}

static bool check_survivors(struct playing *p)
{
	for (uint32_t i = 0; i < p->h->alloc_count; i++) {
		if (mlv_gpu_run_over(p->g) || (p->h->allocs[i].died == MLV_NEVER && !check(p, i)))
			return false;
	}
	return true;
}

void mlv_gpu_recorded_play(struct mlv_gpu_run *g)
{
	struct playing p = { .g = g, .h = g->recorded->history, .r = g->recorded };
	if (!begin(&p))
		return;
	for (uint32_t i = 0; i < p.h->count; i++) {
		if (mlv_gpu_run_over(g) || !step(&p, i))
			return;
	}
	(void)check_survivors(&p);
}
