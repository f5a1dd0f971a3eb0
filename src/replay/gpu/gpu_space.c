/* SPDX-License-Identifier: MIT */
#include "replay/gpu/gpu_space.h"

#include "replay/conf.h"

bool mlv_gpu_space_init(struct mlv_gpu_space *s, struct mlv_gpu *gpu, uint32_t scale,
			uint64_t large_cell)
{
	*s = (struct mlv_gpu_space){ .gpu = gpu, .scale = scale, .large_cell = large_cell };
	return mlv_blocks_init(&s->rows);
}

void mlv_gpu_space_fini(struct mlv_gpu_space *s)
{
	mlv_blocks_fini(&s->rows);
	mlv_vec_free(&s->places);
	mlv_vec_free(&s->unused);
}

/* ---- places ---- */

static enum mlv_gpu_answer nomem(struct mlv_gpu_space *s)
{
	mlv_err_nomem(&s->gpu->err);
	return MLV_GPU_FAILED;
}

/* Room for one more: mlv_block_new can still fail, and is then undone by the caller. */
static bool room(struct mlv_gpu_space *s)
{
	return mlv_vec_room(&s->places, 1) && mlv_vec_room(&s->unused, s->places.len + 1);
}

static bool add(struct mlv_gpu_space *s, struct mlv_block_set *set, uint64_t addr, uint64_t bytes,
		struct mlv_gpu_place place)
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

static void drop(struct mlv_gpu_space *s, struct mlv_block_set *set, mlv_blockid id)
{
	(void)mlv_vec_push(&s->unused, mlv_block_at(&s->rows, id)->owner);
	mlv_block_set_remove(&s->rows, set, id);
	mlv_block_drop(&s->rows, id);
}

/* The one that holds an address; 0: none. */
static mlv_blockid holding(const struct mlv_gpu_space *s, const struct mlv_block_set *set,
			   uint64_t addr)
{
	mlv_blockid id = mlv_block_set_before(&s->rows, set,
					      (struct mlv_block_key){ 0, 0, addr, UINT32_MAX });
	const struct mlv_cache_block *b = mlv_block_at(&s->rows, id);
	return id && addr - b->addr < b->size ? id : 0;
}

static struct mlv_gpu_place *place_of(const struct mlv_gpu_space *s, mlv_blockid id)
{
	return &s->places.data[mlv_block_at(&s->rows, id)->owner];
}

/* Where a part of a place begins. Its places are in proportion, so neighbours stay neighbours. */
static mlv_cu_ptr part(const struct mlv_gpu_place *p, uint64_t offset)
{
	__extension__ unsigned __int128 bytes = (unsigned __int128)offset * p->device_unit;
	return p->at + (mlv_cu_ptr)(bytes / p->unit);
}

/* ---- segments of their own ---- */

uint64_t mlv_gpu_space_scaled(const struct mlv_gpu_space *s, uint64_t bytes)
{
	return s->scale == 1 ? bytes : (bytes / s->scale + 511) / 512 * 512 + (bytes < s->scale);
}

static uint64_t model_address(const struct mlv_gpu_space *s, mlv_cu_ptr ptr)
{
	return MLV_GPU_MODEL_BASE + ptr * s->scale;
}

static enum mlv_gpu_answer alloc(struct mlv_gpu_space *s, uint64_t bytes,
				 struct mlv_gpu_place *place)
{
	*place = (struct mlv_gpu_place){ .unit = bytes,
					 .device_unit = mlv_gpu_space_scaled(s, bytes) };
	if (!bytes || bytes > MLV_DEVICE_MOST)
		return MLV_GPU_NO_MEMORY;
	if (!room(s))
		return nomem(s);
	return mlv_gpu_alloc(s->gpu, place->device_unit, &place->at);
}

