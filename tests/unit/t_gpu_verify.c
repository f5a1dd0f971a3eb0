/* SPDX-License-Identifier: MIT */
/*
 * Blocks that overlap or are damaged on a GPU are found, by the kernel and by
 * reading samples back, and no others; and what is used beside what was taken
 * is the driver's, or another process's.
 */
#include <stdio.h>

#include "fake_gpu.h"
#include "replay/gpu/gpu_meter.h"
#include "replay/gpu/gpu_verify.h"

enum { PIECE_WORDS = 524288 }; /* 2 MiB */

struct checked {
	struct fake_gpu fake;
	struct mlv_gpu gpu;
	struct mlv_gpu_verify verify;
};

static void begin(struct checked *c, const char *options, bool kernel)
{
	char all[200];
	struct mlv_err err = MLV_ERR_INIT;
	snprintf(all, sizeof(all), "%s %s", options, kernel ? "" : "modules=no");
	c->fake = fake_gpu_hold(all);
	if (mlv_gpu_open(&c->gpu, &(struct mlv_gpu_setup){ 0 }, &err))
		ck_abort_msg("%s", err.msg);
	unit_check(mlv_gpu_verify_init(&c->verify, &c->gpu));
	unit_check(!c->verify.check == !kernel);
}

static void end(struct checked *c)
{
	unit_check(!c->gpu.err.rc);
	mlv_gpu_verify_fini(&c->verify);
	mlv_gpu_close(&c->gpu, NULL);
	fake_gpu_let_go(&c->fake);
}

static mlv_cu_ptr take(struct checked *c)
{
	mlv_cu_ptr ptr;
	unit_check(!mlv_gpu_alloc(&c->gpu, 4 * (uint64_t)PIECE_WORDS, &ptr));
	return ptr;
}

static void fill(struct checked *c, uint32_t block, mlv_cu_ptr ptr, uint64_t words)
{
	unit_check(mlv_gpu_verify_fill(&c->verify, block, ptr, words));
}

static void check(struct checked *c, uint32_t block, mlv_cu_ptr ptr, uint64_t words)
{
	unit_check(mlv_gpu_verify_check(&c->verify, block, ptr, words));
}

/* What came of all checks. */
static void found(struct checked *c, uint64_t blocks, uint64_t errors)
{
	unit_check(mlv_gpu_verify_flush(&c->verify));
	ck_assert_uint_eq(c->verify.blocks, blocks);
	ck_assert_uint_eq(c->verify.errors, errors);
}

/* ---- */

static void nothing_to_find(bool kernel)
{
	static const uint64_t words[] = { 0, 1, 2, 255, 256, 257, 1023, 1024, 1025, 5000, 200000 };
	struct checked c;
	uint64_t seed = 5;
	uint32_t block = 0;
	begin(&c, "", kernel);
	mlv_cu_ptr ptr = take(&c);
	/* Side by side, filled and checked in other orders, and filled again. */
	for (int round = 0; round < 20; round++) {
		mlv_cu_ptr at[11], next = ptr;
		for (int i = 0; i < 11; i++) {
			at[i] = next;
			next += 4 * words[i];
		}
		for (int i = 0; i < 11; i++)
			fill(&c, block + (uint32_t)(i * 7 % 11), at[i * 7 % 11], words[i * 7 % 11]);
		for (int i = (int)(unit_random(&seed) % 2); i < 11; i++)
			check(&c, block + (uint32_t)i, at[i], words[i]);
		block += 11;
	}
	found(&c, c.verify.blocks, 0);
	unit_check(c.verify.blocks >= 200);
	end(&c);
}

START_TEST(none_falsely)
{
	nothing_to_find(true);
	nothing_to_find(false);
}
END_TEST

/* One word of a block belongs to the next one, too. */
static void one_word(bool kernel, uint64_t words, uint64_t wrong)
{
	struct checked c;
	begin(&c, "", kernel);
	mlv_cu_ptr ptr = take(&c);
	fill(&c, 3, ptr, words);
	fill(&c, 4, ptr + 4 * wrong, 1);
	check(&c, 4, ptr + 4 * wrong, 1);
	check(&c, 3, ptr, words);
	found(&c, 2, 1);
	ck_assert_uint_eq(c.verify.first_error, 3);
	ck_assert_uint_eq(c.verify.first_error_at, 4 * wrong);
	end(&c);
}

START_TEST(overlaps)
{
	for (int kernel = 0; kernel < 2; kernel++) {
		one_word(kernel, 1, 0);
		one_word(kernel, 1000, 0);
		one_word(kernel, 1000, 999);
		one_word(kernel, 1000, 500);
		one_word(kernel, 400000, 0);
		one_word(kernel, 400000, 399999);
	}
	/* Samples would not see these. */
	one_word(true, 400000, 2000);
	one_word(true, 400000, 300001);
}
END_TEST

