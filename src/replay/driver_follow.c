/* SPDX-License-Identifier: MIT */
#include "replay/driver_follow.h"

bool mlv_driver_follow_init(struct mlv_driver_follow *f, enum mlv_driver_profile profile)
{
	*f = (struct mlv_driver_follow){ 0 };
	return mlv_driver_init(&f->driver, profile, 0);
}

void mlv_driver_follow_fini(struct mlv_driver_follow *f)
{
	mlv_driver_fini(&f->driver);
	mlv_vec_free(&f->offsets);
	mlv_vec_free(&f->pieces);
	mlv_map_fini(&f->where);
}

bool mlv_driver_follow_alloc(struct mlv_driver_follow *f, uint64_t real, uint64_t bytes)
{
	uint64_t addr;
	size_t before = f->driver.chunks.len;
	if (!mlv_driver_place(&f->driver, bytes, &addr))
		return false;
	size_t chunk = mlv_map_find(&f->driver.pieces, addr)->value;
	while (f->offsets.len < f->driver.chunks.len) {
		if (!mlv_vec_push(&f->offsets, f->last))
			return false;
	}
	bool is_new = chunk >= before;
	int64_t offset = (int64_t)(real - addr);
	if (f->pieces.len) {
		f->share.allocs++;
		f->share.explained += f->offsets.data[chunk] == offset;
	} else {
		/* The first one only says where the process begins, with all that it has. */
		for (size_t i = 0; i < f->offsets.len; i++)
			f->offsets.data[i] = offset;
	}
	f->offsets.data[chunk] = offset;
	if (is_new || !f->pieces.len)
		f->last = offset;
	return mlv_vec_push(&f->pieces, addr) &&
	       mlv_map_set(&f->where, real, (uint32_t)(f->pieces.len - 1));
}

bool mlv_driver_follow_free(struct mlv_driver_follow *f, uint64_t real, uint64_t bytes)
{
	struct mlv_map_slot *slot = mlv_map_find(&f->where, real);
	if (!slot)
		return true;
	mlv_driver_remove(&f->driver, f->pieces.data[slot->value], bytes);
	mlv_map_remove(&f->where, slot);
	return !f->driver.no_memory;
}
