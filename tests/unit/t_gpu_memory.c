/* SPDX-License-Identifier: MIT */
/*
 * Taking memory from a GPU and giving it back, on the fake driver: what is
 * taken goes back whatever fails, and no more is taken than may be.
 */
#include <stdio.h>

#include "fake_gpu.h"
#include "replay/driver.h"

#define GIB (1024 * MLV_MIB)

static const struct mlv_gpu_setup plain = { 0 };

static void open_gpu(struct mlv_gpu *g, const struct mlv_gpu_setup *setup)
{
	struct mlv_err err = MLV_ERR_INIT;
	if (mlv_gpu_open(g, setup, &err))
		ck_abort_msg("%s", err.msg);
}

static void open_gpu_fails(const char *options, const struct mlv_gpu_setup *setup, const char *says)
{
	struct fake_gpu fake = fake_gpu_hold(options);
	struct mlv_err err = MLV_ERR_INIT;
	struct mlv_gpu g;
	ck_assert_int_eq(mlv_gpu_open(&g, setup, &err), MLV_E_DEVICE);
	if (!strstr(err.msg, says))
		ck_abort_msg("\"%s\" does not say \"%s\"", err.msg, says);
	fake_gpu_let_go(&fake);
}

static void ballast_fails_with(const char *options, uint64_t remaining, const char *says)
{
	struct fake_gpu fake = fake_gpu_hold(options);
	struct mlv_err err = MLV_ERR_INIT;
	struct mlv_gpu g;
	open_gpu(&g, &plain);
	ck_assert_int_eq(mlv_gpu_take_ballast(&g, remaining, &err), MLV_E_DEVICE);
	if (!strstr(err.msg, says))
		ck_abort_msg("\"%s\" does not say \"%s\"", err.msg, says);
	mlv_gpu_close(&g, NULL);
	fake_gpu_let_go(&fake);
}

/* Close, and all of it is back. */
static void close_gpu(struct mlv_gpu *g, struct fake_gpu *fake)
{
	int64_t returned = 1;
	unit_check(mlv_gpu_close(g, &returned));
	ck_assert_int_eq(returned, 0);
	fake_gpu_let_go(fake);
}

/* ---- opening ---- */

START_TEST(an_open_device)
{
	struct fake_gpu fake = fake_gpu_hold("devices=3 capacity=10G context=512M");
	struct mlv_gpu g;
	open_gpu(&g, &(struct mlv_gpu_setup){ .ordinal = 2 });
	ck_assert_str_eq(g.name, "Fake GPU 2");
	ck_assert_int_eq(g.driver_version, 13000);
	unit_check(g.total == 10 * GIB && g.free_at_start == 10 * GIB - 512 * MLV_MIB);
	unit_check(g.granularity == 2 * MLV_MIB);
	unit_check(g.most == g.free_at_start / 10 * 9);
	close_gpu(&g, &fake);
}
END_TEST

START_TEST(no_device)
{
	open_gpu_fails("devices=0", &plain, "no device that it can use");
	open_gpu_fails("devices=2", &(struct mlv_gpu_setup){ .ordinal = 2 }, "no device 2");
}
END_TEST

/* Every call on the way to an open device is checked, and named. */
START_TEST(opening_fails)
{
	static const enum mlv_cu_call calls[] = {
		MLV_CU_cuInit,
		MLV_CU_cuDeviceGetCount,
		MLV_CU_cuDriverGetVersion,
		MLV_CU_cuDeviceGet,
		MLV_CU_cuDeviceGetName,
		MLV_CU_cuDevicePrimaryCtxRetain,
		MLV_CU_cuCtxSetCurrent,
		MLV_CU_cuDeviceGetAttribute,
		MLV_CU_cuMemGetAllocationGranularity,
		MLV_CU_cuMemGetInfo,
	};
	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
		char options[100], says[100];
		const char *name = mlv_cuda_call_name(calls[i]);
		snprintf(options, sizeof(options), "fail=%s:1:SYSTEM_DRIVER_MISMATCH", name);
		snprintf(says, sizeof(says),
			 "%s failed with CUDA_ERROR_SYSTEM_DRIVER_MISMATCH (803)", name);
		open_gpu_fails(options, &plain, says);
	}
}
END_TEST

