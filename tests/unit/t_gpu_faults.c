/* SPDX-License-Identifier: MIT */
/*
 * Runs that end early: a call fails, the device is lost, a signal comes. Each
 * is told, and everything taken is given back.
 */
#include <signal.h>

#include "gpu_recording.h"

/* Three ways to drive it, and expandable segments. */
enum { WAYS = 4 };

static struct mlv_gpu_run_setup way(int i, bool verify)
{
	static const enum mlv_gpu_mode modes[WAYS] = { MLV_GPU_RECORDED, MLV_GPU_WHATIF,
						       MLV_GPU_WHATIF, MLV_GPU_RAW };
	struct mlv_gpu_run_setup setup = {
		.mode = modes[i], .scale = 64, .verify = verify, .conf = mlv_alloc_conf_default
	};
	setup.conf.expandable = i == 2;
	return setup;
}

/* The calls of a run that nothing disturbs. */
static struct fakecuda_figures undisturbed(const struct gpu_recording *r,
					   const struct mlv_gpu_run_setup *setup)
{
	struct mlv_gpu_run g;
	struct fake_gpu fake = fake_gpu_hold("");
	gpu_run_init(&g, r, setup);
	gpu_run_fini(&g);
	struct fakecuda_figures figures = fake_gpu_figures(&fake);
	fake_gpu_let_go(&fake);
	return figures;
}

/* ---- the recording is damaged ---- */

/* The device sees no call that makes no sense, and does not fail. */
START_TEST(damaged_recordings)
{
	unsigned unknown = 0, full = 0;
	for (uint64_t seed = 1; seed <= 30; seed++) {
		struct gpu_recording r;
		gpu_recording_program_damaged(&r, seed, seed % 2, seed % 3 ? 0 : 100, seed);
		for (int i = 0; i < WAYS; i++) {
			struct mlv_gpu_run g;
			struct mlv_gpu_run_setup setup = way(i, true);
			struct fake_gpu fake = fake_gpu_hold("granularity=64K step=64K");
			gpu_run_init(&g, &r, &setup);
			unknown += g.space.unknown > 0;
			full += g.measured.alloc >= 0;
			unit_check(g.reserved_peak < UINT64_MAX / 2);
			gpu_run_fini(&g);
			fake_gpu_let_go(&fake);
		}
		gpu_recording_fini(&r);
	}
	ck_assert_uint_gt(unknown, 15);
	ck_assert_uint_gt(full, 3);
}
END_TEST

/* ---- a call fails ---- */

/* Where it fails, the device is of no use, or the run ends early; each time the call is named. */
static void one_call_fails(const struct gpu_recording *r, const struct mlv_gpu_run_setup *setup,
			   enum mlv_cu_call call, uint64_t n)
{
	char options[100];
	const char *name = mlv_cuda_call_name(call);
	struct mlv_err err = MLV_ERR_INIT;
	struct mlv_gpu_run g;
	snprintf(options, sizeof(options), "fail=%s:%llu:ILLEGAL_ADDRESS", name,
		 (unsigned long long)n);
	struct fake_gpu fake = fake_gpu_hold(options);
	enum mlv_rc rc = mlv_gpu_run_init(&g, &r->recorded, setup, &err);
	if (!rc && g.failure.rc) {
		unit_check(!g.ended && !g.stopped);
		err = g.failure;
		rc = err.rc;
	}
	/* It is the one of many that only the end makes, or without which all goes on. */
	bool needed = rc != MLV_OK;
	if (needed && (rc != MLV_E_DEVICE || !strstr(err.msg, name) ||
		       !strstr(err.msg, "CUDA_ERROR_ILLEGAL_ADDRESS (700)")))
		ck_abort_msg("%s: %s", options, err.msg);
	if (!needed || g.failure.rc)
		mlv_gpu_run_fini(&g);
	fake_gpu_let_go(&fake);
}

/* Calls that give back at the end, once more: what fails there stays, and nobody can help it. */
static bool gives(enum mlv_cu_call call)
{
	return call == MLV_CU_cuMemFree || call == MLV_CU_cuMemUnmap ||
	       call == MLV_CU_cuMemRelease || call == MLV_CU_cuMemAddressFree ||
	       call == MLV_CU_cuModuleUnload || call == MLV_CU_cuDevicePrimaryCtxRelease;
}

START_TEST(any_call_fails)
{
	struct gpu_recording r;
	uint64_t seed = 3;
	gpu_recording_program(&r, 4, false, 0);
	for (int i = 0; i < WAYS; i++) {
		struct mlv_gpu_run_setup setup = way(i, true);
		struct fakecuda_figures all = undisturbed(&r, &setup);
		for (int call = 0; call < MLV_CU_CALL_COUNT; call++) {
			uint64_t n = all.calls[call];
			if (!n || gives((enum mlv_cu_call)call))
				continue;
			one_call_fails(&r, &setup, (enum mlv_cu_call)call, 1);
			one_call_fails(&r, &setup, (enum mlv_cu_call)call, n);
			for (int k = 0; k < 3; k++)
				one_call_fails(&r, &setup, (enum mlv_cu_call)call,
					       1 + unit_random(&seed) % n);
		}
	}
	gpu_recording_fini(&r);
}
END_TEST