enum mlv_gpu_answer mlv_gpu_space_alloc_at(struct mlv_gpu_space *s, uint64_t addr, uint64_t bytes,
					   mlv_cu_ptr *ptr)
{
	struct mlv_gpu_place place;
	if (holding(s, &s->segments, addr)) {
		s->unknown++;
		*ptr = 0;
		return MLV_GPU_DONE;
	}
	enum mlv_gpu_answer answer = alloc(s, bytes, &place);
	if (answer)
		return answer;
	*ptr = place.at;
	return add(s, &s->segments, addr, bytes, place) ? MLV_GPU_DONE : nomem(s);
}

enum mlv_gpu_answer mlv_gpu_space_alloc(struct mlv_gpu_space *s, uint64_t bytes, uint64_t *addr)
{
	struct mlv_gpu_place place;
	enum mlv_gpu_answer answer = alloc(s, bytes, &place);
	if (answer)
		return answer;
	*addr = model_address(s, place.at);
	return add(s, &s->segments, *addr, bytes, place) ? MLV_GPU_DONE : nomem(s);
}

enum mlv_gpu_answer mlv_gpu_space_free(struct mlv_gpu_space *s, uint64_t addr)
{
	mlv_blockid id = holding(s, &s->segments, addr);
	if (!id || mlv_block_at(&s->rows, id)->addr != addr) {
		s->unknown++;
		return MLV_GPU_DONE;
	}
	mlv_cu_ptr at = place_of(s, id)->at;
	drop(s, &s->segments, id);
	return mlv_gpu_free(s->gpu, at);
}

/* ---- ranges ---- */

static uint64_t cell_of(const struct mlv_gpu_space *s, uint64_t bytes)
{
	return bytes % s->large_cell ? MLV_ALLOC_BUFFER : s->large_cell;
}

static struct mlv_block_set *ranges_of(struct mlv_gpu_space *s, uint64_t cell)
{
	return &s->ranges[cell == s->large_cell];
}

/* Addresses for 1.125 times the device's memory, as PyTorch reserves them. */
static enum mlv_gpu_answer reserve(struct mlv_gpu_space *s, uint64_t cell,
				   struct mlv_gpu_place *place, uint64_t *bytes)
{
	uint64_t granularity = s->gpu->granularity;
	if (!granularity) {
		mlv_err_set(&s->gpu->err, MLV_E_DEVICE,
			    "device %d cannot map memory to addresses, as expandable segments "
			    "need it",
			    s->gpu->device);
		return MLV_GPU_FAILED;
	}
	uint64_t device_cell = (cell / s->scale + granularity - 1) / granularity * granularity;
	uint64_t cells = (s->gpu->total / 8 * 9 + device_cell - 1) / device_cell;
	*place = (struct mlv_gpu_place){ .unit = cell, .device_unit = device_cell };
	*bytes = cells * cell;
	if (!room(s))
		return nomem(s);
	return mlv_gpu_reserve(s->gpu, cells * device_cell, &place->at);
}

enum mlv_gpu_answer mlv_gpu_space_reserve(struct mlv_gpu_space *s, uint64_t cell, uint64_t *addr,
					  uint64_t *bytes)
{
	struct mlv_gpu_place place;
	enum mlv_gpu_answer answer = reserve(s, cell, &place, bytes);
	if (answer)
		return answer;
	*addr = model_address(s, place.at);
	return add(s, ranges_of(s, cell), *addr, *bytes, place) ? MLV_GPU_DONE : nomem(s);
}

static enum mlv_gpu_answer reserve_at(struct mlv_gpu_space *s, uint64_t cell, uint64_t addr)
{
	struct mlv_gpu_place place;
	uint64_t bytes;
	enum mlv_gpu_answer answer = reserve(s, cell, &place, &bytes);
	if (answer)
		return answer;
	return add(s, ranges_of(s, cell), addr, bytes, place) ? MLV_GPU_DONE : nomem(s);
}