/* The last word of a fill was not written as it should have been. */
START_TEST(damage)
{
	for (int kernel = 0; kernel < 2; kernel++) {
		struct checked c;
		begin(&c, "damage=2", kernel);
		mlv_cu_ptr ptr = take(&c);
		for (uint32_t i = 0; i < 3; i++)
			fill(&c, i, ptr + i * UINT64_C(400000), 100000);
		for (uint32_t i = 0; i < 3; i++)
			check(&c, i, ptr + i * UINT64_C(400000), 100000);
		found(&c, 3, 1);
		ck_assert_uint_eq(c.verify.first_error, 1);
		ck_assert_uint_eq(c.verify.first_error_at, 4 * 99999);
		end(&c);
	}
}
END_TEST

/* Two pieces with the same memory. With a kernel, its results are the first that is taken. */
START_TEST(shared_memory)
{
	for (int kernel = 0; kernel < 2; kernel++) {
		struct checked c;
		begin(&c, kernel ? "alias=4" : "alias=3", kernel);
		mlv_cu_ptr ptr[3];
		for (uint32_t i = 0; i < 3; i++) {
			ptr[i] = take(&c);
			fill(&c, i, ptr[i], PIECE_WORDS);
		}
		for (uint32_t i = 0; i < 3; i++)
			check(&c, i, ptr[i], PIECE_WORDS);
		found(&c, 3, 1);
		ck_assert_uint_eq(c.verify.first_error, 1);
		ck_assert_uint_eq(c.verify.first_error_at, 0);
		end(&c);
	}
}
END_TEST

/* More than one batch; errors on both sides of its border. */
START_TEST(batches)
{
	enum { BLOCKS = 10000, WORDS = 50 };
	struct checked c;
	begin(&c, "", true);
	mlv_cu_ptr ptr = take(&c);
	for (uint32_t i = 0; i < BLOCKS; i++)
		fill(&c, i, ptr + UINT64_C(4) * WORDS * i, WORDS);
	static const uint32_t bad[] = { 4094, 4095, 4096, 8192, 9999 };
	for (size_t i = 0; i < 5; i++)
		fill(&c, 20000, ptr + UINT64_C(4) * (WORDS * bad[i] + 7), 2);
	for (uint32_t i = 0; i < BLOCKS; i++)
		check(&c, i, ptr + UINT64_C(4) * WORDS * i, WORDS);
	found(&c, BLOCKS, 5);
	ck_assert_uint_eq(c.verify.first_error, 4094);
	ck_assert_uint_eq(c.verify.first_error_at, 28);
	ck_assert_uint_eq(fake_gpu_figures(&c.fake).calls[MLV_CU_cuMemcpyDtoH], 3);
	end(&c);
}
END_TEST

/* A block whose memory was not there when it was allocated holds nothing to check. */
START_TEST(what_was_not_filled)
{
	struct checked c;
	begin(&c, "", true);
	mlv_cu_ptr ptr = take(&c);
	fill(&c, 5, ptr, 100);
	check(&c, 4, ptr, 100);
	check(&c, 6, ptr, 100);
	check(&c, 5, ptr, 100);
	found(&c, 1, 0);
	end(&c);
}
END_TEST

START_TEST(a_driver_without_fills)
{
	struct mlv_gpu g;
	struct mlv_gpu_verify v;
	fake_gpu_choose("");
	unit_check(!setenv("MLVIZ_LIBCUDA", getenv("FAKECUDA_PLAIN_LIB"), 1));
	unit_check(!mlv_gpu_open(&g, &(struct mlv_gpu_setup){ 0 }, NULL));
	unit_check(!mlv_gpu_verify_init(&v, &g));
	unit_check(strstr(g.err.msg, "--verify"));
	mlv_gpu_verify_fini(&v);
	mlv_gpu_close(&g, NULL);
}
END_TEST

/* Each call that verifying makes: checked, named, and nothing stays. */
static bool verify_something(struct mlv_gpu *g, struct mlv_gpu_verify *v)
{
	mlv_cu_ptr ptr;
	return mlv_gpu_verify_init(v, g) && !mlv_gpu_alloc(g, MLV_MIB, &ptr) &&
	       mlv_gpu_verify_fill(v, 1, ptr, 1000) && mlv_gpu_verify_check(v, 1, ptr, 1000) &&
	       mlv_gpu_verify_flush(v) && !mlv_gpu_free(g, ptr);
}

