/* SPDX-License-Identifier: MIT */
#ifndef MLV_REPLAY_GPU_GPU_PLACE_H
#define MLV_REPLAY_GPU_GPU_PLACE_H
/*
 * Between the files of the space: the places of segments and of ranges, found
 * by addresses of the model. gpu_space.c holds segments of their own and
 * finds blocks, gpu_ranges.c expandable ones.
 */
#include "replay/gpu/gpu_space.h"

/* Memory of the host ran out. */
enum mlv_gpu_answer mlv_gpu_space_nomem(struct mlv_gpu_space *s);

/* Room for one more, before memory is taken for it. */
bool mlv_gpu_place_room(struct mlv_gpu_space *s);
/* After that. It can still fail: what was taken stays with the gpu. */
bool mlv_gpu_place_add(struct mlv_gpu_space *s, struct mlv_block_set *set, uint64_t addr,
		       uint64_t bytes, struct mlv_gpu_place place);
void mlv_gpu_place_drop(struct mlv_gpu_space *s, struct mlv_block_set *set, mlv_blockid id);

static inline struct mlv_gpu_place *mlv_gpu_place_of(const struct mlv_gpu_space *s, mlv_blockid id)
{
	return &s->places.data[mlv_block_at(&s->rows, id)->owner];
}

/* Where a part of a place begins. Its places are in proportion, so neighbours stay neighbours. */
mlv_cu_ptr mlv_gpu_place_part(const struct mlv_gpu_place *p, uint64_t offset);

/*
 * The scaled share of some bytes, in whole steps. Never less than the share: places of neighbours
 * would overlap in the model's addresses.
 */
uint64_t mlv_gpu_share_up_to(const struct mlv_gpu_space *s, uint64_t bytes, uint64_t step);
uint64_t mlv_gpu_model_address(const struct mlv_gpu_space *s, mlv_cu_ptr ptr);

/* How many bytes of cells from `at` on have memory, or have none, up to `bytes`. */
uint64_t mlv_gpu_cells_alike(const struct mlv_gpu_space *s, const struct mlv_gpu_place *p,
			     mlv_cu_ptr at, uint64_t bytes, bool mapped);

#endif
