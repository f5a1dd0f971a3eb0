/* SPDX-License-Identifier: MIT */
#include "replay/gpu/cuda_driver.h"

#include <dlfcn.h>
#include <string.h>
#include <time.h>

static const struct {
	const char *name, *symbol;
	size_t offset; /* in struct mlv_cu_table */
	bool optional;
} calls[] = {
#define MLV_CU_ROW(name, symbol, need, parameters)                                                 \
	{ #name, symbol, offsetof(struct mlv_cu_table, name), MLV_CU_##need },
	MLV_CU_CALLS(MLV_CU_ROW)
#undef MLV_CU_ROW
};

static enum mlv_rc resolve(struct mlv_cuda *cuda, const char *path, struct mlv_err *err)
{
	for (size_t i = 0; i < MLV_CU_CALL_COUNT; i++) {
		void *symbol = dlsym(cuda->library, calls[i].symbol);
		if (!symbol && !calls[i].optional)
			return mlv_err_set(err, MLV_E_DEVICE,
					   "%.100s has no %s: it is no CUDA driver, or one older "
					   "than CUDA 11",
					   path, calls[i].symbol);
		/* POSIX has it that a symbol's address can be a function's. */
		memcpy((char *)&cuda->call + calls[i].offset, &symbol, sizeof(symbol));
	}
	return MLV_OK;
}

enum mlv_rc mlv_cuda_open(struct mlv_cuda *cuda, struct mlv_err *err)
{
	const char *path = getenv("MLVIZ_LIBCUDA");
	*cuda = (struct mlv_cuda){ 0 };
	if (!path || !*path)
		path = "libcuda.so.1";
	cuda->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	if (!cuda->library)
		return mlv_err_set(err, MLV_E_DEVICE,
				   "no CUDA driver: %.120s; replay on a machine with an NVIDIA "
				   "GPU, or on the model (--device model)",
				   dlerror());
	enum mlv_rc rc = resolve(cuda, path, err);
	if (rc)
		mlv_cuda_close(cuda);
	return rc;
}

void mlv_cuda_close(struct mlv_cuda *cuda)
{
	for (size_t i = 0; i < MLV_CU_CALL_COUNT; i++)
		mlv_vec_free(&cuda->times[i].each);
	if (cuda->library)
		dlclose(cuda->library);
	*cuda = (struct mlv_cuda){ 0 };
}

const char *mlv_cuda_call_name(enum mlv_cu_call call)
{
	return calls[call].name;
}

const char *mlv_cuda_error_name(const struct mlv_cuda *cuda, mlv_cu_result result)
{
	const char *name = NULL;
	if (cuda->call.cuGetErrorName(result, &name) || !name)
		return "an error that the driver has no name for";
	return name;
}

uint64_t mlv_cuda_now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

void mlv_cuda_timed(struct mlv_cuda *cuda, enum mlv_cu_call call, uint64_t since)
{
	struct mlv_call_times *times = &cuda->times[call];
	uint64_t took = mlv_cuda_now() - since;
	times->total += took;
	if (!mlv_vec_push(&times->each, took > UINT32_MAX ? UINT32_MAX : (uint32_t)took))
		cuda->no_memory = true;
}

static int by_time(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	return (x > y) - (x < y);
}

/* The least of the times that so many percent of all do not exceed. */
static uint64_t percentile(const struct mlv_call_times *times, size_t percent)
{
	return times->each.data[(times->each.len * percent + 99) / 100 - 1];
}

struct mlv_call_figures mlv_call_figures(struct mlv_call_times *times)
{
	size_t n = times->each.len;
	if (!n)
		return (struct mlv_call_figures){ 0 };
	qsort(times->each.data, n, sizeof(*times->each.data), by_time);
	return (struct mlv_call_figures){ .count = n,
					  .total_ns = times->total,
					  .p50_ns = percentile(times, 50),
					  .p99_ns = percentile(times, 99),
					  .max_ns = times->each.data[n - 1] };
}
