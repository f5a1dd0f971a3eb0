/* SPDX-License-Identifier: MIT */
/*
 * Device memory: a sparse file in the host's memory, parts of which are shown
 * at addresses. Whoever reads or writes where nothing is shown gets a
 * segmentation fault. Two takes that share a part of the file do overlap.
 */
#include <fcntl.h>
#include <sys/mman.h>

#include "fake.h"

uint64_t fake_up(uint64_t n, uint64_t step)
{
	return (n + step - 1) / step * step;
}

bool fake_take(struct fake_device *d, uint64_t cost)
{
	int64_t used = (int64_t)(d->taken + d->context) + d->foreign;
	if (cost > fake.options.capacity || used + (int64_t)cost > (int64_t)fake.options.capacity)
		return false;
	d->taken += cost;
	if (d->taken > fake.figures.taken_peak)
		fake.figures.taken_peak = d->taken;
	return true;
}

uint64_t fake_memory_new(uint64_t bytes)
{
	uint64_t at = ++fake.takes == fake.options.alias ? fake.memory_last : fake.memory_end;
	fake.memory_last = at;
	if (at + bytes > fake.memory_end)
		fake.memory_end = at + bytes;
	return at;
}

void fake_memory_drop(uint64_t memory, uint64_t bytes)
{
	if (fallocate(fake.memory, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)memory,
		      (off_t)bytes))
		fake_fatal("the host's memory cannot be given back");
}

void fake_memory_show(uint64_t at, uint64_t bytes, uint64_t memory, bool accessible)
{
	void *to = (void *)(uintptr_t)at;
	if (mmap(to, bytes, accessible ? PROT_READ | PROT_WRITE : PROT_NONE,
		 MAP_SHARED | MAP_FIXED | MAP_NORESERVE, fake.memory, (off_t)memory) != to)
		fake_fatal("the host has no memory, or too many pieces are live");
}

void fake_memory_hide(uint64_t at, uint64_t bytes)
{
	void *to = (void *)(uintptr_t)at;
	if (mmap(to, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1,
		 0) != to)
		fake_fatal("the host has no memory");
}

/* ---- cudaMalloc ---- */

mlv_cu_result fake_cuMemAlloc(mlv_cu_ptr *ptr, size_t bytes)
{
	mlv_cu_result r = fake_enter_context(MLV_CU_cuMemAlloc);
	struct fake_device *d = fake.current;
	if (r)
		return r;
	if (!bytes)
		return fake_misuse("cuMemAlloc of 0 bytes");
	if (bytes > fake.options.capacity)
		return MLV_CU_OUT_OF_MEMORY;
	uint64_t size = fake_up(bytes, fake.options.step);
	struct fake_area piece = { .bytes = size,
				   .cost = size + fake.options.overhead,
				   .accessible = true };
	if (!fake_take(d, piece.cost))
		return MLV_CU_OUT_OF_MEMORY;
	piece.at = fake_place(&d->places, size);
	piece.memory = fake_memory_new(size);
	fake_memory_show(piece.at, size, piece.memory, true);
	fake_areas_add(&d->pieces, piece);
	*ptr = piece.at;
	return r;
}

mlv_cu_result fake_cuMemFree(mlv_cu_ptr ptr)
{
	mlv_cu_result r = fake_enter_context(MLV_CU_cuMemFree);
	if (fake_refuses(r))
		return r;
	struct fake_device *d = fake.current;
	struct fake_area *piece = fake_areas_at(&d->pieces, ptr);
	if (!piece)
		return fake_misuse("cuMemFree of %#llx, where nothing is", ptr);
	fake_memory_hide(piece->at, piece->bytes);
	fake_memory_drop(piece->memory, piece->bytes);
	fake_place_back(&d->places, piece->at, piece->bytes);
	d->taken -= piece->cost;
	fake_areas_remove(&d->pieces, piece);
	return r;
}
