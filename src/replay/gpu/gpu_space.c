/* SPDX-License-Identifier: MIT */
#include "replay/gpu/gpu_space.h"

#include "replay/conf.h"

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

/* Whether one begins within. */
static bool begins_in(const struct mlv_gpu_space *s, const struct mlv_block_set *set, uint64_t addr,
		      uint64_t bytes)
{
	mlv_blockid id = mlv_block_set_from(&s->rows, set, (struct mlv_block_key){ 0, 0, addr, 0 });
	return id && mlv_block_at(&s->rows, id)->addr - addr < bytes;
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

/* Never less than the share: places of neighbours would overlap in the model's addresses. */
static uint64_t share_up_to(const struct mlv_gpu_space *s, uint64_t bytes, uint64_t step)
{
	uint64_t share = bytes / s->scale + (bytes % s->scale != 0);
	return (share + step - 1) / step * step;
}

uint64_t mlv_gpu_space_scaled(const struct mlv_gpu_space *s, uint64_t bytes)
{
	return s->scale == 1 ? bytes : share_up_to(s, bytes, 512);
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
	if (!bytes || holding(s, &s->segments, addr) || begins_in(s, &s->segments, addr, bytes)) {
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

static uint64_t device_cell(const struct mlv_gpu_space *s, uint64_t cell)
{
	return share_up_to(s, cell, s->gpu->granularity);
}

/* For 1.125 times the device's memory, as PyTorch reserves them. */
uint64_t mlv_gpu_space_range_bytes(const struct mlv_gpu_space *s, uint64_t cell)
{
	uint64_t unit = s->gpu->granularity ? device_cell(s, cell) : cell;
	return (s->gpu->total / 8 * 9 + unit - 1) / unit * cell;
}

static enum mlv_gpu_answer reserve(struct mlv_gpu_space *s, uint64_t cell, uint64_t bytes,
				   struct mlv_gpu_place *place)
{
	if (!s->gpu->granularity) {
		mlv_err_set(&s->gpu->err, MLV_E_DEVICE,
			    "device %d cannot map memory to addresses, as expandable segments "
			    "need it",
			    s->gpu->device);
		return MLV_GPU_FAILED;
	}
	*place = (struct mlv_gpu_place){ .unit = cell, .device_unit = device_cell(s, cell) };
	if (!room(s))
		return nomem(s);
	return mlv_gpu_reserve(s->gpu, bytes / cell * place->device_unit, &place->at);
}

enum mlv_gpu_answer mlv_gpu_space_reserve(struct mlv_gpu_space *s, uint64_t cell, uint64_t *addr,
					  uint64_t *bytes)
{
	struct mlv_gpu_place place;
	*bytes = mlv_gpu_space_range_bytes(s, cell);
	enum mlv_gpu_answer answer = reserve(s, cell, *bytes, &place);
	if (answer)
		return answer;
	*addr = model_address(s, place.at);
	return add(s, &s->ranges, *addr, *bytes, place) ? MLV_GPU_DONE : nomem(s);
}

bool mlv_gpu_space_expect(struct mlv_gpu_space *s, struct mlv_gpu_island island)
{
	if (!island.bytes)
		island.bytes = mlv_gpu_space_range_bytes(s, island.cell);
	return mlv_vec_push(&s->islands, island);
}

/* The last island that begins at or before the address; NULL: none that holds it. */
static const struct mlv_gpu_island *island_at(const struct mlv_gpu_space *s, uint64_t addr)
{
	size_t low = 0, high = s->islands.len;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (s->islands.data[middle].addr <= addr)
			low = middle + 1;
		else
			high = middle;
	}
	const struct mlv_gpu_island *i = low ? &s->islands.data[low - 1] : NULL;
	return i && addr - i->addr < i->bytes ? i : NULL;
}

/* The range for an address, reserved if it is an expected one. 0 without an error: none. */
static enum mlv_gpu_answer range_for(struct mlv_gpu_space *s, uint64_t addr, mlv_blockid *id)
{
	struct mlv_gpu_place place;
	const struct mlv_gpu_island *i = island_at(s, addr);
	*id = holding(s, &s->ranges, addr);
	/* Of ranges that cross, the later one is meant. */
	if (!i || (*id && mlv_block_at(&s->rows, *id)->addr >= i->addr))
		return MLV_GPU_DONE;
	if (i->bytes > MLV_DEVICE_MOST)
		return MLV_GPU_NO_MEMORY;
	enum mlv_gpu_answer answer = reserve(s, i->cell, i->bytes, &place);
	if (answer)
		return answer;
	if (!add(s, &s->ranges, i->addr, i->bytes, place))
		return nomem(s);
	*id = holding(s, &s->ranges, addr);
	return MLV_GPU_DONE;
}

/* A part of a range in the device's bytes; false: it is not of whole cells, or not within. */
static bool cells(const struct mlv_gpu_space *s, mlv_blockid id, uint64_t addr, uint64_t bytes,
		  mlv_cu_ptr *at, uint64_t *device_bytes)
{
	const struct mlv_cache_block *b = mlv_block_at(&s->rows, id);
	const struct mlv_gpu_place *p = place_of(s, id);
	uint64_t offset = addr - b->addr;
	*at = part(p, offset);
	*device_bytes = bytes / p->unit * p->device_unit;
	return bytes && offset % p->unit == 0 && bytes % p->unit == 0 && bytes <= b->size - offset;
}

/* How many cells from `at` on have memory, or have none, up to `bytes`. */
static uint64_t alike(const struct mlv_gpu_space *s, const struct mlv_gpu_place *p, mlv_cu_ptr at,
		      uint64_t bytes, bool mapped)
{
	uint64_t done = 0;
	while (done < bytes && (mlv_gpu_held_at(&s->gpu->cells, at + done) != NULL) == mapped)
		done += p->device_unit;
	return done;
}

enum mlv_gpu_answer mlv_gpu_space_map(struct mlv_gpu_space *s, uint64_t addr, uint64_t bytes)
{
	mlv_blockid id;
	mlv_cu_ptr at;
	uint64_t device_bytes;
	enum mlv_gpu_answer answer = range_for(s, addr, &id);
	if (answer)
		return answer;
	if (!id || !cells(s, id, addr, bytes, &at, &device_bytes) ||
	    alike(s, place_of(s, id), at, device_bytes, false) < device_bytes) {
		s->unknown++;
		return MLV_GPU_DONE;
	}
	struct mlv_gpu_place *p = place_of(s, id);
	answer = mlv_gpu_map(s->gpu, at, device_bytes, p->device_unit);
	if (!answer)
		p->mapped += device_bytes;
	return answer;
}

enum mlv_gpu_answer mlv_gpu_space_unmap(struct mlv_gpu_space *s, uint64_t addr, uint64_t bytes)
{
	mlv_blockid id = holding(s, &s->ranges, addr);
	mlv_cu_ptr at;
	uint64_t device_bytes;
	if (!id || !cells(s, id, addr, bytes, &at, &device_bytes) ||
	    alike(s, place_of(s, id), at, device_bytes, true) < device_bytes) {
		s->unknown++;
		return MLV_GPU_DONE;
	}
	struct mlv_gpu_place *p = place_of(s, id);
	enum mlv_gpu_answer answer = mlv_gpu_unmap(s->gpu, at, device_bytes);
	if (answer)
		return answer;
	p->mapped -= device_bytes;
	if (p->mapped)
		return answer;
	at = p->at;
	drop(s, &s->ranges, id);
	return mlv_gpu_release(s->gpu, at);
}

/* ---- blocks ---- */

/* Whether memory is mapped for all of a block in a range: it is longer than what is. */
static bool is_mapped(const struct mlv_gpu_space *s, const struct mlv_gpu_place *p, uint64_t offset,
		      uint64_t bytes)
{
	uint64_t first = offset / p->unit, last = (offset + bytes - (bytes != 0)) / p->unit;
	uint64_t device_bytes = (last - first + 1) * p->device_unit;
	return alike(s, p, p->at + first * p->device_unit, device_bytes, true) == device_bytes;
}

bool mlv_gpu_space_find(const struct mlv_gpu_space *s, uint64_t addr, uint64_t bytes,
			mlv_cu_ptr *ptr, uint64_t *words)
{
	mlv_blockid id = holding(s, &s->segments, addr);
	bool in_range = !id;
	if (in_range)
		id = holding(s, &s->ranges, addr);
	if (!id)
		return false;
	const struct mlv_cache_block *b = mlv_block_at(&s->rows, id);
	const struct mlv_gpu_place *p = place_of(s, id);
	uint64_t offset = addr - b->addr;
	if (bytes > b->size - offset || (in_range && !is_mapped(s, p, offset, bytes)))
		return false;
	mlv_cu_ptr begin = (part(p, offset) + 3) / 4 * 4;
	mlv_cu_ptr end = part(p, offset + bytes) / 4 * 4;
	*ptr = begin;
	*words = end > begin ? (end - begin) / 4 : 0;
	return true;
}
