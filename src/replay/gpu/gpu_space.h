/* SPDX-License-Identifier: MIT */
#ifndef MLV_REPLAY_GPU_GPU_SPACE_H
#define MLV_REPLAY_GPU_GPU_SPACE_H
/*
 * Where the allocator's segments lie on the device. An allocator, recorded or
 * modelled, has its own addresses; each of its segments and each of its ranges
 * of an expandable segment stands for one place on the device, and a block for
 * the same part of that place.
 *
 * With a scale of N a place has the N-th part of its segment's bytes, rounded
 * up to what the device can map, and a block the same share of its place.
 */
#include "replay/block_set.h"
#include "replay/gpu/gpu.h"

/* Model addresses of what the device placed itself begin here: no recording holds such. */
#define MLV_GPU_MODEL_BASE (UINT64_C(1) << 60)

/* Addresses of a recording that stand for one range, mapped in cells of so many bytes. */
struct mlv_gpu_island {
	uint64_t addr, bytes, cell;
};

struct mlv_gpu_place {
	mlv_cu_ptr at;
	uint64_t unit, device_unit; /* so many bytes of the model are so many of the device */
	uint64_t mapped;            /* device bytes; of a range */
};

struct mlv_gpu_space {
	struct mlv_gpu *gpu;
	uint32_t scale;
	struct mlv_blocks rows;
	struct mlv_block_set segments, ranges; /* `owner`: row of places */
	MLV_VEC(struct mlv_gpu_place) places;
	MLV_VEC(uint32_t) unused;               /* rows of places */
	MLV_VEC(struct mlv_gpu_island) islands; /* by address */
	uint64_t unknown; /* operations on what is not there: the recording is damaged */
};

/* False when memory runs out. */
bool mlv_gpu_space_init(struct mlv_gpu_space *s, struct mlv_gpu *gpu, uint32_t scale);
/* What it took stays with the gpu. */
void mlv_gpu_space_fini(struct mlv_gpu_space *s);

/* Bytes on the device for a segment of so many. */
uint64_t mlv_gpu_space_scaled(const struct mlv_gpu_space *s, uint64_t bytes);

/* A segment of its own: at an address of the model, or at one that follows from the device's. */
enum mlv_gpu_answer mlv_gpu_space_alloc_at(struct mlv_gpu_space *s, uint64_t addr, uint64_t bytes,
					   mlv_cu_ptr *ptr);
enum mlv_gpu_answer mlv_gpu_space_alloc(struct mlv_gpu_space *s, uint64_t bytes, uint64_t *addr);
enum mlv_gpu_answer mlv_gpu_space_free(struct mlv_gpu_space *s, uint64_t addr);

/* A range for an expandable segment; `cell` bytes are mapped together. */
enum mlv_gpu_answer mlv_gpu_space_reserve(struct mlv_gpu_space *s, uint64_t cell, uint64_t *addr,
					  uint64_t *bytes);
/*
 * Say which addresses of the recording will be one range: with the first that is mapped of it, it
 * is reserved. In ascending order. Bytes 0: as long as a range is. False when memory runs out.
 */
bool mlv_gpu_space_expect(struct mlv_gpu_space *s, struct mlv_gpu_island island);
/* Bytes of the model that a range has on this device. */
uint64_t mlv_gpu_space_range_bytes(const struct mlv_gpu_space *s, uint64_t cell);
/* A part of a range, of whole cells. A range without memory is released. */
enum mlv_gpu_answer mlv_gpu_space_map(struct mlv_gpu_space *s, uint64_t addr, uint64_t bytes);
enum mlv_gpu_answer mlv_gpu_space_unmap(struct mlv_gpu_space *s, uint64_t addr, uint64_t bytes);

/* A block's part of the device, in words of 4 bytes. False: it lies in no segment. */
bool mlv_gpu_space_find(const struct mlv_gpu_space *s, uint64_t addr, uint64_t bytes,
			mlv_cu_ptr *ptr, uint64_t *words);

#endif