/* Without it there are no expandable segments; the rest works. */
START_TEST(no_mapping)
{
	static const char *const options[] = {
		"mapping=no", "fail=cuDeviceGetAttribute:1:INVALID_VALUE",
		"fail=cuMemGetAllocationGranularity:1:NOT_SUPPORTED"
	};
	for (size_t i = 0; i < 3; i++) {
		struct fake_gpu fake = fake_gpu_hold(options[i]);
		struct mlv_gpu g;
		open_gpu(&g, &plain);
		unit_check(!g.granularity && !g.err.rc);
		close_gpu(&g, &fake);
	}
	ballast_fails_with("mapping=no", GIB, "--ballast");
}
END_TEST

/* ---- pieces ---- */

START_TEST(pieces)
{
	struct fake_gpu fake = fake_gpu_hold("");
	struct mlv_gpu g;
	mlv_cu_ptr a, b;
	uint64_t left;
	open_gpu(&g, &plain);
	unit_check(!mlv_gpu_alloc(&g, 20 * MLV_MIB, &a));
	unit_check(!mlv_gpu_alloc(&g, 2 * MLV_MIB, &b));
	unit_check(a != b && g.taken == 22 * MLV_MIB);
	unit_check(!mlv_gpu_free_bytes(&g, &left));
	unit_check(left == g.free_at_start - 22 * MLV_MIB);
	unit_check(!mlv_gpu_free(&g, a));
	unit_check(!mlv_gpu_free(&g, a)); /* nothing begins there any more */
	unit_check(g.taken == 2 * MLV_MIB && g.taken_peak == 22 * MLV_MIB);
	ck_assert_uint_eq(fake_gpu_figures(&fake).calls[MLV_CU_cuMemFree], 1);
	close_gpu(&g, &fake);
}
END_TEST

START_TEST(no_more_than_may_be_taken)
{
	struct fake_gpu fake = fake_gpu_hold("");
	struct mlv_gpu g;
	mlv_cu_ptr a, b;
	open_gpu(&g, &(struct mlv_gpu_setup){ .most = 64 * MLV_MIB });
	unit_check(!mlv_gpu_alloc(&g, 44 * MLV_MIB, &a));
	unit_check(mlv_gpu_alloc(&g, 22 * MLV_MIB, &b) == MLV_GPU_NO_MEMORY);
	unit_check(mlv_gpu_alloc(&g, UINT64_MAX, &b) == MLV_GPU_NO_MEMORY);
	unit_check(!mlv_gpu_alloc(&g, 20 * MLV_MIB, &b));
	unit_check(g.refused_by_most == 2 && !g.refused_by_device && !g.err.rc);
	unit_check(fake_gpu_figures(&fake).taken_peak == 64 * MLV_MIB);
	close_gpu(&g, &fake);
	open_gpu_fails("capacity=1G", &(struct mlv_gpu_setup){ .most = GIB + 1 },
		       "--limit 1.00 GiB");
}
END_TEST

START_TEST(the_device_is_full)
{
	struct fake_gpu fake = fake_gpu_hold("capacity=64M");
	struct mlv_gpu g;
	mlv_cu_ptr a, b;
	open_gpu(&g, &(struct mlv_gpu_setup){ .most = 64 * MLV_MIB });
	g.most = UINT64_MAX;
	unit_check(!mlv_gpu_alloc(&g, 44 * MLV_MIB, &a));
	unit_check(mlv_gpu_alloc(&g, 22 * MLV_MIB, &b) == MLV_GPU_NO_MEMORY);
	unit_check(!g.refused_by_most && g.refused_by_device == 1 && !g.err.rc);
	unit_check(!mlv_gpu_free(&g, a));
	unit_check(!mlv_gpu_alloc(&g, 64 * MLV_MIB, &b));
	close_gpu(&g, &fake);
}
END_TEST

/* ---- ranges and cells ---- */

static mlv_cu_ptr reserve(struct mlv_gpu *g)
{
	mlv_cu_ptr ptr = 0;
	unit_check(!mlv_gpu_reserve(g, 1024 * MLV_MIB, &ptr));
	return ptr;
}

