/* SPDX-License-Identifier: MIT */
#include "replay/gpu/gpu.h"

#include <string.h>

#include "base/num.h"

enum mlv_gpu_answer mlv_gpu_failed(struct mlv_gpu *g, enum mlv_cu_call call, mlv_cu_result result,
				   const char *what)
{
	mlv_err_set(&g->err, MLV_E_DEVICE, "device %d: %s failed with %s (%d) %s", g->device,
		    mlv_cuda_call_name(call), mlv_cuda_error_name(&g->cuda, result), result, what);
	return MLV_GPU_FAILED;
}

/* Check a call on the way to an open device. */
static bool ok(struct mlv_gpu *g, enum mlv_cu_call call, mlv_cu_result result, const char *what)
{
	return result == MLV_CU_SUCCESS || mlv_gpu_failed(g, call, result, what) == MLV_GPU_DONE;
}

struct mlv_cu_allocation mlv_gpu_allocation(const struct mlv_gpu *g)
{
	return (struct mlv_cu_allocation){ .type = MLV_CU_ALLOCATION_PINNED,
					   .location = { MLV_CU_LOCATION_DEVICE, g->device } };
}

/* Whether a call says that the driver does not know what it was asked for. */
static bool is_unknown(mlv_cu_result r)
{
	return r == MLV_CU_INVALID_VALUE || r == MLV_CU_NOT_SUPPORTED;
}

/* The granularity stays 0 where the device or the driver cannot map memory to addresses. */
static bool ask_granularity(struct mlv_gpu *g)
{
	const struct mlv_cu_table *c = &g->cuda.call;
	struct mlv_cu_allocation prop = mlv_gpu_allocation(g);
	int can = 0;
	size_t bytes = 0;
	if (!c->cuMemAddressReserve || !c->cuMemAddressFree || !c->cuMemCreate ||
	    !c->cuMemRelease || !c->cuMemMap || !c->cuMemUnmap || !c->cuMemSetAccess ||
	    !c->cuMemGetAllocationGranularity)
		return true;
	mlv_cu_result r = c->cuDeviceGetAttribute(&can, MLV_CU_ATTRIBUTE_VIRTUAL_MEMORY, g->device);
	if (is_unknown(r) || (!r && !can))
		return true;
	if (!ok(g, MLV_CU_cuDeviceGetAttribute, r, "asking what it can"))
		return false;
	r = c->cuMemGetAllocationGranularity(&bytes, &prop, MLV_CU_GRANULARITY_MINIMUM);
	g->granularity = r ? 0 : bytes;
	return is_unknown(r) ||
	       ok(g, MLV_CU_cuMemGetAllocationGranularity, r, "asking for its granularity");
}

static bool find_device(struct mlv_gpu *g, int ordinal)
{
	const struct mlv_cu_table *c = &g->cuda.call;
	int count = 0;
	mlv_cu_result r = c->cuInit(0);
	if (r == MLV_CU_NO_DEVICE) {
		mlv_err_set(&g->err, MLV_E_DEVICE,
			    "there is a CUDA driver, and no device that it can use; see "
			    "CUDA_VISIBLE_DEVICES and nvidia-smi");
		return false;
	}
	if (!ok(g, MLV_CU_cuInit, r, "starting the driver") ||
	    !ok(g, MLV_CU_cuDeviceGetCount, c->cuDeviceGetCount(&count), "counting devices"))
		return false;
	if (ordinal >= count) {
		mlv_err_set(&g->err, MLV_E_DEVICE,
			    "there is no device %d: the driver shows %d, counted from 0", ordinal,
			    count);
		return false;
	}
	return ok(g, MLV_CU_cuDriverGetVersion, c->cuDriverGetVersion(&g->driver_version),
		  "asking for its version") &&
	       ok(g, MLV_CU_cuDeviceGet, c->cuDeviceGet(&g->device, ordinal),
		  "asking for the device") &&
	       ok(g, MLV_CU_cuDeviceGetName,
		  c->cuDeviceGetName(g->name, (int)sizeof(g->name) - 1, g->device),
		  "asking for its name");
}

static bool enter(struct mlv_gpu *g)
{
	const struct mlv_cu_table *c = &g->cuda.call;
	size_t left = 0, total = 0;
	if (!ok(g, MLV_CU_cuDevicePrimaryCtxRetain,
		c->cuDevicePrimaryCtxRetain(&g->context, g->device), "entering the device"))
		return false;
	if (!ok(g, MLV_CU_cuCtxSetCurrent, c->cuCtxSetCurrent(g->context), "entering the device") ||
	    !ok(g, MLV_CU_cuMemGetInfo, c->cuMemGetInfo(&left, &total), "asking for free memory"))
		return false;
	g->total = total;
	g->free_at_start = left;
	return ask_granularity(g);
}

static bool decide_most(struct mlv_gpu *g, const struct mlv_gpu_setup *setup)
{
	char a[MLV_NUM_SIZE], b[MLV_NUM_SIZE];
	g->limited = setup->most != 0;
	g->most = g->limited ? setup->most : g->free_at_start / 10 * 9;
	if (setup->most <= g->free_at_start)
		return true;
	mlv_err_set(&g->err, MLV_E_DEVICE, "--limit %s is more than what is free on device %d: %s",
		    mlv_fmt_bytes(a, sizeof(a), setup->most), g->device,
		    mlv_fmt_bytes(b, sizeof(b), g->free_at_start));
	return false;
}

enum mlv_rc mlv_gpu_open(struct mlv_gpu *g, const struct mlv_gpu_setup *setup, struct mlv_err *err)
{
	*g = (struct mlv_gpu){ .err = MLV_ERR_INIT };
	enum mlv_rc rc = mlv_cuda_open(&g->cuda, err);
	if (rc)
		return rc;
	if (find_device(g, setup->ordinal) && enter(g) && decide_most(g, setup))
		return MLV_OK;
	rc = mlv_err_set(err, g->err.rc, "%s", g->err.msg);
	mlv_gpu_close(g, NULL);
	return rc;
}

bool mlv_gpu_close(struct mlv_gpu *g, int64_t *returned)
{
	const struct mlv_cu_table *c = &g->cuda.call;
	size_t left = 0, total = 0;
	bool known = false;
	if (g->context) {
		mlv_gpu_give_all(g);
		mlv_gpu_give_ballast(g);
		if (returned) {
			known = c->cuMemGetInfo(&left, &total) == MLV_CU_SUCCESS;
			*returned = known ? (int64_t)(left - g->free_at_start) : 0;
		}
		(void)c->cuDevicePrimaryCtxRelease(g->device);
	}
	mlv_vec_free(&g->loose);
	if (g->cuda.library)
		mlv_cuda_close(&g->cuda);
	return known;
}
