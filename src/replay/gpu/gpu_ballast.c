/* SPDX-License-Identifier: MIT */
/*
 * Memory that is taken so that so much remains, or less by up to one step of
 * the device's granularity, since no more can be taken of the rest either: a
 * smaller GPU, for real. It is created and never mapped, so that it stands at no address and
 * does not change where the driver puts what comes later.
 */
#include "base/num.h"
#include "replay/gpu/gpu.h"

static enum mlv_gpu_answer create(struct mlv_gpu *g, uint64_t bytes)
{
	struct mlv_cu_allocation prop = mlv_gpu_allocation(g);
	struct mlv_gpu_area cell = { .bytes = bytes };
	if (!mlv_vec_room(&g->loose, 1)) {
		mlv_err_nomem(&g->err);
		return MLV_GPU_FAILED;
	}
	mlv_cu_result r = g->cuda.call.cuMemCreate(&cell.handle, bytes, &prop, 0);
	if (r == MLV_CU_OUT_OF_MEMORY)
		return MLV_GPU_NO_MEMORY;
	if (r)
		return mlv_gpu_failed(g, MLV_CU_cuMemCreate, r, "taking ballast");
	(void)mlv_vec_push(&g->loose, cell);
	g->ballast += bytes;
	return MLV_GPU_DONE;
}

static enum mlv_rc failed(const struct mlv_gpu *g, struct mlv_err *err)
{
	return mlv_err_set(err, g->err.rc, "%s", g->err.msg);
}

enum mlv_rc mlv_gpu_take_ballast(struct mlv_gpu *g, uint64_t remaining, struct mlv_err *err)
{
	char a[MLV_NUM_SIZE], b[MLV_NUM_SIZE];
	uint64_t left;
	if (!g->limited)
		g->most = UINT64_MAX; /* the device itself is the end */
	if (mlv_gpu_free_bytes(g, &left))
		return failed(g, err);
	if (!g->granularity)
		return mlv_err_set(err, MLV_E_DEVICE,
				   "--ballast: device %d cannot take memory without an address",
				   g->device);
	if (remaining > left)
		return mlv_err_set(err, MLV_E_DEVICE,
				   "--ballast: %s are to remain, and %s are free on device %d",
				   mlv_fmt_bytes(a, sizeof(a), remaining),
				   mlv_fmt_bytes(b, sizeof(b), left), g->device);
	/* What the driver itself uses for it is taken into account by asking again. */
	for (unsigned tries = 0; tries < 64; tries++) {
		if (mlv_gpu_free_bytes(g, &left))
			return failed(g, err);
		if (left <= remaining)
			return MLV_OK;
		uint64_t more =
			(left - remaining + g->granularity - 1) / g->granularity * g->granularity;
		enum mlv_gpu_answer answer = create(g, more);
		if (answer == MLV_GPU_NO_MEMORY)
			answer = create(g, g->granularity);
		if (answer == MLV_GPU_FAILED)
			return failed(g, err);
		if (answer == MLV_GPU_NO_MEMORY && left - remaining < g->granularity)
			return MLV_OK; /* nor can anybody else take what is too much */
		if (answer == MLV_GPU_NO_MEMORY)
			break;
	}
	return mlv_err_set(err, MLV_E_DEVICE,
			   "--ballast: no more memory can be taken on device %d though %s are free",
			   g->device, mlv_fmt_bytes(a, sizeof(a), left));
}

void mlv_gpu_give_ballast(struct mlv_gpu *g)
{
	for (size_t i = 0; i < g->loose.len; i++)
		(void)g->cuda.call.cuMemRelease(g->loose.data[i].handle);
	g->loose.len = 0;
	g->ballast = 0;
}