START_TEST(mapping)
{
	struct fake_gpu fake = fake_gpu_hold("");
	struct mlv_gpu g;
	open_gpu(&g, &plain);
	mlv_cu_ptr at = reserve(&g);
	unit_check(!mlv_gpu_map(&g, at, 100 * MLV_MIB, 20 * MLV_MIB));
	unit_check(g.taken == 100 * MLV_MIB);
	struct fakecuda_figures n = fake_gpu_figures(&fake);
	unit_check(n.handles == 5 && n.maps == 5 && n.calls[MLV_CU_cuMemSetAccess] == 1);
	unit_check(!mlv_gpu_unmap(&g, at + 20 * MLV_MIB, 40 * MLV_MIB));
	n = fake_gpu_figures(&fake);
	unit_check(n.handles == 3 && n.maps == 3 && n.taken == 60 * MLV_MIB);
	unit_check(!mlv_gpu_unmap(&g, at, 20 * MLV_MIB));
	unit_check(!mlv_gpu_unmap(&g, at + 60 * MLV_MIB, 40 * MLV_MIB));
	unit_check(!mlv_gpu_release(&g, at));
	unit_check(!mlv_gpu_release(&g, at));
	n = fake_gpu_figures(&fake);
	unit_check(!n.handles && !n.maps && !n.ranges && !n.taken && !g.taken);
	close_gpu(&g, &fake);
}
END_TEST

/* Want of memory half way: nothing of it stays, and the gpu goes on. */
static void map_is_undone(const char *options, const char *call)
{
	struct fake_gpu fake = fake_gpu_hold(options);
	struct mlv_gpu g;
	open_gpu(&g, &plain);
	mlv_cu_ptr at = reserve(&g);
	unit_check(!mlv_gpu_map(&g, at, 40 * MLV_MIB, 20 * MLV_MIB));
	if (mlv_gpu_map(&g, at + 40 * MLV_MIB, 60 * MLV_MIB, 20 * MLV_MIB) != MLV_GPU_NO_MEMORY)
		ck_abort_msg("%s did not fail", call);
	struct fakecuda_figures n = fake_gpu_figures(&fake);
	unit_check(n.handles == 2 && n.maps == 2 && n.taken == 40 * MLV_MIB);
	unit_check(g.taken == 40 * MLV_MIB && !g.err.rc && g.refused_by_device == 1);
	unit_check(!mlv_gpu_map(&g, at + 40 * MLV_MIB, 60 * MLV_MIB, 20 * MLV_MIB));
	close_gpu(&g, &fake);
}

START_TEST(mapping_without_memory)
{
	map_is_undone("fail=cuMemCreate:4:OUT_OF_MEMORY", "cuMemCreate");
	map_is_undone("fail=cuMemMap:3:OUT_OF_MEMORY", "the first cuMemMap");
	map_is_undone("fail=cuMemMap:5:OUT_OF_MEMORY", "the last cuMemMap");
	map_is_undone("fail=cuMemSetAccess:2:OUT_OF_MEMORY", "cuMemSetAccess");
}
END_TEST

START_TEST(mapping_beyond_what_may_be_taken)
{
	struct fake_gpu fake = fake_gpu_hold("");
	struct mlv_gpu g;
	open_gpu(&g, &(struct mlv_gpu_setup){ .most = 50 * MLV_MIB });
	mlv_cu_ptr at = reserve(&g);
	unit_check(mlv_gpu_map(&g, at, 60 * MLV_MIB, 20 * MLV_MIB) == MLV_GPU_NO_MEMORY);
	unit_check(!fake_gpu_figures(&fake).calls[MLV_CU_cuMemCreate]);
	unit_check(!mlv_gpu_map(&g, at, 40 * MLV_MIB, 20 * MLV_MIB));
	unit_check(g.refused_by_most == 1);
	close_gpu(&g, &fake);
}
END_TEST

/* ---- whatever fails: it is named, and everything goes back ---- */