/* Memory that was created and cannot be mapped goes back, and the model tries again as PyTorch. */
START_TEST(mapping_fails_for_want_of_memory)
{
	struct gpu_recording r;
	struct mlv_gpu_run_setup setup = way(2, false);
	unsigned retried = 0;
	gpu_recording_program(&r, 4, false, 0);
	uint64_t n = undisturbed(&r, &setup).calls[MLV_CU_cuMemMap];
	unit_check(n > 10);
	for (uint64_t i = 1; i <= n; i += 1 + n / 20) {
		char options[100];
		struct mlv_gpu_run g;
		snprintf(options, sizeof(options), "fail=cuMemMap:%llu:OUT_OF_MEMORY",
			 (unsigned long long)i);
		struct fake_gpu fake = fake_gpu_hold(options);
		gpu_run_init(&g, &r, &setup);
		ck_assert_uint_eq(g.gpu.refused_by_device, 1);
		unit_check(g.whatif.allocator.stats.num_alloc_retries == 1);
		unit_check(g.expected.alloc < 0);
		retried += g.measured.alloc < 0;
		gpu_run_fini(&g);
		fake_gpu_let_go(&fake);
	}
	ck_assert_uint_gt(retried, 0);
	gpu_recording_fini(&r);
}
END_TEST

/* ---- the device is lost ---- */

START_TEST(device_lost)
{
	struct gpu_recording r;
	uint64_t seed = 8;
	unsigned failed = 0;
	gpu_recording_program(&r, 4, false, 0);
	for (int i = 0; i < 2 * WAYS; i++) {
		struct mlv_gpu_run_setup setup = way(i % WAYS, i >= WAYS);
		struct fakecuda_figures all = undisturbed(&r, &setup);
		uint64_t calls = 0;
		for (int call = 0; call < MLV_CU_CALL_COUNT; call++)
			calls += all.calls[call];
		for (int k = 0; k < 25; k++) {
			char options[40];
			struct mlv_err err = MLV_ERR_INIT;
			struct mlv_gpu_run g;
			uint64_t n = k < 12 ? 1 + (uint64_t)k : 1 + unit_random(&seed) % calls;
			snprintf(options, sizeof(options), "lost=%llu", (unsigned long long)n);
			struct fake_gpu fake = fake_gpu_hold(options);
			enum mlv_rc rc = mlv_gpu_run_init(&g, &r.recorded, &setup, &err);
			unit_check(!rc || rc == MLV_E_DEVICE);
			if (!rc) {
				unit_check(!g.returned_known || !g.failure.rc);
				unit_check(g.ended == !g.failure.rc);
				failed += g.failure.rc == MLV_E_DEVICE;
				mlv_gpu_run_fini(&g);
			}
			fake_gpu_let_go(&fake);
		}
	}
	ck_assert_uint_gt(failed, 60);
	gpu_recording_fini(&r);
}
END_TEST

/* ---- a signal ---- */

static volatile sig_atomic_t stop;

static void on_signal(int number)
{
	stop = number;
}

START_TEST(interrupted)
{
	static const enum mlv_cu_call calls[] = { MLV_CU_cuMemAlloc,     MLV_CU_cuMemFree,
						  MLV_CU_cuMemMap,       MLV_CU_cuMemUnmap,
						  MLV_CU_cuMemSetAccess, MLV_CU_cuMemsetD32Async,
						  MLV_CU_cuMemGetInfo,   MLV_CU_cuLaunchKernel };
	struct gpu_recording r;
	uint64_t seed = 5;
	unsigned stopped = 0;
	void (*before)(int) = signal(SIGINT, on_signal);
	gpu_recording_program(&r, 4, false, 0);
	for (int i = 0; i < WAYS; i++) {
		struct mlv_gpu_run_setup setup = way(i, true);
		struct fakecuda_figures all = undisturbed(&r, &setup);
		setup.stop = &stop;
		for (size_t k = 0; k < 5 * sizeof(calls) / sizeof(calls[0]); k++) {
			enum mlv_cu_call call = calls[k / 5];
			char options[80];
			struct mlv_gpu_run g;
			if (!all.calls[call])
				continue;
			stop = 0;
			snprintf(options, sizeof(options), "interrupt=%s:%llu",
				 mlv_cuda_call_name(call),
				 (unsigned long long)(1 + unit_random(&seed) % all.calls[call]));
			struct fake_gpu fake = fake_gpu_hold(options);
			struct mlv_err err = MLV_ERR_INIT;
			unit_check(!mlv_gpu_run_init(&g, &r.recorded, &setup, &err));
			unit_check(stop == SIGINT && !g.failure.rc);
			unit_check(g.stopped != g.ended && g.returned_known && !g.returned);
			/* Nothing was found out then, least of all that memory had run out. */
			unit_check(g.measured.alloc < 0 && !g.verify.errors);
			stopped += g.stopped;
			mlv_gpu_run_fini(&g);
			fake_gpu_let_go(&fake);
		}
	}
	signal(SIGINT, before);
	ck_assert_uint_gt(stopped, 60);
	gpu_recording_fini(&r);
}
END_TEST

UNIT_MAIN("gpu_faults", damaged_recordings, any_call_fails, mapping_fails_for_want_of_memory,
	  device_lost, interrupted)
