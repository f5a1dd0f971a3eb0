/* SPDX-License-Identifier: MIT */
#ifndef MLV_REPLAY_GPU_GPU_HELD_H
#define MLV_REPLAY_GPU_GPU_HELD_H
/* What is held of a device, by its address there, so that all of it can be given back. */
#include "base/map.h"
#include "base/vec.h"
#include "replay/gpu/cuda_abi.h"

struct mlv_gpu_area {
	mlv_cu_ptr at;
	uint64_t bytes; /* 0: the row is not used */
	mlv_cu_handle handle;
};

struct mlv_gpu_held {
	struct mlv_map by_address;
	MLV_VEC(struct mlv_gpu_area) areas;
	MLV_VEC(uint32_t) unused; /* rows of `areas` */
};

/* Room for one more, so that what is taken next can be noted. False when memory runs out. */
bool mlv_gpu_held_room(struct mlv_gpu_held *h);
/* After mlv_gpu_held_room. False when memory runs out. */
bool mlv_gpu_held_add(struct mlv_gpu_held *h, struct mlv_gpu_area area);
/* NULL: nothing of it begins there. */
struct mlv_gpu_area *mlv_gpu_held_at(struct mlv_gpu_held *h, mlv_cu_ptr at);
void mlv_gpu_held_remove(struct mlv_gpu_held *h, struct mlv_gpu_area *area);
void mlv_gpu_held_fini(struct mlv_gpu_held *h);

#endif