START_TEST(a_call_fails)
{
	static const struct {
		const char *options, *call;
	} cases[] = {
		{ "fail=cuMemAlloc:1:OUT_OF_MEMORY", "cuMemAlloc" },
		{ "fail=cuMemsetD32Async:1:UNKNOWN", "cuMemsetD32Async" },
		{ "fail=cuMemsetD32Async:3:UNKNOWN", "cuMemsetD32Async" },
		{ "fail=cuMemsetD32Async:4:UNKNOWN", "cuMemsetD32Async" },
		{ "fail=cuLaunchKernel:1:LAUNCH_FAILED", "cuLaunchKernel" },
		{ "fail=cuLaunchKernel:2:LAUNCH_FAILED", "cuLaunchKernel" },
		{ "fail=cuCtxSynchronize:1:LAUNCH_FAILED", "cuCtxSynchronize" },
		{ "fail=cuMemcpyDtoH:1:ILLEGAL_ADDRESS", "cuMemcpyDtoH" },
		{ "modules=no fail=cuMemcpyDtoH:1:ILLEGAL_ADDRESS", "cuMemcpyDtoH" },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct fake_gpu fake = fake_gpu_hold(cases[i].options);
		struct mlv_gpu g;
		struct mlv_gpu_verify v;
		unit_check(!mlv_gpu_open(&g, &(struct mlv_gpu_setup){ 0 }, NULL));
		if (verify_something(&g, &v) || !strstr(g.err.msg, cases[i].call))
			ck_abort_msg("%s: %s", cases[i].options, g.err.msg);
		mlv_gpu_verify_fini(&v);
		mlv_gpu_close(&g, NULL);
		fake_gpu_let_go(&fake);
	}
}
END_TEST

/* A module without the kernel: samples are read, and the module goes back. */
START_TEST(no_kernel_in_the_module)
{
	struct fake_gpu fake = fake_gpu_hold("fail=cuModuleGetFunction:1:NOT_FOUND");
	struct mlv_gpu g;
	struct mlv_gpu_verify v;
	unit_check(!mlv_gpu_open(&g, &(struct mlv_gpu_setup){ 0 }, NULL));
	unit_check(verify_something(&g, &v));
	unit_check(!v.check && v.blocks == 1 && !v.errors);
	mlv_gpu_verify_fini(&v);
	mlv_gpu_close(&g, NULL);
	fake_gpu_let_go(&fake);
}
END_TEST

/* ---- the meter ---- */

struct metered {
	struct fake_gpu fake;
	struct mlv_gpu gpu;
	struct mlv_gpu_meter meter;
};

static void meter_begin(struct metered *m, const char *options, uint32_t every)
{
	m->fake = fake_gpu_hold(options);
	unit_check(!mlv_gpu_open(&m->gpu, &(struct mlv_gpu_setup){ 0 }, NULL));
	unit_check(mlv_gpu_meter_init(&m->meter, &m->gpu, every));
}

static void meter_end(struct metered *m)
{
	unit_check(!m->gpu.err.rc);
	mlv_gpu_meter_fini(&m->meter);
	mlv_gpu_close(&m->gpu, NULL);
	fake_gpu_let_go(&m->fake);
}

static mlv_cu_ptr meter_take(struct metered *m, uint32_t event, uint64_t bytes)
{
	mlv_cu_ptr ptr;
	unit_check(mlv_gpu_meter_before(&m->meter));
	unit_check(!mlv_gpu_alloc(&m->gpu, bytes, &ptr));
	unit_check(mlv_gpu_meter_after(&m->meter, event));
	return ptr;
}

static void meter_give(struct metered *m, uint32_t event, mlv_cu_ptr ptr)
{
	unit_check(mlv_gpu_meter_before(&m->meter));
	unit_check(!mlv_gpu_free(&m->gpu, ptr));
	unit_check(mlv_gpu_meter_after(&m->meter, event));
}

START_TEST(nothing_added)
{
	struct metered m;
	meter_begin(&m, "context=300M", 1);
	mlv_cu_ptr a = meter_take(&m, 1, 20 * MLV_MIB);
	(void)meter_take(&m, 2, 2 * MLV_MIB);
	meter_give(&m, 3, a);
	mlv_gpu_meter_end(&m.meter);
	unit_check(m.meter.used_peak == 22 * MLV_MIB && m.meter.samples.len == 3);
	unit_check(m.meter.samples.data[2].used == 2 * MLV_MIB);
	unit_check(m.meter.samples.data[2].taken == 2 * MLV_MIB);
	unit_check(!m.meter.overhead_most && !m.meter.overhead_least && !m.meter.foreign_changes);
	meter_end(&m);
}
END_TEST

