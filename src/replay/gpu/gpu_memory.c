/* SPDX-License-Identifier: MIT */
/* Taking memory and giving it back, each call checked and timed. */
#include "replay/gpu/gpu.h"

enum mlv_gpu_answer mlv_gpu_free_bytes(struct mlv_gpu *g, uint64_t *bytes)
{
	size_t left = 0, total = 0;
	mlv_cu_result r = MLV_CUDA(&g->cuda, cuMemGetInfo, (&left, &total));
	if (r)
		return mlv_gpu_failed(g, MLV_CU_cuMemGetInfo, r, "asking for free memory");
	*bytes = left;
	return MLV_GPU_DONE;
}

static enum mlv_gpu_answer nomem(struct mlv_gpu *g)
{
	mlv_err_nomem(&g->err);
	return MLV_GPU_FAILED;
}

static enum mlv_gpu_answer device_is_full(struct mlv_gpu *g)
{
	g->refused_by_device++;
	return MLV_GPU_NO_MEMORY;
}

/* Whether so many bytes more may be taken. */
static bool may_take(struct mlv_gpu *g, uint64_t bytes)
{
	if (g->taken <= g->most && bytes <= g->most - g->taken)
		return true;
	g->refused_by_most++;
	return false;
}

static void note_peak(struct mlv_gpu *g)
{
	if (g->taken > g->taken_peak)
		g->taken_peak = g->taken;
}

enum mlv_gpu_answer mlv_gpu_alloc(struct mlv_gpu *g, uint64_t bytes, mlv_cu_ptr *ptr)
{
	struct mlv_gpu_area piece = { .bytes = bytes };
	if (!may_take(g, bytes))
		return MLV_GPU_NO_MEMORY;
	if (!mlv_gpu_held_room(&g->pieces))
		return nomem(g);
	mlv_cu_result r = MLV_CUDA(&g->cuda, cuMemAlloc, (&piece.at, bytes));
	if (r == MLV_CU_OUT_OF_MEMORY)
		return device_is_full(g);
	if (r)
		return mlv_gpu_failed(g, MLV_CU_cuMemAlloc, r, "taking memory");
	if (!mlv_gpu_held_add(&g->pieces, piece)) {
		(void)g->cuda.call.cuMemFree(piece.at);
		return nomem(g);
	}
	g->taken += bytes;
	note_peak(g);
	*ptr = piece.at;
	return MLV_GPU_DONE;
}

enum mlv_gpu_answer mlv_gpu_free(struct mlv_gpu *g, mlv_cu_ptr ptr)
{
	struct mlv_gpu_area *piece = mlv_gpu_held_at(&g->pieces, ptr);
	if (!piece)
		return MLV_GPU_DONE;
	mlv_cu_result r = MLV_CUDA(&g->cuda, cuMemFree, (ptr));
	if (r)
		return mlv_gpu_failed(g, MLV_CU_cuMemFree, r, "giving memory back");
	g->taken -= piece->bytes;
	mlv_gpu_held_remove(&g->pieces, piece);
	return MLV_GPU_DONE;
}

enum mlv_gpu_answer mlv_gpu_reserve(struct mlv_gpu *g, uint64_t bytes, mlv_cu_ptr *ptr)
{
	struct mlv_gpu_area range = { .bytes = bytes };
	if (!mlv_gpu_held_room(&g->ranges))
		return nomem(g);
	mlv_cu_result r = MLV_CUDA(&g->cuda, cuMemAddressReserve, (&range.at, bytes, 0, 0, 0));
	if (r == MLV_CU_OUT_OF_MEMORY)
		return device_is_full(g);
	if (r)
		return mlv_gpu_failed(g, MLV_CU_cuMemAddressReserve, r, "reserving addresses");
	if (!mlv_gpu_held_add(&g->ranges, range)) {
		(void)g->cuda.call.cuMemAddressFree(range.at, bytes);
		return nomem(g);
	}
	*ptr = range.at;
	return MLV_GPU_DONE;
}

enum mlv_gpu_answer mlv_gpu_release(struct mlv_gpu *g, mlv_cu_ptr ptr)
{
	struct mlv_gpu_area *range = mlv_gpu_held_at(&g->ranges, ptr);
	if (!range)
		return MLV_GPU_DONE;
	mlv_cu_result r = MLV_CUDA(&g->cuda, cuMemAddressFree, (ptr, range->bytes));
	if (r)
		return mlv_gpu_failed(g, MLV_CU_cuMemAddressFree, r, "releasing addresses");
	mlv_gpu_held_remove(&g->ranges, range);
	return MLV_GPU_DONE;
}

/* ---- cells ---- */

static enum mlv_gpu_answer unmap_cell(struct mlv_gpu *g, struct mlv_gpu_area *cell)
{
	struct mlv_gpu_area c = *cell;
	mlv_cu_result r = MLV_CUDA(&g->cuda, cuMemUnmap, (c.at, c.bytes));
	if (r)
		return mlv_gpu_failed(g, MLV_CU_cuMemUnmap, r, "unmapping memory");
	mlv_gpu_held_remove(&g->cells, cell);
	g->taken -= c.bytes;
	r = MLV_CUDA(&g->cuda, cuMemRelease, (c.handle));
	if (!r)
		return MLV_GPU_DONE;
	(void)mlv_vec_push(&g->loose, c); /* once more at the end */
	return mlv_gpu_failed(g, MLV_CU_cuMemRelease, r, "giving memory back");
}

