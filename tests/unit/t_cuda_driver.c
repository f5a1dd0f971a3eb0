/* SPDX-License-Identifier: MIT */
/* The driver's library: found, missing, incomplete; and how long its calls took. */
#include "fake_gpu.h"

static void open_fails(const char *library, const char *says)
{
	struct mlv_cuda cuda;
	struct mlv_err err = MLV_ERR_INIT;
	unit_check(!setenv("MLVIZ_LIBCUDA", library, 1));
	ck_assert_int_eq(mlv_cuda_open(&cuda, &err), MLV_E_DEVICE);
	if (!strstr(err.msg, says))
		ck_abort_msg("\"%s\" does not say \"%s\"", err.msg, says);
	unit_check(!cuda.library && !cuda.call.cuInit);
}

START_TEST(library_missing)
{
	open_fails("/nonexistent/libcuda.so.1", "no CUDA driver: /nonexistent/libcuda.so.1");
	open_fails("/nonexistent/libcuda.so.1", "--device model");
}
END_TEST

START_TEST(library_of_something_else)
{
	open_fails("libm.so.6", "libm.so.6 has no cuInit");
}
END_TEST

/* Its message is cut, never overrun. */
START_TEST(library_with_a_long_name)
{
	char name[3000];
	memset(name, 'n', sizeof(name) - 1);
	name[0] = '/';
	name[sizeof(name) - 1] = 0;
	open_fails(name, "no CUDA driver: /nnn");
}
END_TEST

START_TEST(library_complete)
{
	struct mlv_cuda cuda;
	fake_gpu_choose("");
	unit_check(!mlv_cuda_open(&cuda, NULL));
#define CHECK(name, symbol, need, parameters) unit_check(cuda.call.name);
	MLV_CU_CALLS(CHECK)
#undef CHECK
	mlv_cuda_close(&cuda);
}
END_TEST

/* What is optional may be missing, and nothing else is. */
START_TEST(library_without_what_is_optional)
{
	struct mlv_cuda cuda;
	fake_gpu_choose("");
	unit_check(!setenv("MLVIZ_LIBCUDA", getenv("FAKECUDA_PLAIN_LIB"), 1));
	unit_check(!mlv_cuda_open(&cuda, NULL));
	enum { CHECK_NEEDED = 1, CHECK_OPTIONAL = 0 };
#define CHECK(name, symbol, need, parameters) unit_check(!cuda.call.name == !CHECK_##need);
	MLV_CU_CALLS(CHECK)
#undef CHECK
	mlv_cuda_close(&cuda);
}
END_TEST

START_TEST(names)
{
	struct mlv_cuda cuda;
	fake_gpu_choose("");
	unit_check(!mlv_cuda_open(&cuda, NULL));
	ck_assert_str_eq(mlv_cuda_call_name(MLV_CU_cuInit), "cuInit");
	ck_assert_str_eq(mlv_cuda_call_name(MLV_CU_cuMemGetInfo), "cuMemGetInfo");
	ck_assert_str_eq(mlv_cuda_call_name(MLV_CU_cuLaunchKernel), "cuLaunchKernel");
	ck_assert_str_eq(mlv_cuda_error_name(&cuda, MLV_CU_OUT_OF_MEMORY),
			 "CUDA_ERROR_OUT_OF_MEMORY");
	ck_assert_str_eq(mlv_cuda_error_name(&cuda, 12345),
			 "an error that the driver has no name for");
	mlv_cuda_close(&cuda);
}
END_TEST

static struct mlv_call_figures figures_of(const uint32_t *times, size_t n)
{
	struct mlv_call_times t = { 0 };
	for (size_t i = 0; i < n; i++) {
		unit_check(mlv_vec_push(&t.each, times[i]));
		t.total += times[i];
	}
	struct mlv_call_figures f = mlv_call_figures(&t);
	mlv_vec_free(&t.each);
	return f;
}

/* Nearest rank: the ceil(p / 100 * n)-th of the sorted values. */
START_TEST(percentiles)
{
	uint32_t times[200];
	struct mlv_call_figures f = figures_of(NULL, 0);
	unit_check(!f.count && !f.total_ns && !f.p50_ns && !f.p99_ns && !f.max_ns);
	f = figures_of((uint32_t[]){ 7 }, 1);
	unit_check(f.count == 1 && f.p50_ns == 7 && f.p99_ns == 7 && f.max_ns == 7);
	f = figures_of((uint32_t[]){ 9, 1 }, 2);
	unit_check(f.p50_ns == 1 && f.p99_ns == 9 && f.total_ns == 10);
	f = figures_of((uint32_t[]){ 30, 10, 20 }, 3);
	unit_check(f.p50_ns == 20 && f.p99_ns == 30 && f.max_ns == 30);
	/* 1 to 200 in another order: the 100th and the 198th. */
	for (uint32_t i = 0; i < 200; i++)
		times[i] = i * 77 % 200 + 1;
	f = figures_of(times, 200);
	unit_check(f.count == 200 && f.total_ns == 20100);
	unit_check(f.p50_ns == 100 && f.p99_ns == 198 && f.max_ns == 200);
}
END_TEST

START_TEST(calls_are_timed)
{
	struct mlv_cuda cuda;
	int version = 0;
	fake_gpu_choose("");
	unit_check(!mlv_cuda_open(&cuda, NULL));
	unit_check(MLV_CUDA(&cuda, cuInit, (0)) == MLV_CU_SUCCESS);
	for (int i = 0; i < 3; i++)
		unit_check(!MLV_CUDA(&cuda, cuDriverGetVersion, (&version)));
	ck_assert_int_eq(version, 13000);
	unit_check(cuda.times[MLV_CU_cuInit].each.len == 1);
	unit_check(cuda.times[MLV_CU_cuDriverGetVersion].each.len == 3);
	/* What takes longer than can be kept counts as the longest, and in full in the sum. */
	mlv_cuda_timed(&cuda, MLV_CU_cuMemFree, mlv_cuda_now() - UINT64_C(5000000000));
	struct mlv_call_figures f = mlv_call_figures(&cuda.times[MLV_CU_cuMemFree]);
	unit_check(f.max_ns == UINT32_MAX && f.total_ns >= UINT64_C(5000000000));
	mlv_cuda_close(&cuda);
}
END_TEST

UNIT_MAIN("cuda_driver", library_missing, library_of_something_else, library_with_a_long_name,
	  library_complete, library_without_what_is_optional, names, percentiles, calls_are_timed)