/* Each piece costs 64 KiB more; half a MiB takes 2. */
START_TEST(the_driver_adds)
{
	struct metered m;
	meter_begin(&m, "overhead=64K", 1);
	mlv_cu_ptr a = meter_take(&m, 1, 20 * MLV_MIB);
	(void)meter_take(&m, 2, MLV_MIB / 2);
	meter_give(&m, 3, a);
	mlv_gpu_meter_end(&m.meter);
	unit_check(m.meter.overhead_most == 2 * 65536 + (int64_t)MLV_MIB * 3 / 2);
	unit_check(m.meter.overhead_least == 65536 && !m.meter.foreign_changes);
	unit_check(m.meter.used_peak == 22 * MLV_MIB + 2 * 65536);
	meter_end(&m);
}
END_TEST

/*
 * Calls of cuMemGetInfo: one to open, one to begin, two an operation. Between operations any
 * change is another's, and where there was one, within operations too.
 */
START_TEST(others_take_and_give)
{
	struct metered m;
	/* Before the second operation, within the third, before the fourth. */
	meter_begin(&m, "foreign=5:100M foreign=8:-200M foreign=9:140M", 1);
	(void)meter_take(&m, 11, 20 * MLV_MIB);
	(void)meter_take(&m, 12, 20 * MLV_MIB);
	mlv_cu_ptr c = meter_take(&m, 13, 20 * MLV_MIB);
	meter_give(&m, 14, c);
	mlv_gpu_meter_end(&m.meter);
	unit_check(m.meter.foreign_event == 12 && m.meter.foreign_changes == 3);
	unit_check(m.meter.foreign_most == 100 * (int64_t)MLV_MIB);
	/* None of it is blamed on the trace. */
	unit_check(m.meter.used_peak == 60 * MLV_MIB);
	unit_check(!m.meter.overhead_most && !m.meter.overhead_least);
	meter_end(&m);
}
END_TEST

/* Within operations alone: the first is more than any driver adds, so the second is theirs too. */
START_TEST(others_within_operations)
{
	struct metered m;
	meter_begin(&m, "foreign=4:512M foreign=6:-100M", 1);
	(void)meter_take(&m, 1, 20 * MLV_MIB);
	(void)meter_take(&m, 2, 20 * MLV_MIB);
	mlv_gpu_meter_end(&m.meter);
	unit_check(m.meter.foreign_event == 1 && m.meter.foreign_changes == 2);
	unit_check(m.meter.foreign_most == 512 * (int64_t)MLV_MIB);
	unit_check(m.meter.used_peak == 40 * MLV_MIB);
	unit_check(!m.meter.overhead_most && !m.meter.overhead_least);
	meter_end(&m);
}
END_TEST

START_TEST(each_fourth_operation)
{
	struct metered m;
	meter_begin(&m, "", 4);
	for (uint32_t i = 0; i < 10; i++)
		(void)meter_take(&m, i, 2 * MLV_MIB);
	mlv_gpu_meter_end(&m.meter);
	unit_check(m.meter.samples.len == 2);
	unit_check(m.meter.samples.data[0].event == 3 && m.meter.samples.data[1].event == 7);
	unit_check(m.meter.samples.data[1].used == 16 * MLV_MIB);
	ck_assert_uint_eq(fake_gpu_figures(&m.fake).calls[MLV_CU_cuMemGetInfo], 2 + 4);
	meter_end(&m);
}
END_TEST

/* What a driver takes when the first kernel runs is taken before anything is measured. */
START_TEST(a_kernel_that_is_loaded_late)
{
	struct checked c;
	struct mlv_gpu_meter m;
	begin(&c, "lazy=24M", true);
	unit_check(mlv_gpu_meter_init(&m, &c.gpu, 1));
	mlv_cu_ptr ptr = take(&c);
	fill(&c, 1, ptr, 100);
	check(&c, 1, ptr, 100);
	unit_check(!mlv_gpu_free(&c.gpu, ptr));
	unit_check(mlv_gpu_meter_before(&m) && !m.before);
	mlv_gpu_meter_fini(&m);
	found(&c, 1, 0);
	end(&c);
}
END_TEST

UNIT_MAIN("gpu_verify", none_falsely, overlaps, damage, shared_memory, batches, what_was_not_filled,
	  a_driver_without_fills, a_call_fails, no_kernel_in_the_module, nothing_added,
	  the_driver_adds, others_take_and_give, others_within_operations, each_fourth_operation,
	  a_kernel_that_is_loaded_late)
