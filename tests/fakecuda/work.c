/* SPDX-License-Identifier: MIT */
/* What runs on a device: fills, reading back, and the kernel that checks words. */
#include <string.h>

#include "fake.h"

/* Whether all of it may be read and written. */
static bool accessible(struct fake_device *d, uint64_t at, uint64_t bytes)
{
	while (bytes) {
		struct fake_area *a = fake_areas_holding(&d->pieces, at);
		if (!a)
			a = fake_areas_holding(&d->maps, at);
		if (!a || !a->accessible)
			return false;
		uint64_t here = a->at + a->bytes - at;
		if (here >= bytes)
			return true;
		at += here;
		bytes -= here;
	}
	return true;
}

mlv_cu_result fake_cuMemsetD32Async(mlv_cu_ptr ptr, unsigned value, size_t words,
				    mlv_cu_stream stream)
{
	mlv_cu_result r = fake_enter_context(MLV_CU_cuMemsetD32Async);
	uint32_t *p = (uint32_t *)(uintptr_t)ptr;
	if (r)
		return r;
	if (stream || ptr % 4 || !accessible(fake.current, ptr, 4 * words))
		return fake_misuse("cuMemsetD32Async of %zu words at %#llx", words, ptr);
	for (size_t i = 0; i < words; i++)
		p[i] = value;
	if (value && words && ++fake.figures.fills == fake.options.damage)
		p[words - 1] ^= 1U << 7;
	return r;
}

mlv_cu_result fake_cuMemcpyDtoH(void *to, mlv_cu_ptr ptr, size_t bytes)
{
	mlv_cu_result r = fake_enter_context(MLV_CU_cuMemcpyDtoH);
	if (r)
		return r;
	if (!accessible(fake.current, ptr, bytes))
		return fake_misuse("cuMemcpyDtoH of %zu bytes at %#llx", bytes, ptr);
	memcpy(to, (const void *)(uintptr_t)ptr, bytes);
	return r;
}

/* ---- kernels: a module is its text, a function the place of its name there ---- */

mlv_cu_result fake_cuModuleLoadData(mlv_cu_module *module, const void *image)
{
	mlv_cu_result r = fake_enter_context(MLV_CU_cuModuleLoadData);
	union {
		const void *in;
		void *out;
	} text = { image };
	if (r)
		return r;
	if (!fake.options.modules || strncmp(image, ".version ", 9))
		return 218; /* INVALID_PTX */
	fake.current->modules++;
	*module = text.out;
	return r;
}

mlv_cu_result fake_cuModuleUnload(mlv_cu_module module)
{
	mlv_cu_result r = fake_enter_context(MLV_CU_cuModuleUnload);
	if (fake_refuses(r))
		return r;
	if (!module || !fake.current->modules)
		return fake_misuse("cuModuleUnload of what is not loaded");
	fake.current->modules--;
	return r;
}

mlv_cu_result fake_cuModuleGetFunction(mlv_cu_function *function, mlv_cu_module module,
				       const char *name)
{
	mlv_cu_result r = fake_enter_context(MLV_CU_cuModuleGetFunction);
	if (r)
		return r;
	char *entry = strstr(module, ".entry ");
	if (!entry || strncmp(entry + 7, name, strlen(name)) || entry[7 + strlen(name)] != '(')
		return 500; /* NOT_FOUND */
	*function = entry;
	return r;
}

/* mlviz's kernel (gpu_kernel.c), whatever the number of threads. */
static mlv_cu_result check(void **parameters)
{
	struct fake_device *d = fake.current;
	uint64_t words = *(mlv_cu_ptr *)parameters[0], result = *(mlv_cu_ptr *)parameters[3];
	uint64_t count = *(unsigned long long *)parameters[1];
	uint32_t expected = *(unsigned *)parameters[2];
	const uint32_t *p = (const uint32_t *)(uintptr_t)words;
	unsigned long long *out = (unsigned long long *)(uintptr_t)result;
	if (!accessible(d, words, 4 * count) || !accessible(d, result, 16)) {
		(void)fake_misuse("a kernel reads %llu words at %#llx", (unsigned long long)count,
				  (unsigned long long)words);
		return 700; /* ILLEGAL_ADDRESS */
	}
	for (uint64_t i = 0; i < count; i++) {
		if (p[i] == expected)
			continue;
		out[0]++;
		if (count - i > out[1])
			out[1] = count - i;
	}
	return MLV_CU_SUCCESS;
}

mlv_cu_result fake_cuLaunchKernel(mlv_cu_function function, unsigned grid_x, unsigned grid_y,
				  unsigned grid_z, unsigned block_x, unsigned block_y,
				  unsigned block_z, unsigned shared, mlv_cu_stream stream,
				  void **parameters, void **extra)
{
	mlv_cu_result r = fake_enter_context(MLV_CU_cuLaunchKernel);
	if (r)
		return r;
	if (!function || !grid_x || grid_y != 1 || grid_z != 1 || !block_x || block_x > 1024 ||
	    block_y != 1 || block_z != 1 || shared || stream || extra)
		return fake_misuse("cuLaunchKernel of %u blocks of %u threads", grid_x, block_x);
	if (!fake.current->launched) {
		fake.current->launched = true;
		fake.current->context += fake.options.lazy;
	}
	return check(parameters);
}