static enum mlv_gpu_answer create(struct mlv_gpu *g, struct mlv_gpu_area *cell)
{
	struct mlv_cu_allocation prop = mlv_gpu_allocation(g);
	mlv_cu_result r = MLV_CUDA(&g->cuda, cuMemCreate, (&cell->handle, cell->bytes, &prop, 0));
	if (r == MLV_CU_OUT_OF_MEMORY)
		return device_is_full(g);
	return r ? mlv_gpu_failed(g, MLV_CU_cuMemCreate, r, "taking memory") : MLV_GPU_DONE;
}

static enum mlv_gpu_answer map(struct mlv_gpu *g, const struct mlv_gpu_area *cell)
{
	mlv_cu_result r = MLV_CUDA(&g->cuda, cuMemMap, (cell->at, cell->bytes, 0, cell->handle, 0));
	if (!r && mlv_gpu_held_add(&g->cells, *cell)) {
		g->taken += cell->bytes;
		return MLV_GPU_DONE;
	}
	if (!r)
		(void)g->cuda.call.cuMemUnmap(cell->at, cell->bytes);
	(void)g->cuda.call.cuMemRelease(cell->handle);
	if (r == MLV_CU_OUT_OF_MEMORY)
		return device_is_full(g);
	return r ? mlv_gpu_failed(g, MLV_CU_cuMemMap, r, "mapping memory") : nomem(g);
}

static enum mlv_gpu_answer add_cell(struct mlv_gpu *g, mlv_cu_ptr at, uint64_t bytes)
{
	struct mlv_gpu_area cell = { .at = at, .bytes = bytes };
	if (!mlv_gpu_held_room(&g->cells))
		return nomem(g);
	enum mlv_gpu_answer answer = create(g, &cell);
	return answer ? answer : map(g, &cell);
}

static enum mlv_gpu_answer make_accessible(struct mlv_gpu *g, mlv_cu_ptr at, uint64_t bytes)
{
	struct mlv_cu_access access = { { MLV_CU_LOCATION_DEVICE, g->device },
					MLV_CU_ACCESS_READWRITE };
	mlv_cu_result r = MLV_CUDA(&g->cuda, cuMemSetAccess, (at, bytes, &access, 1));
	if (r == MLV_CU_OUT_OF_MEMORY)
		return device_is_full(g);
	return r ? mlv_gpu_failed(g, MLV_CU_cuMemSetAccess, r, "making memory accessible")
		 : MLV_GPU_DONE;
}

enum mlv_gpu_answer mlv_gpu_map(struct mlv_gpu *g, mlv_cu_ptr at, uint64_t bytes, uint64_t cell)
{
	uint64_t done = 0;
	enum mlv_gpu_answer answer = MLV_GPU_DONE;
	if (!may_take(g, bytes))
		return MLV_GPU_NO_MEMORY;
	for (; !answer && done < bytes; done += answer ? 0 : cell)
		answer = add_cell(g, at + done, cell);
	if (!answer)
		answer = make_accessible(g, at, bytes);
	/* What is undone at once is no peak. */
	if (!answer)
		note_peak(g);
	if (answer == MLV_GPU_NO_MEMORY && mlv_gpu_unmap(g, at, done))
		return MLV_GPU_FAILED;
	return answer;
}

enum mlv_gpu_answer mlv_gpu_unmap(struct mlv_gpu *g, mlv_cu_ptr at, uint64_t bytes)
{
	mlv_cu_ptr end = at + bytes;
	/* As PyTorch does: whoever still works in it comes to an end first. */
	mlv_cu_result r =
		g->synchronous && bytes ? MLV_CUDA(&g->cuda, cuCtxSynchronize, ()) : MLV_CU_SUCCESS;
	if (r)
		return mlv_gpu_failed(g, MLV_CU_cuCtxSynchronize, r, "waiting for the device");
	while (at < end) {
		struct mlv_gpu_area *cell = mlv_gpu_held_at(&g->cells, at);
		if (!cell)
			break;
		at += cell->bytes;
		enum mlv_gpu_answer answer = unmap_cell(g, cell);
		if (answer)
			return answer;
	}
	return MLV_GPU_DONE;
}

/* ---- the end: nothing stops at an error, since a lost device answers each call with one ---- */

void mlv_gpu_give_all(struct mlv_gpu *g)
{
	const struct mlv_cu_table *c = &g->cuda.call;
	(void)c->cuCtxSynchronize();
	for (size_t i = 0; i < g->cells.areas.len; i++) {
		struct mlv_gpu_area *cell = &g->cells.areas.data[i];
		if (!cell->bytes)
			continue;
		(void)c->cuMemUnmap(cell->at, cell->bytes);
		(void)c->cuMemRelease(cell->handle);
	}
	for (size_t i = 0; i < g->ranges.areas.len; i++) {
		struct mlv_gpu_area *range = &g->ranges.areas.data[i];
		if (range->bytes)
			(void)c->cuMemAddressFree(range->at, range->bytes);
	}
	for (size_t i = 0; i < g->pieces.areas.len; i++) {
		if (g->pieces.areas.data[i].bytes)
			(void)c->cuMemFree(g->pieces.areas.data[i].at);
	}
	mlv_gpu_held_fini(&g->cells);
	mlv_gpu_held_fini(&g->ranges);
	mlv_gpu_held_fini(&g->pieces);
	g->taken = 0;
}