/* Some of everything; false as soon as the device failed. */
static bool use(struct mlv_gpu *g)
{
	mlv_cu_ptr a, b, at = 0;
	uint64_t left;
	g->synchronous = true;
	return !mlv_gpu_alloc(g, 6 * MLV_MIB, &a) && !mlv_gpu_alloc(g, 8 * MLV_MIB, &b) &&
	       !mlv_gpu_free(g, a) && !mlv_gpu_reserve(g, GIB, &at) &&
	       !mlv_gpu_map(g, at, 60 * MLV_MIB, 20 * MLV_MIB) && !mlv_gpu_free_bytes(g, &left) &&
	       !mlv_gpu_unmap(g, at + 20 * MLV_MIB, 40 * MLV_MIB) &&
	       !mlv_gpu_unmap(g, at, 20 * MLV_MIB) && !mlv_gpu_release(g, at);
}

/* In use, not when all is given back: what fails then is left to the end of the context. */
static void one_call_fails(enum mlv_cu_call call, unsigned n)
{
	char options[100];
	const char *name = mlv_cuda_call_name(call);
	snprintf(options, sizeof(options), "fail=%s:%u:ILLEGAL_ADDRESS", name, n);
	struct fake_gpu fake = fake_gpu_hold(options);
	struct mlv_gpu g;
	open_gpu(&g, &plain);
	if (use(&g))
		ck_abort_msg("%s was not looked at", name);
	if (g.err.rc != MLV_E_DEVICE || !strstr(g.err.msg, name))
		ck_abort_msg("%s is not named: %s", name, g.err.msg);
	mlv_gpu_close(&g, NULL);
	fake_gpu_let_go(&fake);
}

START_TEST(any_call_fails)
{
	for (int call = 0; call < MLV_CU_CALL_COUNT; call++) {
		struct fake_gpu fake = fake_gpu_hold("");
		struct mlv_gpu g;
		open_gpu(&g, &plain);
		uint64_t before = fake_gpu_figures(&fake).calls[call];
		unit_check(use(&g));
		uint64_t after = fake_gpu_figures(&fake).calls[call];
		close_gpu(&g, &fake);
		for (uint64_t n = before + 1; n <= after; n++)
			one_call_fails((enum mlv_cu_call)call, (unsigned)n);
	}
}
END_TEST

/* A device that is lost after any number of calls: whoever holds memory tries to give it back. */
START_TEST(device_lost)
{
	unsigned n = 1;
	for (bool ended = false; !ended; n++) {
		char options[40];
		snprintf(options, sizeof(options), "lost=%u", n);
		struct fake_gpu fake = fake_gpu_hold(options);
		struct mlv_err err = MLV_ERR_INIT;
		struct mlv_gpu g;
		bool open = !mlv_gpu_open(&g, &plain, &err);
		ended = open && use(&g);
		int64_t returned = 0;
		bool known = open && mlv_gpu_close(&g, &returned);
		unit_check(!returned && (ended || !known));
		unit_check(open || strstr(err.msg, "CUDA_ERROR_LAUNCH_FAILED"));
		fake_gpu_let_go(&fake);
	}
	unit_check(n > 30);
}
END_TEST

/* ---- ballast ---- */

static void check_ballast(const char *options, uint64_t remaining, uint64_t granularity)
{
	struct fake_gpu fake = fake_gpu_hold(options);
	struct mlv_gpu g;
	uint64_t left;
	open_gpu(&g, &plain);
	unit_check(!mlv_gpu_take_ballast(&g, remaining, NULL));
	unit_check(!mlv_gpu_free_bytes(&g, &left));
	if (left > remaining || remaining - left >= granularity)
		ck_abort_msg("%s: %llu bytes remain", options, (unsigned long long)left);
	unit_check(!g.taken && g.ballast <= g.free_at_start - left);
	close_gpu(&g, &fake);
}

START_TEST(ballast)
{
	check_ballast("", GIB, 2 * MLV_MIB);
	check_ballast("", 8 * GIB, 2 * MLV_MIB); /* nothing to take */
	check_ballast("context=437M", (uint64_t)3865470566, 2 * MLV_MIB);
	check_ballast("granularity=64K context=100K", 77777777, 65536);
	check_ballast("granularity=512M", 3 * GIB + 5, 512 * MLV_MIB);
	/* The driver needs memory for it, too. */
	check_ballast("overhead=64K", GIB, 2 * MLV_MIB);
	/* Not in one piece. */
	check_ballast("fail=cuMemCreate:1:OUT_OF_MEMORY", GIB, 2 * MLV_MIB);
}
END_TEST

