/* SPDX-License-Identifier: MIT */
#include "replay/gpu/gpu_space.h"

#include "replay/conf.h"
#include "replay/gpu/gpu_place.h"

bool mlv_gpu_space_init(struct mlv_gpu_space *s, struct mlv_gpu *gpu, uint32_t scale)
{
	*s = (struct mlv_gpu_space){ .gpu = gpu, .scale = scale };
	return mlv_blocks_init(&s->rows);
}

void mlv_gpu_space_fini(struct mlv_gpu_space *s)
{
	mlv_blocks_fini(&s->rows);
	mlv_vec_free(&s->places);
	mlv_vec_free(&s->unused);
	mlv_vec_free(&s->islands);
}

/* ---- segments of their own ---- */

/* Whether one begins within. */
static bool begins_in(const struct mlv_gpu_space *s, const struct mlv_block_set *set, uint64_t addr,
		      uint64_t bytes)
{
	mlv_blockid id = mlv_block_set_from(&s->rows, set, (struct mlv_block_key){ 0, 0, addr, 0 });
	return id && mlv_block_at(&s->rows, id)->addr - addr < bytes;
}

uint64_t mlv_gpu_space_scaled(const struct mlv_gpu_space *s, uint64_t bytes)
{
	return s->scale == 1 ? bytes : mlv_gpu_share_up_to(s, bytes, 512);
}

static enum mlv_gpu_answer alloc(struct mlv_gpu_space *s, uint64_t bytes,
				 struct mlv_gpu_place *place)
{
	*place = (struct mlv_gpu_place){ .unit = bytes,
					 .device_unit = mlv_gpu_space_scaled(s, bytes) };
	if (!bytes || bytes > MLV_DEVICE_MOST)
		return MLV_GPU_NO_MEMORY;
	if (!mlv_gpu_place_room(s))
		return mlv_gpu_space_nomem(s);
	return mlv_gpu_alloc(s->gpu, place->device_unit, &place->at);
}

enum mlv_gpu_answer mlv_gpu_space_alloc_at(struct mlv_gpu_space *s, uint64_t addr, uint64_t bytes,
					   mlv_cu_ptr *ptr)
{
	struct mlv_gpu_place place;
	if (!bytes || mlv_block_set_holding(&s->rows, &s->segments, addr) ||
	    begins_in(s, &s->segments, addr, bytes)) {
		s->unknown++;
		*ptr = 0;
		return MLV_GPU_DONE;
	}
	enum mlv_gpu_answer answer = alloc(s, bytes, &place);
	if (answer)
		return answer;
	*ptr = place.at;
	return mlv_gpu_place_add(s, &s->segments, addr, bytes, place) ? MLV_GPU_DONE
								      : mlv_gpu_space_nomem(s);
}

enum mlv_gpu_answer mlv_gpu_space_alloc(struct mlv_gpu_space *s, uint64_t bytes, uint64_t *addr)
{
	struct mlv_gpu_place place;
	enum mlv_gpu_answer answer = alloc(s, bytes, &place);
	if (answer)
		return answer;
	*addr = mlv_gpu_model_address(s, place.at);
	return mlv_gpu_place_add(s, &s->segments, *addr, bytes, place) ? MLV_GPU_DONE
								       : mlv_gpu_space_nomem(s);
}

enum mlv_gpu_answer mlv_gpu_space_free(struct mlv_gpu_space *s, uint64_t addr)
{
	mlv_blockid id = mlv_block_set_holding(&s->rows, &s->segments, addr);
	if (!id || mlv_block_at(&s->rows, id)->addr != addr) {
		s->unknown++;
		return MLV_GPU_DONE;
	}
	mlv_cu_ptr at = mlv_gpu_place_of(s, id)->at;
	mlv_gpu_place_drop(s, &s->segments, id);
	return mlv_gpu_free(s->gpu, at);
}

/* ---- blocks ---- */

/* Whether memory is mapped for all of a block in a range: it is longer than what is. */
static bool is_mapped(const struct mlv_gpu_space *s, const struct mlv_gpu_place *p, uint64_t offset,
		      uint64_t bytes)
{
	uint64_t first = offset / p->unit, last = (offset + bytes - (bytes != 0)) / p->unit;
	uint64_t device_bytes = (last - first + 1) * p->device_unit;
	return mlv_gpu_cells_alike(s, p, p->at + first * p->device_unit, device_bytes, true) ==
	       device_bytes;
}

bool mlv_gpu_space_find(const struct mlv_gpu_space *s, uint64_t addr, uint64_t bytes,
			mlv_cu_ptr *ptr, uint64_t *words)
{
	mlv_blockid id = mlv_block_set_holding(&s->rows, &s->segments, addr);
	bool in_range = !id;
	if (in_range)
		id = mlv_block_set_holding(&s->rows, &s->ranges, addr);
	if (!id)
		return false;
	const struct mlv_cache_block *b = mlv_block_at(&s->rows, id);
	const struct mlv_gpu_place *p = mlv_gpu_place_of(s, id);
	uint64_t offset = addr - b->addr;
	if (bytes > b->size - offset || (in_range && !is_mapped(s, p, offset, bytes)))
		return false;
	mlv_cu_ptr begin = (mlv_gpu_place_part(p, offset) + 3) / 4 * 4;
	mlv_cu_ptr end = mlv_gpu_place_part(p, offset + bytes) / 4 * 4;
	*ptr = begin;
	*words = end > begin ? (end - begin) / 4 : 0;
	return true;
}
