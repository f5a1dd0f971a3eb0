/* SPDX-License-Identifier: MIT */
/*
 * Expandable segments on the device: ranges of addresses, reserved as the
 * device chooses or when the first part of an expected one is mapped, and
 * cells of memory mapped into them.
 */
#include "replay/conf.h"
#include "replay/gpu/gpu_place.h"

static uint64_t device_cell(const struct mlv_gpu_space *s, uint64_t cell)
{
	return mlv_gpu_share_up_to(s, cell, s->gpu->granularity);
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
	if (!mlv_gpu_place_room(s))
		return mlv_gpu_space_nomem(s);
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
	*addr = mlv_gpu_model_address(s, place.at);
	return mlv_gpu_place_add(s, &s->ranges, *addr, *bytes, place) ? MLV_GPU_DONE
								      : mlv_gpu_space_nomem(s);
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
	*id = mlv_block_set_holding(&s->rows, &s->ranges, addr);
	/* Of ranges that cross, the later one is meant. Less than a cell is none. */
	if (!i || i->bytes < i->cell || (*id && mlv_block_at(&s->rows, *id)->addr >= i->addr))
		return MLV_GPU_DONE;
	if (i->bytes > MLV_DEVICE_MOST)
		return MLV_GPU_NO_MEMORY;
	enum mlv_gpu_answer answer = reserve(s, i->cell, i->bytes, &place);
	if (answer)
		return answer;
	if (!mlv_gpu_place_add(s, &s->ranges, i->addr, i->bytes, place))
		return mlv_gpu_space_nomem(s);
	*id = mlv_block_set_holding(&s->rows, &s->ranges, addr);
	return MLV_GPU_DONE;
}

/* A part of a range in the device's bytes; false: it is not of whole cells, or not within. */
static bool cells(const struct mlv_gpu_space *s, mlv_blockid id, uint64_t addr, uint64_t bytes,
		  mlv_cu_ptr *at, uint64_t *device_bytes)
{
	const struct mlv_cache_block *b = mlv_block_at(&s->rows, id);
	const struct mlv_gpu_place *p = mlv_gpu_place_of(s, id);
	uint64_t offset = addr - b->addr;
	*at = mlv_gpu_place_part(p, offset);
	*device_bytes = bytes / p->unit * p->device_unit;
	return bytes && offset % p->unit == 0 && bytes % p->unit == 0 && bytes <= b->size - offset;
}

enum mlv_gpu_answer mlv_gpu_space_map(struct mlv_gpu_space *s, uint64_t addr, uint64_t bytes)
{
	mlv_blockid id;
	mlv_cu_ptr at;
	uint64_t device_bytes;
	enum mlv_gpu_answer answer = range_for(s, addr, &id);
	if (answer)
		return answer;
	if (!id || !cells(s, id, addr, bytes, &at, &device_bytes)) {
		s->unknown++;
		return MLV_GPU_DONE;
	}
	struct mlv_gpu_place *p = mlv_gpu_place_of(s, id);
	if (device_bytes > s->gpu->total)
		return MLV_GPU_NO_MEMORY;
	if (mlv_gpu_cells_alike(s, p, at, device_bytes, false) < device_bytes) {
		s->unknown++;
		return MLV_GPU_DONE;
	}
	answer = mlv_gpu_map(s->gpu, at, device_bytes, p->device_unit);
	if (!answer)
		p->mapped += device_bytes;
	return answer;
}

enum mlv_gpu_answer mlv_gpu_space_unmap(struct mlv_gpu_space *s, uint64_t addr, uint64_t bytes)
{
	mlv_blockid id = mlv_block_set_holding(&s->rows, &s->ranges, addr);
	mlv_cu_ptr at;
	uint64_t device_bytes;
	if (!id || !cells(s, id, addr, bytes, &at, &device_bytes) ||
	    mlv_gpu_cells_alike(s, mlv_gpu_place_of(s, id), at, device_bytes, true) <
		    device_bytes) {
		s->unknown++;
		return MLV_GPU_DONE;
	}
	struct mlv_gpu_place *p = mlv_gpu_place_of(s, id);
	enum mlv_gpu_answer answer = mlv_gpu_unmap(s->gpu, at, device_bytes);
	if (answer)
		return answer;
	p->mapped -= device_bytes;
	if (p->mapped)
		return answer;
	at = p->at;
	mlv_gpu_place_drop(s, &s->ranges, id);
	return mlv_gpu_release(s->gpu, at);
}