enum mlv_gpu_answer mlv_gpu_space_map(struct mlv_gpu_space *s, uint64_t addr, uint64_t bytes)
{
	uint64_t cell = cell_of(s, bytes);
	struct mlv_block_set *set = ranges_of(s, cell);
	mlv_blockid id = holding(s, set, addr);
	if (!bytes || bytes > MLV_DEVICE_MOST)
		return MLV_GPU_NO_MEMORY;
	if (!id) {
		enum mlv_gpu_answer answer = reserve_at(s, cell, addr);
		if (answer)
			return answer;
		id = holding(s, set, addr);
	}
	struct mlv_gpu_place *p = place_of(s, id);
	uint64_t offset = addr - mlv_block_at(&s->rows, id)->addr;
	if (offset % cell || bytes % cell || bytes > mlv_block_at(&s->rows, id)->size - offset ||
	    mlv_gpu_held_at(&s->gpu->cells, part(p, offset))) {
		s->unknown++;
		return MLV_GPU_DONE;
	}
	uint64_t device_bytes = bytes / cell * p->device_unit;
	enum mlv_gpu_answer answer =
		mlv_gpu_map(s->gpu, part(p, offset), device_bytes, p->device_unit);
	if (!answer)
		p->mapped += device_bytes;
	return answer;
}

/* The range in which an address is mapped; NULL: none. */
static struct mlv_block_set *mapped_in(struct mlv_gpu_space *s, uint64_t addr, mlv_blockid *id)
{
	for (int large = 1; large >= 0; large--) {
		*id = holding(s, &s->ranges[large], addr);
		if (!*id)
			continue;
		const struct mlv_gpu_place *p = place_of(s, *id);
		uint64_t offset = addr - mlv_block_at(&s->rows, *id)->addr;
		if (offset % p->unit == 0 && mlv_gpu_held_at(&s->gpu->cells, part(p, offset)))
			return &s->ranges[large];
	}
	return NULL;
}

enum mlv_gpu_answer mlv_gpu_space_unmap(struct mlv_gpu_space *s, uint64_t addr, uint64_t bytes)
{
	mlv_blockid id;
	struct mlv_block_set *set = mapped_in(s, addr, &id);
	if (!set || bytes % place_of(s, id)->unit) {
		s->unknown++;
		return MLV_GPU_DONE;
	}
	struct mlv_gpu_place *p = place_of(s, id);
	uint64_t before = s->gpu->taken;
	enum mlv_gpu_answer answer =
		mlv_gpu_unmap(s->gpu, part(p, addr - mlv_block_at(&s->rows, id)->addr),
			      bytes / p->unit * p->device_unit);
	p->mapped -= before - s->gpu->taken;
	if (answer || p->mapped)
		return answer;
	mlv_cu_ptr at = p->at;
	drop(s, set, id);
	return mlv_gpu_release(s->gpu, at);
}

/* ---- blocks ---- */

bool mlv_gpu_space_find(const struct mlv_gpu_space *s, uint64_t addr, uint64_t bytes,
			mlv_cu_ptr *ptr, uint64_t *words)
{
	const struct mlv_block_set *sets[] = { &s->segments, &s->ranges[0], &s->ranges[1] };
	for (size_t i = 0; i < 3; i++) {
		mlv_blockid id = holding(s, sets[i], addr);
		if (!id)
			continue;
		const struct mlv_cache_block *b = mlv_block_at(&s->rows, id);
		const struct mlv_gpu_place *p = place_of(s, id);
		uint64_t offset = addr - b->addr;
		/* A range is longer than what is mapped of it, and ranges of both kinds may cross.
		 */
		if (i && !mlv_gpu_held_at(&s->gpu->cells, part(p, offset / p->unit * p->unit)))
			continue;
		if (bytes > b->size - offset)
			return false;
		mlv_cu_ptr begin = (part(p, offset) + 3) / 4 * 4;
		mlv_cu_ptr end = part(p, offset + bytes) / 4 * 4;
		*ptr = begin;
		*words = end > begin ? (end - begin) / 4 : 0;
		return true;
	}
	return false;
}