/* What remains can be taken, and no more: the device says so. */
START_TEST(ballast_leaves_a_small_device)
{
	struct fake_gpu fake = fake_gpu_hold("");
	struct mlv_gpu g;
	mlv_cu_ptr a, b;
	open_gpu(&g, &plain);
	unit_check(!mlv_gpu_take_ballast(&g, 100 * MLV_MIB, NULL));
	unit_check(!mlv_gpu_alloc(&g, 60 * MLV_MIB, &a));
	unit_check(mlv_gpu_alloc(&g, 42 * MLV_MIB, &b) == MLV_GPU_NO_MEMORY);
	unit_check(!mlv_gpu_alloc(&g, 40 * MLV_MIB, &b));
	unit_check(g.refused_by_device == 1 && !g.refused_by_most);
	close_gpu(&g, &fake);
}
END_TEST

START_TEST(ballast_fails)
{
	ballast_fails_with("capacity=1G context=2M", GIB, "1.00 GiB are to remain");
	ballast_fails_with("fail=cuMemCreate:1:NOT_SUPPORTED", GIB,
			   "cuMemCreate failed with CUDA_ERROR_NOT_SUPPORTED (801) taking ballast");
	ballast_fails_with("fail=cuMemGetInfo:2:UNKNOWN", GIB, "cuMemGetInfo failed");
	ballast_fails_with("fail=cuMemGetInfo:4:UNKNOWN", GIB, "cuMemGetInfo failed");
	ballast_fails_with("fail=cuMemCreate:1:OUT_OF_MEMORY fail=cuMemCreate:2:OUT_OF_MEMORY", GIB,
			   "no more memory can be taken");
}
END_TEST

/* ---- the fake itself ---- */

/*
 * Where the fake driver puts pieces under each policy, against mlviz's model of
 * it: two reckonings that share nothing.
 */
static void same_places(const char *options, enum mlv_driver_profile profile, uint64_t seed)
{
	enum { MOST = 40 };
	struct fake_gpu fake = fake_gpu_hold(options);
	struct mlv_driver model;
	struct mlv_gpu g;
	struct {
		mlv_cu_ptr real;
		uint64_t model, bytes;
	} live[MOST];
	size_t n = 0;
	uint64_t offset = 0;
	bool begun = false;
	open_gpu(&g, &plain);
	unit_check(mlv_driver_init(&model, profile, 0));
	for (int i = 0; i < 400; i++) {
		if (n < MOST && unit_random(&seed) % 5 < 3) {
			uint64_t bytes = (1 + unit_random(&seed) % 90) * 2 * MLV_MIB;
			live[n].bytes = bytes;
			unit_check(!mlv_gpu_alloc(&g, bytes, &live[n].real));
			unit_check(mlv_driver_place(&model, bytes, &live[n].model));
			if (!begun)
				offset = live[n].real - live[n].model;
			begun = true;
			unit_check(live[n].real - live[n].model == offset);
			n++;
		} else if (n) {
			size_t k = unit_random(&seed) % n;
			unit_check(!mlv_gpu_free(&g, live[k].real));
			mlv_driver_remove(&model, live[k].model, live[k].bytes);
			live[k] = live[--n];
		}
	}
	mlv_driver_fini(&model);
	close_gpu(&g, &fake);
}

START_TEST(places_of_the_fake)
{
	for (uint64_t seed = 1; seed <= 10; seed++) {
		same_places("capacity=64G policy=chunks", MLV_DRIVER_CHUNKS, seed);
		same_places("capacity=64G policy=ascending", MLV_DRIVER_ASCENDING, seed);
		same_places("capacity=64G policy=descending", MLV_DRIVER_DESCENDING, seed);
	}
}
END_TEST

UNIT_MAIN("gpu_memory", an_open_device, no_device, opening_fails, no_mapping, pieces,
	  no_more_than_may_be_taken, the_device_is_full, mapping, mapping_without_memory,
	  mapping_beyond_what_may_be_taken, any_call_fails, device_lost, ballast,
	  ballast_leaves_a_small_device, ballast_fails, places_of_the_fake)
