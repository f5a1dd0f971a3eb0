/* SPDX-License-Identifier: MIT */
/* Devices and their contexts: where all begins, and where what was not given back is told. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fake.h"

#define WINDOW (UINT64_C(1) << 41)
#define MEMORY (UINT64_C(1) << 50)

static void open_memory(void)
{
	if (fake.memory > 0)
		return;
	fake.memory = memfd_create("fakecuda", MFD_CLOEXEC);
	if (fake.memory <= 0 || ftruncate(fake.memory, (off_t)MEMORY))
		fake_fatal("no file in the host's memory");
}

/* A program that has left all contexts, as a test does, begins anew. */
static void begin(void)
{
	for (size_t i = 0; i < FAKE_DEVICES; i++) {
		if (fake.devices[i].retained)
			return;
	}
	int memory = fake.memory;
	fake = (struct fake){ .memory = memory };
	fake_read_options(&fake.options);
}

mlv_cu_result fake_cuInit(unsigned flags)
{
	begin();
	mlv_cu_result r = fake_enter(MLV_CU_cuInit);
	if (r)
		return r;
	if (flags)
		return fake_misuse("cuInit with flags");
	if (!fake.options.devices)
		return MLV_CU_NO_DEVICE;
	open_memory();
	fake.started = true;
	return r;
}

mlv_cu_result fake_cuDriverGetVersion(int *version)
{
	mlv_cu_result r = fake_enter(MLV_CU_cuDriverGetVersion);
	if (!r)
		*version = 13000;
	return r;
}

/* Not counted as a call: who is told of an error wants its name whatever happened. */
mlv_cu_result fake_cuGetErrorName(mlv_cu_result error, const char **name)
{
	*name = fake_error_name(error);
	return *name ? MLV_CU_SUCCESS : MLV_CU_INVALID_VALUE;
}

mlv_cu_result fake_cuDeviceGetCount(int *count)
{
	mlv_cu_result r = fake_enter(MLV_CU_cuDeviceGetCount);
	if (!r)
		*count = (int)fake.options.devices;
	return r;
}

static bool exists(int device)
{
	return device >= 0 && device < (int)fake.options.devices;
}

mlv_cu_result fake_cuDeviceGet(mlv_cu_device *device, int ordinal)
{
	mlv_cu_result r = fake_enter(MLV_CU_cuDeviceGet);
	if (r)
		return r;
	*device = ordinal;
	return exists(ordinal) ? r : fake_misuse("cuDeviceGet of %d", ordinal);
}

mlv_cu_result fake_cuDeviceGetName(char *name, int size, mlv_cu_device device)
{
	mlv_cu_result r = fake_enter(MLV_CU_cuDeviceGetName);
	if (!r)
		snprintf(name, (size_t)size, "Fake GPU %d", device);
	return r;
}

mlv_cu_result fake_cuDeviceGetAttribute(int *value, int attribute, mlv_cu_device device)
{
	mlv_cu_result r = fake_enter(MLV_CU_cuDeviceGetAttribute);
	if (r)
		return r;
	if (attribute != MLV_CU_ATTRIBUTE_VIRTUAL_MEMORY || !exists(device))
		return fake_misuse("cuDeviceGetAttribute %d of %d", attribute, device);
	*value = fake.options.mapping;
	return r;
}

/* ---- contexts ---- */

