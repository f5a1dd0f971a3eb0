/* SPDX-License-Identifier: MIT */
#include "replay/gpu/gpu_place.h"

enum mlv_gpu_answer mlv_gpu_space_nomem(struct mlv_gpu_space *s)
{
	mlv_err_nomem(&s->gpu->err);
	return MLV_GPU_FAILED;
}

bool mlv_gpu_place_room(struct mlv_gpu_space *s)
{
	return mlv_vec_room(&s->places, 1) && mlv_vec_room(&s->unused, s->places.len + 1);
}

bool mlv_gpu_place_add(struct mlv_gpu_space *s, struct mlv_block_set *set, uint64_t addr,
		       uint64_t bytes, struct mlv_gpu_place place)
{
	mlv_blockid id = mlv_block_new(&s->rows);
	if (!id)
		return false;
	struct mlv_cache_block *b = mlv_block_at(&s->rows, id);
	b->addr = addr;
	b->size = bytes;
	b->owner = s->unused.len ? s->unused.data[--s->unused.len] : (uint32_t)s->places.len;
	if (b->owner == s->places.len)
		(void)mlv_vec_push(&s->places, place);
	else
		s->places.data[b->owner] = place;
	mlv_block_set_insert(&s->rows, set, id);
	return true;
}

void mlv_gpu_place_drop(struct mlv_gpu_space *s, struct mlv_block_set *set, mlv_blockid id)
{
	(void)mlv_vec_push(&s->unused, mlv_block_at(&s->rows, id)->owner);
	mlv_block_set_remove(&s->rows, set, id);
	mlv_block_drop(&s->rows, id);
}

mlv_cu_ptr mlv_gpu_place_part(const struct mlv_gpu_place *p, uint64_t offset)
{
	__extension__ unsigned __int128 bytes = (unsigned __int128)offset * p->device_unit;
	return p->at + (mlv_cu_ptr)(bytes / p->unit);
}

uint64_t mlv_gpu_share_up_to(const struct mlv_gpu_space *s, uint64_t bytes, uint64_t step)
{
	uint64_t share = bytes / s->scale + (bytes % s->scale != 0);
	return (share + step - 1) / step * step;
}

uint64_t mlv_gpu_model_address(const struct mlv_gpu_space *s, mlv_cu_ptr ptr)
{
	return MLV_GPU_MODEL_BASE + ptr * s->scale;
}

uint64_t mlv_gpu_cells_alike(const struct mlv_gpu_space *s, const struct mlv_gpu_place *p,
			     mlv_cu_ptr at, uint64_t bytes, bool mapped)
{
	uint64_t done = 0;
	while (done < bytes && (mlv_gpu_held_at(&s->gpu->cells, at + done) != NULL) == mapped)
		done += p->device_unit;
	return done;
}
