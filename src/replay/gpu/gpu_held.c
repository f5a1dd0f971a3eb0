/* SPDX-License-Identifier: MIT */
#include "replay/gpu/gpu_held.h"

bool mlv_gpu_held_room(struct mlv_gpu_held *h)
{
	return mlv_vec_room(&h->areas, 1) && mlv_vec_room(&h->unused, h->areas.len + 1);
}

bool mlv_gpu_held_add(struct mlv_gpu_held *h, struct mlv_gpu_area area)
{
	uint32_t row = h->unused.len ? h->unused.data[h->unused.len - 1] : (uint32_t)h->areas.len;
	if (!mlv_map_set(&h->by_address, area.at, row))
		return false;
	if (row < h->areas.len) {
		h->unused.len--;
		h->areas.data[row] = area;
		return true;
	}
	return mlv_vec_push(&h->areas, area);
}

struct mlv_gpu_area *mlv_gpu_held_at(struct mlv_gpu_held *h, mlv_cu_ptr at)
{
	const struct mlv_map_slot *slot = mlv_map_find(&h->by_address, at);
	return slot ? &h->areas.data[slot->value] : NULL;
}

void mlv_gpu_held_remove(struct mlv_gpu_held *h, struct mlv_gpu_area *area)
{
	mlv_map_remove(&h->by_address, mlv_map_find(&h->by_address, area->at));
	*area = (struct mlv_gpu_area){ 0 };
	/* mlv_gpu_held_room has seen to it that this cannot fail. */
	(void)mlv_vec_push(&h->unused, (uint32_t)(area - h->areas.data));
}

void mlv_gpu_held_fini(struct mlv_gpu_held *h)
{
	mlv_map_fini(&h->by_address);
	mlv_vec_free(&h->areas);
	mlv_vec_free(&h->unused);
}
