/* SPDX-License-Identifier: MIT */
#ifndef MLV_REPLAY_GPU_GPU_METER_H
#define MLV_REPLAY_GPU_GPU_METER_H
/*
 * What the device says is used, beside what was taken from it. Free memory is
 * asked for right before and right after each operation. What changed from one
 * operation to the next is another process's. What changed within one, beside
 * what was asked, is what the driver adds; but where another process was seen
 * at all, only up to a step of the device's granularity, since the other one is
 * as likely to come in between then.
 */
#include "replay/gpu/gpu.h"

struct mlv_gpu_sample {
	uint32_t event;
	uint64_t used;  /* bytes of the device that this process uses since the start */
	uint64_t taken; /* bytes that it asked for */
	/* Bytes that became fewer: before the operation, and within it beside what was asked. */
	int64_t before, within;
};

struct mlv_gpu_meter {
	struct mlv_gpu *gpu;
	uint32_t every;         /* operations; only each so-manieth is measured */
	uint32_t skipped;       /* operations since the last that was */
	uint64_t free_at_start; /* bytes */
	uint64_t free_now;      /* as last asked */
	uint64_t taken_before;  /* when the present operation began */
	int64_t before;         /* of the present operation */
	bool measuring;         /* it */
	MLV_VEC(struct mlv_gpu_sample) samples;

	/* ---- from mlv_gpu_meter_end ---- */
	uint64_t used_peak;
	/* Used less taken: what the driver adds, at the most and at the least. */
	int64_t overhead_most, overhead_least;
	/* Of other processes, since the start: bytes they hold at the end, and at the most. */
	int64_t foreign, foreign_most;
	uint64_t foreign_changes;
	uint32_t foreign_event; /* of the first change */
};

/* Both, and the others: false when the device failed, or memory ran out (gpu->err). */
bool mlv_gpu_meter_init(struct mlv_gpu_meter *m, struct mlv_gpu *gpu, uint32_t every);
void mlv_gpu_meter_fini(struct mlv_gpu_meter *m);

/* Around every operation that takes or gives back; `event` is the recording's. */
bool mlv_gpu_meter_before(struct mlv_gpu_meter *m);
bool mlv_gpu_meter_after(struct mlv_gpu_meter *m, uint32_t event);
/* After the last of them: whose changes were whose. */
void mlv_gpu_meter_end(struct mlv_gpu_meter *m);

#endif
