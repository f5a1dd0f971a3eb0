/* SPDX-License-Identifier: MIT */
/*
 * Without a caching allocator: every request goes to the driver, and so does
 * every free. What this costs is what caching saves.
 */
#include "replay/gpu/gpu_run.h"

static uint64_t device_bytes(const struct mlv_gpu_run *g, uint32_t alloc)
{
	uint64_t bytes = mlv_gpu_space_scaled(&g->space, g->recorded->history->allocs[alloc].bytes);
	return bytes ? bytes : 1;
}

static bool take(struct mlv_gpu_run *g, uint32_t event, uint32_t alloc)
{
	mlv_cu_ptr *ptr = &g->raw[alloc];
	uint64_t bytes = device_bytes(g, alloc);
	if (!mlv_gpu_run_before(g))
		return false;
	enum mlv_gpu_answer answer = *ptr ? MLV_GPU_DONE : mlv_gpu_alloc(&g->gpu, bytes, ptr);
	if (answer == MLV_GPU_NO_MEMORY)
		mlv_gpu_run_fails(g, event, g->recorded->history->allocs[alloc].bytes);
	if (!mlv_gpu_run_after(g, event) || answer)
		return false;
	g->takes++;
	return !g->setup.verify || mlv_gpu_verify_fill(&g->verify, alloc, *ptr, bytes / 4);
}

static bool check(struct mlv_gpu_run *g, uint32_t alloc)
{
	return !g->setup.verify ||
	       mlv_gpu_verify_check(&g->verify, alloc, g->raw[alloc], device_bytes(g, alloc) / 4);
}

static bool give(struct mlv_gpu_run *g, uint32_t event, uint32_t alloc)
{
	mlv_cu_ptr *ptr = &g->raw[alloc];
	if (!*ptr)
		return true;
	if (!check(g, alloc) || !mlv_gpu_run_before(g))
		return false;
	enum mlv_gpu_answer answer = mlv_gpu_free(&g->gpu, *ptr);
	*ptr = 0;
	g->gives++;
	return mlv_gpu_run_after(g, event) && !answer;
}

static bool step(struct mlv_gpu_run *g, uint32_t event)
{
	const struct mlv_history *h = g->recorded->history;
	uint32_t alloc = g->recorded->origin.alloc_of[event];
	if (alloc == MLV_NEVER)
		return true;
	if (h->events[event].action == MLV_MEM_ALLOC) {
		bool ok = take(g, event, alloc);
		g->allocs += ok;
		return ok;
	}
	return h->allocs[alloc].died != event || give(g, event, alloc);
}

void mlv_gpu_raw_play(struct mlv_gpu_run *g)
{
	const struct mlv_history *h = g->recorded->history;
	g->raw = mlv_zeroed(h->alloc_count + 1, sizeof(*g->raw));
	if (!g->raw) {
		mlv_err_nomem(&g->gpu.err);
		return;
	}
	for (uint32_t i = 0; i < h->initial; i++) {
		if (mlv_gpu_run_over(g) || !take(g, 0, i))
			return;
	}
	for (uint32_t i = 0; i < h->count; i++) {
		if (mlv_gpu_run_over(g) || !step(g, i))
			return;
	}
	for (uint32_t i = 0; i < h->alloc_count; i++) {
		if (mlv_gpu_run_over(g) || (g->raw[i] && !check(g, i)))
			return;
	}
}
