/* SPDX-License-Identifier: MIT */
#include "replay/gpu/gpu_run.h"

#include <string.h>

const char *mlv_gpu_mode_name(enum mlv_gpu_mode mode)
{
	static const char *const names[] = {
		[MLV_GPU_RECORDED] = "recorded", [MLV_GPU_WHATIF] = "what-if", [MLV_GPU_RAW] = "raw"
	};
	return names[mode];
}

bool mlv_gpu_call_is_memory(enum mlv_cu_call call)
{
	switch (call) {
	case MLV_CU_cuMemAlloc:
	case MLV_CU_cuMemFree:
	case MLV_CU_cuMemAddressReserve:
	case MLV_CU_cuMemAddressFree:
	case MLV_CU_cuMemCreate:
	case MLV_CU_cuMemRelease:
	case MLV_CU_cuMemMap:
	case MLV_CU_cuMemUnmap:
	case MLV_CU_cuMemSetAccess:
		return true;
	default:
		return false;
	}
}

uint32_t mlv_gpu_run_last_event(const struct mlv_gpu_run *g)
{
	const struct mlv_gpu_meter *m = &g->meter;
	if (g->ended && (g->measured.alloc < 0 || g->setup.mode == MLV_GPU_RECORDED))
		return (uint32_t)g->recorded->history->count - 1;
	if (g->ended)
		return g->measured.event;
	return m->samples.len ? m->samples.data[m->samples.len - 1].event : 0;
}

/* ---- for the ways to drive it ---- */

bool mlv_gpu_run_over(struct mlv_gpu_run *g)
{
	if (g->setup.stop && *g->setup.stop)
		g->stopped = true;
	return g->stopped || g->gpu.err.rc;
}

bool mlv_gpu_run_before(struct mlv_gpu_run *g)
{
	return mlv_gpu_meter_before(&g->meter);
}

static uint64_t live(const struct mlv_gpu *gpu)
{
	return gpu->pieces.by_address.len + gpu->cells.by_address.len;
}

bool mlv_gpu_run_after(struct mlv_gpu_run *g, uint32_t event)
{
	if (live(&g->gpu) > g->live_most)
		g->live_most = live(&g->gpu);
	return !g->gpu.err.rc && mlv_gpu_meter_after(&g->meter, event);
}

static bool known(struct mlv_gpu_run *g, bool ok)
{
	if (!ok)
		mlv_err_nomem(&g->gpu.err);
	return ok;
}

bool mlv_gpu_run_follow(struct mlv_gpu_run *g, mlv_cu_ptr ptr, uint64_t bytes)
{
	struct mlv_address_op op = { .addr = ptr, .bytes = bytes };
	return known(g, mlv_vec_push(&g->addresses.ops, op) &&
				mlv_driver_follow_alloc(&g->follow, ptr, bytes));
}

bool mlv_gpu_run_unfollow(struct mlv_gpu_run *g, mlv_cu_ptr ptr, uint64_t bytes)
{
	struct mlv_address_op op = { .addr = ptr, .bytes = bytes, .free = true };
	return known(g, mlv_vec_push(&g->addresses.ops, op) &&
				mlv_driver_follow_free(&g->follow, ptr, bytes));
}

void mlv_gpu_run_fails(struct mlv_gpu_run *g, uint32_t event, uint64_t bytes)
{
	if (g->measured.alloc < 0)
		g->measured = (struct mlv_gpu_oom){ (int64_t)g->allocs, event, bytes };
}

bool mlv_gpu_run_fill(struct mlv_gpu_run *g, uint32_t alloc, uint64_t addr, uint64_t bytes)
{
	mlv_cu_ptr ptr;
	uint64_t words;
	if (!g->setup.verify || !mlv_gpu_space_find(&g->space, addr, bytes, &ptr, &words))
		return true;
	return mlv_gpu_verify_fill(&g->verify, alloc, ptr, words);
}

bool mlv_gpu_run_check(struct mlv_gpu_run *g, uint32_t alloc, uint64_t addr, uint64_t bytes)
{
	mlv_cu_ptr ptr;
	uint64_t words;
	if (!g->setup.verify || !mlv_gpu_space_find(&g->space, addr, bytes, &ptr, &words))
		return true;
	return mlv_gpu_verify_check(&g->verify, alloc, ptr, words);
}

/* ---- what is expected ---- */

static void expect(struct mlv_gpu_run *g, int64_t alloc, uint32_t event, uint64_t bytes)
{
	if (g->expected.alloc < 0)
		g->expected = (struct mlv_gpu_oom){ alloc, event, bytes };
}

/* The first request that failed in the recording. */
static void expect_recorded(struct mlv_gpu_run *g)
{
	const struct mlv_recorded *r = g->recorded;
	int64_t allocs = 0;
	for (size_t i = 0; i < r->asks.len; i++) {
		const struct mlv_ask_row *row = &r->asks.data[i];
		if (row->ask == MLV_ASK_FAILED)
			expect(g, allocs, row->event, r->history->events[row->event].bytes);
		allocs += row->ask == MLV_ASK_MALLOC;
	}
}

