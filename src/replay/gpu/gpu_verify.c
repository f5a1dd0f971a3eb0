/* SPDX-License-Identifier: MIT */
#include "replay/gpu/gpu_verify.h"

#include <string.h>

enum { BATCH = 4096, SAMPLES = 16, SAMPLE_WORDS = 1024 };

/* No block number of a recording comes near the factor's period: words differ between blocks. */
static uint32_t word_of(uint32_t block)
{
	return (block + 1) * 2654435761u;
}

static bool nomem(struct mlv_gpu_verify *v)
{
	mlv_err_nomem(&v->gpu->err);
	return false;
}

static bool ok(struct mlv_gpu_verify *v, enum mlv_cu_call call, mlv_cu_result result)
{
	return !result || mlv_gpu_failed(v->gpu, call, result, "verifying memory") == MLV_GPU_DONE;
}

/* The kernel and its results; without them samples are read. */
static void load_kernel(struct mlv_gpu_verify *v)
{
	struct mlv_cuda *cuda = &v->gpu->cuda;
	const struct mlv_cu_table *c = &cuda->call;
	if (!c->cuModuleLoadData || !c->cuModuleUnload || !c->cuModuleGetFunction ||
	    !c->cuLaunchKernel)
		return;
	if (MLV_CUDA(cuda, cuModuleLoadData, (&v->module, mlv_gpu_kernels))) {
		v->module = NULL;
		return;
	}
	if (c->cuModuleGetFunction(&v->check, v->module, MLV_GPU_CHECK_KERNEL))
		v->check = NULL;
}

static bool clear_slots(struct mlv_gpu_verify *v)
{
	mlv_cu_result r = MLV_CUDA(&v->gpu->cuda, cuMemsetD32Async,
				   (v->slots, 0, BATCH * sizeof(struct mlv_gpu_check) / 4, NULL));
	return ok(v, MLV_CU_cuMemsetD32Async, r);
}

void mlv_gpu_verify_fini(struct mlv_gpu_verify *v)
{
	if (v->slots)
		(void)v->gpu->cuda.call.cuMemFree(v->slots);
	if (v->module)
		(void)v->gpu->cuda.call.cuModuleUnload(v->module);
	mlv_vec_free(&v->pending);
	mlv_vec_free(&v->words);
	mlv_vec_free(&v->filled);
	v->slots = 0;
	v->module = NULL;
}

bool mlv_gpu_verify_fill(struct mlv_gpu_verify *v, uint32_t block, mlv_cu_ptr ptr, uint64_t words)
{
	while (v->filled.len <= block) {
		if (!mlv_vec_push(&v->filled, false))
			return nomem(v);
	}
	v->filled.data[block] = true;
	if (!words)
		return true;
	mlv_cu_result r =
		MLV_CUDA(&v->gpu->cuda, cuMemsetD32Async, (ptr, word_of(block), words, NULL));
	return ok(v, MLV_CU_cuMemsetD32Async, r);
}

static void wrong(struct mlv_gpu_verify *v, uint32_t block, uint64_t word)
{
	if (!v->errors++) {
		v->first_error = block;
		v->first_error_at = 4 * word;
	}
}

/* ---- on the device ---- */

static bool launch(struct mlv_gpu_verify *v, uint32_t block, mlv_cu_ptr ptr, uint64_t words,
		   mlv_cu_ptr slot)
{
	enum { THREADS = 256, MOST_BLOCKS = 2048 };
	unsigned expected = word_of(block);
	unsigned long long count = words;
	void *parameters[] = { &ptr, &count, &expected, &slot };
	uint64_t blocks = (words + THREADS - 1) / THREADS;
	mlv_cu_result r =
		MLV_CUDA(&v->gpu->cuda, cuLaunchKernel,
			 (v->check, (unsigned)(blocks < MOST_BLOCKS ? blocks : MOST_BLOCKS), 1, 1,
			  THREADS, 1, 1, 0, NULL, parameters, NULL));
	return ok(v, MLV_CU_cuLaunchKernel, r);
}

