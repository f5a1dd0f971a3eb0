/* SPDX-License-Identifier: MIT */
/* Addresses and memory by themselves, and the one mapped to the other. */
#include <sys/mman.h>

#include "fake.h"

static bool whole(uint64_t n)
{
	return n && n % fake.options.granularity == 0;
}

/* ---- addresses ---- */

mlv_cu_result fake_cuMemAddressReserve(mlv_cu_ptr *ptr, size_t bytes, size_t alignment,
				       mlv_cu_ptr at, unsigned long long flags)
{
	mlv_cu_result r = fake_enter_context(MLV_CU_cuMemAddressReserve);
	uint64_t step = fake.options.granularity;
	if (r)
		return r;
	if (!whole(bytes) || alignment || at || flags)
		return fake_misuse("cuMemAddressReserve of %zu bytes", bytes);
	char *p = mmap(NULL, bytes + step, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
		       -1, 0);
	if (p == MAP_FAILED)
		return MLV_CU_OUT_OF_MEMORY;
	/* Aligned as devices do it: what is too much goes back. */
	uint64_t begin = fake_up((uintptr_t)p, step), front = begin - (uintptr_t)p;
	if (front)
		(void)munmap(p, front);
	if (step - front)
		(void)munmap(p + front + bytes, step - front);
	fake_areas_add(&fake.current->ranges, (struct fake_area){ .at = begin, .bytes = bytes });
	*ptr = begin;
	return r;
}

mlv_cu_result fake_cuMemAddressFree(mlv_cu_ptr ptr, size_t bytes)
{
	mlv_cu_result r = fake_enter_context(MLV_CU_cuMemAddressFree);
	if (fake_refuses(r))
		return r;
	struct fake_device *d = fake.current;
	struct fake_area *range = fake_areas_at(&d->ranges, ptr);
	if (!range || range->bytes != bytes)
		return fake_misuse("cuMemAddressFree of %#llx, which is no range", ptr);
	if (fake_areas_touch(&d->maps, ptr, bytes))
		return fake_misuse("cuMemAddressFree of %#llx, where memory is mapped", ptr);
	(void)munmap((void *)(uintptr_t)ptr, bytes);
	fake_areas_remove(&d->ranges, range);
	return r;
}

/* ---- memory ---- */

mlv_cu_result fake_cuMemGetAllocationGranularity(size_t *bytes,
						 const struct mlv_cu_allocation *prop, int option)
{
	mlv_cu_result r = fake_enter(MLV_CU_cuMemGetAllocationGranularity);
	(void)option;
	if (!r && prop->type != MLV_CU_ALLOCATION_PINNED)
		return fake_misuse("granularity of memory that is not pinned");
	*bytes = fake.options.granularity;
	return r;
}

mlv_cu_result fake_cuMemCreate(mlv_cu_handle *handle, size_t bytes,
			       const struct mlv_cu_allocation *prop, unsigned long long flags)
{
	mlv_cu_result r = fake_enter_context(MLV_CU_cuMemCreate);
	struct fake_device *d = fake.current;
	if (r)
		return r;
	if (!whole(bytes) || flags || prop->type != MLV_CU_ALLOCATION_PINNED ||
	    prop->location.type != MLV_CU_LOCATION_DEVICE ||
	    prop->location.id != (int)(d - fake.devices))
		return fake_misuse("cuMemCreate of %zu bytes", bytes);
	struct fake_area memory = { .at = ++fake.last_handle,
				    .bytes = bytes,
				    .cost = bytes + fake.options.overhead };
	if (!fake_take(d, memory.cost))
		return MLV_CU_OUT_OF_MEMORY;
	memory.memory = fake_memory_new(bytes);
	fake_areas_add(&d->handles, memory);
	*handle = memory.at;
	return r;
}

/* Memory lives as long as its handle, or a map. */
static void drop_unused(struct fake_device *d, struct fake_area *memory)
{
	if (!memory->released || memory->maps)
		return;
	fake_memory_drop(memory->memory, memory->bytes);
	d->taken -= memory->cost;
	fake_areas_remove(&d->handles, memory);
}

mlv_cu_result fake_cuMemRelease(mlv_cu_handle handle)
{
	mlv_cu_result r = fake_enter_context(MLV_CU_cuMemRelease);
	if (fake_refuses(r))
		return r;
	struct fake_area *memory = fake_areas_at(&fake.current->handles, handle);
	if (!memory || memory->released)
		return fake_misuse("cuMemRelease of %llu, which is no handle", handle);
	memory->released = true;
	drop_unused(fake.current, memory);
	return r;
}

/* ---- maps ---- */

mlv_cu_result fake_cuMemMap(mlv_cu_ptr ptr, size_t bytes, size_t offset, mlv_cu_handle handle,
			    unsigned long long flags)
{
	mlv_cu_result r = fake_enter_context(MLV_CU_cuMemMap);
	struct fake_device *d = fake.current;
	if (r)
		return r;
	struct fake_area *memory = fake_areas_at(&d->handles, handle);
	struct fake_area *range = fake_areas_holding(&d->ranges, ptr);
	if (!memory || memory->released || memory->bytes != bytes || offset || flags)
		return fake_misuse("cuMemMap of handle %llu, which is no such memory", handle);
	if (!range || ptr + bytes > range->at + range->bytes || ptr % fake.options.granularity)
		return fake_misuse("cuMemMap to %#llx, which is not reserved", ptr);
	if (fake_areas_touch(&d->maps, ptr, bytes))
		return fake_misuse("cuMemMap to %#llx, where memory is mapped", ptr);
	memory->maps++;
	fake_memory_show(ptr, bytes, memory->memory, false);
	fake_areas_add(&d->maps, (struct fake_area){ .at = ptr, .bytes = bytes, .handle = handle });
	return r;
}

mlv_cu_result fake_cuMemUnmap(mlv_cu_ptr ptr, size_t bytes)
{
	mlv_cu_result r = fake_enter_context(MLV_CU_cuMemUnmap);
	if (fake_refuses(r))
		return r;
	struct fake_device *d = fake.current;
	struct fake_area *map = fake_areas_at(&d->maps, ptr);
	if (!map || map->bytes != bytes)
		return fake_misuse("cuMemUnmap of %#llx, which is no map", ptr);
	struct fake_area *memory = fake_areas_at(&d->handles, map->handle);
	memory->maps--;
	fake_memory_hide(ptr, bytes);
	fake_areas_remove(&d->maps, map);
	drop_unused(d, memory);
	return r;
}

mlv_cu_result fake_cuMemSetAccess(mlv_cu_ptr ptr, size_t bytes, const struct mlv_cu_access *access,
				  size_t count)
{
	mlv_cu_result r = fake_enter_context(MLV_CU_cuMemSetAccess);
	struct fake_device *d = fake.current;
	if (r)
		return r;
	if (count != 1 || access->flags != MLV_CU_ACCESS_READWRITE ||
	    access->location.type != MLV_CU_LOCATION_DEVICE ||
	    access->location.id != (int)(d - fake.devices))
		return fake_misuse("cuMemSetAccess for something else than this device");
	for (uint64_t at = ptr; at < ptr + bytes;) {
		struct fake_area *map = fake_areas_at(&d->maps, at);
		if (!map || map->bytes > ptr + bytes - at)
			return fake_misuse("cuMemSetAccess at %#llx, where no memory is mapped",
					   (unsigned long long)at);
		map->accessible = true;
		fake_memory_show(at, map->bytes, fake_areas_at(&d->handles, map->handle)->memory,
				 true);
		at += map->bytes;
	}
	return r;
}