static void enter(struct fake_device *d)
{
	*d = (struct fake_device){ .retained = 1, .context = fake.options.context };
	d->window =
		mmap(NULL, WINDOW, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (d->window == MAP_FAILED)
		fake_fatal("no addresses");
	fake_places_init(&d->places, fake_up((uintptr_t)d->window, UINT64_C(1) << 30),
			 WINDOW - (UINT64_C(1) << 30));
}

mlv_cu_result fake_cuDevicePrimaryCtxRetain(mlv_cu_context *context, mlv_cu_device device)
{
	mlv_cu_result r = fake_enter(MLV_CU_cuDevicePrimaryCtxRetain);
	if (r)
		return r;
	if (!exists(device))
		return fake_misuse("cuDevicePrimaryCtxRetain of %d", device);
	struct fake_device *d = &fake.devices[device];
	if (d->retained)
		d->retained++;
	else
		enter(d);
	*context = d;
	return r;
}

mlv_cu_result fake_cuCtxSetCurrent(mlv_cu_context context)
{
	mlv_cu_result r = fake_enter(MLV_CU_cuCtxSetCurrent);
	if (!r)
		fake.current = context;
	return r;
}

mlv_cu_result fake_cuCtxSynchronize(void)
{
	return fake_enter_context(MLV_CU_cuCtxSynchronize);
}

mlv_cu_result fake_cuMemGetInfo(size_t *free_bytes, size_t *total)
{
	mlv_cu_result r = fake_enter_context(MLV_CU_cuMemGetInfo);
	struct fake_device *d = fake.current;
	const struct fake_options *o = &fake.options;
	if (r)
		return r;
	for (size_t i = 0; i < FAKE_INJECTIONS; i++) {
		if (o->foreign[i].at == fake.figures.calls[MLV_CU_cuMemGetInfo])
			d->foreign += o->foreign[i].bytes;
	}
	int64_t used = (int64_t)(d->taken + d->context) + d->foreign;
	*total = o->capacity;
	*free_bytes = used < (int64_t)o->capacity ? o->capacity - (uint64_t)used : 0;
	return r;
}

/* ---- the end ---- */

static void write_line(FILE *f, const struct fakecuda_figures *n)
{
	fprintf(f,
		"fakecuda: left: %llu pieces, %llu handles, %llu maps, %llu ranges, %llu modules, "
		"%llu bytes; misuse: %llu\n",
		(unsigned long long)n->pieces, (unsigned long long)n->handles,
		(unsigned long long)n->maps, (unsigned long long)n->ranges,
		(unsigned long long)n->modules, (unsigned long long)n->taken,
		(unsigned long long)n->misuse);
}

/* Into the report if one is wanted, else to standard error if it is nothing good. */
static void report(void)
{
	struct fakecuda_figures n;
	fakecuda_tell(&n);
	uint64_t left = n.pieces + n.handles + n.maps + n.ranges + n.modules;
	fake.figures.left += left;
	if (*fake.options.report) {
		FILE *f = fopen(fake.options.report, "a");
		if (!f)
			fake_fatal("%s cannot be written", fake.options.report);
		write_line(f, &n);
		fclose(f);
	} else if (left || n.misuse) {
		write_line(stderr, &n);
	}
}

static void leave(struct fake_device *d)
{
	for (size_t i = 0; i < d->ranges.len; i++)
		(void)munmap((void *)(uintptr_t)d->ranges.rows[i].at, d->ranges.rows[i].bytes);
	for (size_t i = 0; i < d->handles.len; i++)
		fake_memory_drop(d->handles.rows[i].memory, d->handles.rows[i].bytes);
	for (size_t i = 0; i < d->pieces.len; i++)
		fake_memory_drop(d->pieces.rows[i].memory, d->pieces.rows[i].bytes);
	(void)munmap(d->window, WINDOW);
	fake_areas_clear(&d->pieces);
	fake_areas_clear(&d->ranges);
	fake_areas_clear(&d->maps);
	fake_areas_clear(&d->handles);
	fake_places_clear(&d->places);
}

mlv_cu_result fake_cuDevicePrimaryCtxRelease(mlv_cu_device device)
{
	mlv_cu_result r = fake_enter(MLV_CU_cuDevicePrimaryCtxRelease);
	if (!exists(device) || !fake.devices[device].retained)
		return fake_misuse("cuDevicePrimaryCtxRelease of %d", device);
	struct fake_device *d = &fake.devices[device];
	if ((r && !fake.lost) || --d->retained)
		return r;
	report();
	leave(d);
	if (fake.current == d)
		fake.current = NULL;
	return r;
}

/* The library is closed, or the program ends. */
__attribute__((destructor)) static void end(void)
{
	for (size_t i = 0; i < FAKE_DEVICES; i++) {
		if (fake.devices[i].retained)
			fprintf(stderr, "fakecuda: the context of device %zu was not released\n",
				i);
	}
	if (fake.memory > 0)
		(void)close(fake.memory);
}