static bool check_there(struct mlv_gpu_verify *v, uint32_t block, mlv_cu_ptr ptr, uint64_t words)
{
	mlv_cu_ptr slot = v->slots + v->pending.len * sizeof(struct mlv_gpu_check);
	if (!launch(v, block, ptr, words, slot))
		return false;
	if (!mlv_vec_push(&v->pending, block) || !mlv_vec_push(&v->words, words))
		return nomem(v);
	return v->pending.len < BATCH || mlv_gpu_verify_flush(v);
}

bool mlv_gpu_verify_init(struct mlv_gpu_verify *v, struct mlv_gpu *gpu)
{
	const struct mlv_cu_table *c = &gpu->cuda.call;
	*v = (struct mlv_gpu_verify){ .gpu = gpu };
	if (!c->cuMemsetD32Async || !c->cuMemcpyDtoH) {
		mlv_err_set(&gpu->err, MLV_E_DEVICE,
			    "--verify: this driver has no cuMemsetD32Async or cuMemcpyDtoH");
		return false;
	}
	gpu->synchronous = true;
	load_kernel(v);
	if (!v->check)
		return true;
	mlv_cu_result r = c->cuMemAlloc(&v->slots, BATCH * sizeof(struct mlv_gpu_check));
	/*
	 * Once before anything is measured: the driver may take memory for its first fill, and
	 * loads a kernel when it is launched for the first time.
	 */
	return ok(v, MLV_CU_cuMemAlloc, r) && clear_slots(v) &&
	       launch(v, 0, v->slots, 1, v->slots) && clear_slots(v) &&
	       ok(v, MLV_CU_cuCtxSynchronize, c->cuCtxSynchronize());
}

bool mlv_gpu_verify_flush(struct mlv_gpu_verify *v)
{
	struct mlv_gpu_check *results;
	size_t n = v->pending.len;
	if (!n)
		return true;
	results = calloc(n, sizeof(*results));
	if (!results)
		return nomem(v);
	mlv_cu_result r =
		MLV_CUDA(&v->gpu->cuda, cuMemcpyDtoH, (results, v->slots, n * sizeof(*results)));
	for (size_t i = 0; !r && i < n; i++) {
		if (results[i].wrong)
			wrong(v, v->pending.data[i], v->words.data[i] - results[i].words_left);
	}
	free(results);
	v->pending.len = v->words.len = 0;
	return ok(v, MLV_CU_cuMemcpyDtoH, r) && clear_slots(v);
}

/* ---- by samples ---- */

static bool read_sample(struct mlv_gpu_verify *v, uint32_t block, mlv_cu_ptr ptr, uint64_t from,
			uint64_t words, bool *good)
{
	uint32_t sample[SAMPLE_WORDS];
	mlv_cu_result r =
		MLV_CUDA(&v->gpu->cuda, cuMemcpyDtoH, (sample, ptr + 4 * from, 4 * words));
	if (!ok(v, MLV_CU_cuMemcpyDtoH, r))
		return false;
	for (uint64_t i = 0; *good && i < words; i++) {
		if (sample[i] == word_of(block))
			continue;
		wrong(v, block, from + i);
		*good = false;
	}
	return true;
}

static bool read_back(struct mlv_gpu_verify *v, uint32_t block, mlv_cu_ptr ptr, uint64_t words)
{
	bool good = true;
	uint64_t n = words < SAMPLE_WORDS ? words : SAMPLE_WORDS, rest = words - n;
	for (uint64_t i = 0; good && i < SAMPLES; i++) {
		if (!read_sample(v, block, ptr, rest * i / (SAMPLES - 1), n, &good))
			return false;
		if (!rest)
			break;
	}
	return true;
}

bool mlv_gpu_verify_check(struct mlv_gpu_verify *v, uint32_t block, mlv_cu_ptr ptr, uint64_t words)
{
	if (block >= v->filled.len || !v->filled.data[block])
		return true;
	v->blocks++;
	v->bytes += 4 * words;
	if (!words)
		return true;
	return v->check ? check_there(v, block, ptr, words) : read_back(v, block, ptr, words);
}