/* The model alone on a device with as much memory as may be taken here, and is there. */
static enum mlv_rc expect_whatif(struct mlv_gpu_run *g, struct mlv_err *err)
{
	struct mlv_whatif w;
	uint64_t left = g->meter.free_at_start, most = g->gpu.most < left ? g->gpu.most : left;
	struct mlv_whatif_setup setup = { .conf = g->setup.conf,
					  .limit = g->setup.limit,
					  .capacity = most > MLV_DEVICE_MOST / g->setup.scale
							      ? MLV_DEVICE_MOST
							      : most * g->setup.scale,
					  .profile = g->setup.profile };
	enum mlv_rc rc = mlv_whatif_init(&w, g->recorded, &setup, err);
	if (rc)
		return rc;
	if (w.oom_at_alloc >= 0)
		expect(g, w.oom_at_alloc, w.oom_event, w.oom_bytes);
	mlv_whatif_fini(&w);
	return MLV_OK;
}

/* ---- the run ---- */

/* Ballast comes last but for the meter: what else is taken must not come out of what remains. */
static bool begin(struct mlv_gpu_run *g)
{
	uint32_t every = g->setup.mode == MLV_GPU_RAW ? 64 : 1;
	uint64_t remaining = g->setup.remaining;
	return known(g, mlv_gpu_space_init(&g->space, &g->gpu, g->setup.scale)) &&
	       known(g, mlv_driver_follow_init(&g->follow, g->setup.profile)) &&
	       (!g->setup.verify || mlv_gpu_verify_init(&g->verify, &g->gpu)) &&
	       (!remaining || !mlv_gpu_take_ballast(&g->gpu, remaining, &g->gpu.err)) &&
	       mlv_gpu_meter_init(&g->meter, &g->gpu, every);
}

/* Ready to be driven, and what is expected of it. */
static enum mlv_rc prepare(struct mlv_gpu_run *g, struct mlv_err *err)
{
	if (!begin(g))
		return mlv_err_set(err, g->gpu.err.rc, "%s", g->gpu.err.msg);
	if (g->setup.mode == MLV_GPU_WHATIF)
		return expect_whatif(g, err);
	expect_recorded(g);
	return MLV_OK;
}

static void play(struct mlv_gpu_run *g)
{
	switch (g->setup.mode) {
	case MLV_GPU_RECORDED:
		mlv_gpu_recorded_play(g);
		break;
	case MLV_GPU_WHATIF:
		mlv_gpu_whatif_play(g);
		break;
	case MLV_GPU_RAW:
		mlv_gpu_raw_play(g);
		break;
	}
	if (g->setup.verify && !mlv_gpu_run_over(g))
		(void)mlv_gpu_verify_flush(&g->verify);
	g->ended = !mlv_gpu_run_over(g);
}

static void forget_times(struct mlv_cuda *cuda)
{
	for (size_t i = 0; i < MLV_CU_CALL_COUNT; i++) {
		cuda->times[i].each.len = 0;
		cuda->times[i].total = 0;
	}
}

static void sum_up(struct mlv_gpu_run *g)
{
	for (int i = 0; i < MLV_CU_CALL_COUNT; i++) {
		g->calls[i] = mlv_call_figures(&g->gpu.cuda.times[i]);
		if (mlv_gpu_call_is_memory((enum mlv_cu_call)i))
			g->memory_ns += g->calls[i].total_ns;
	}
}

static void drive(struct mlv_gpu_run *g)
{
	forget_times(&g->gpu.cuda);
	uint64_t since = mlv_cuda_now();
	play(g);
	g->wall_ns = mlv_cuda_now() - since;
	mlv_gpu_meter_end(&g->meter);
	sum_up(g);
	(void)known(g, mlv_address_record_learn(&g->addresses, &g->best_profile, &g->best_share));
	g->failure = g->gpu.err;
	g->taken_peak = g->gpu.taken_peak;
	g->ballast = g->gpu.ballast;
}

enum mlv_rc mlv_gpu_run_init(struct mlv_gpu_run *g, const struct mlv_recorded *r,
			     const struct mlv_gpu_run_setup *setup, struct mlv_err *err)
{
	*g = (struct mlv_gpu_run){ .setup = *setup, .recorded = r };
	g->expected.alloc = g->measured.alloc = -1;
	enum mlv_rc rc = mlv_gpu_open(&g->gpu, &setup->gpu, err);
	if (rc)
		return rc;
	rc = prepare(g, err);
	if (!rc)
		drive(g);
	mlv_gpu_give_all(&g->gpu);
	mlv_gpu_verify_fini(&g->verify);
	g->returned_known = mlv_gpu_close(&g->gpu, &g->returned);
	if (!rc && g->failure.rc == MLV_E_NOMEM)
		rc = mlv_err_nomem(err);
	if (rc)
		mlv_gpu_run_fini(g);
	return rc;
}

void mlv_gpu_run_fini(struct mlv_gpu_run *g)
{
	mlv_gpu_space_fini(&g->space);
	mlv_gpu_meter_fini(&g->meter);
	mlv_driver_follow_fini(&g->follow);
	mlv_address_record_fini(&g->addresses);
	if (g->has_whatif)
		mlv_whatif_fini(&g->whatif);
	free(g->raw);
	*g = (struct mlv_gpu_run){ 0 };
}
