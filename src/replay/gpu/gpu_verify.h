/* SPDX-License-Identifier: MIT */
#ifndef MLV_REPLAY_GPU_GPU_VERIFY_H
#define MLV_REPLAY_GPU_GPU_VERIFY_H
/*
 * Proof that no two blocks that live at once share memory: each block is
 * filled with a word of its own when it is allocated, and must still hold
 * nothing else when it is freed. Both happen on the device, in order, and only
 * the counts of wrong words come back, many blocks at a time.
 *
 * Where the driver takes no kernel, samples of each block are read back
 * instead: its start, its end and places in between.
 */
#include "replay/gpu/gpu.h"

struct mlv_gpu_verify {
	struct mlv_gpu *gpu;
	mlv_cu_module module;
	mlv_cu_function check;     /* NULL: samples are read back */
	mlv_cu_ptr slots;          /* on the device: one for each check of a batch */
	MLV_VEC(uint32_t) pending; /* the blocks of the present batch */
	MLV_VEC(uint64_t) words;   /* of each */
	MLV_VEC(bool) filled;      /* by block: only what was filled can be checked */
	uint64_t blocks, bytes;    /* checked */
	uint64_t errors;           /* blocks that held something else */
	uint32_t first_error;      /* that block, if errors */
	uint64_t first_error_at;   /* byte in it */
};

/* All: false when the device failed or memory ran out (gpu->err). */
bool mlv_gpu_verify_init(struct mlv_gpu_verify *v, struct mlv_gpu *gpu);
/* Gives back what init took; what was not flushed is forgotten. */
void mlv_gpu_verify_fini(struct mlv_gpu_verify *v);

/* `block` is the caller's number of it. */
bool mlv_gpu_verify_fill(struct mlv_gpu_verify *v, uint32_t block, mlv_cu_ptr ptr, uint64_t words);
/* Of a block that was filled; others are passed over. */
bool mlv_gpu_verify_check(struct mlv_gpu_verify *v, uint32_t block, mlv_cu_ptr ptr, uint64_t words);
/* Wait for the checks that are under way. */
bool mlv_gpu_verify_flush(struct mlv_gpu_verify *v);

/* gpu_kernel.c: the check as PTX, which the driver compiles for its device. */
#define MLV_GPU_CHECK_KERNEL "mlviz_check"
extern const char mlv_gpu_kernels[];

/* What the check leaves of a block. */
struct mlv_gpu_check {
	unsigned long long wrong;      /* words */
	unsigned long long words_left; /* from the first wrong one to the end */
};

#endif
