/* SPDX-License-Identifier: MIT */
#ifndef MLV_REPLAY_GPU_GPU_H
#define MLV_REPLAY_GPU_GPU_H
/*
 * One GPU from which memory is taken: how much may be taken, everything that
 * is held, and the certainty that all of it goes back, whatever happens. Every
 * driver call is checked; the first that fails for another reason than want of
 * memory ends the use of the device and is kept in `err`.
 *
 * gpu.c opens and closes, gpu_memory.c takes and gives back, gpu_ballast.c
 * makes a GPU smaller.
 */
#include <stdbool.h>
#include <stdint.h>

#include "replay/gpu/cuda_driver.h"
#include "replay/gpu/gpu_held.h"

struct mlv_gpu_setup {
	int ordinal;
	uint64_t most; /* bytes that may be taken; 0: 90 % of what is free */
};

struct mlv_gpu {
	struct mlv_cuda cuda;
	mlv_cu_device device;
	mlv_cu_context context;
	char name[256];
	int driver_version;         /* as the driver counts: 13000 is 13.0 */
	uint64_t total;             /* bytes of the device */
	uint64_t free_at_start;     /* with our context, before anything is taken */
	uint64_t granularity;       /* of memory that is mapped; 0: the device cannot map */
	uint64_t most;              /* bytes that may be taken */
	bool limited;               /* `most` was given */
	uint64_t taken, taken_peak; /* bytes, ballast not counted */
	uint64_t ballast;           /* bytes */
	uint64_t refused_by_most;   /* requests that would have passed `most` */
	uint64_t refused_by_device; /* requests for which the device had no memory */
	bool synchronous;           /* wait for the device before memory goes back */
	struct mlv_err err;         /* why the device is of no more use */
	struct mlv_gpu_held pieces; /* of cuMemAlloc */
	struct mlv_gpu_held ranges; /* of cuMemAddressReserve */
	struct mlv_gpu_held cells;  /* of cuMemCreate, mapped within a range */
	/* Memory at no address: ballast, and what the device did not take back. */
	MLV_VEC(struct mlv_gpu_area) loose;
};

enum mlv_gpu_answer {
	MLV_GPU_DONE,
	MLV_GPU_NO_MEMORY, /* the device has none left, or no more may be taken */
	MLV_GPU_FAILED,    /* `err` says why */
};

/*
 * Open a device by its primary context. MLV_E_DEVICE: there is no driver, no such device, too
 * little is free, or a call failed; MLV_E_NOMEM. The gpu is then closed.
 */
enum mlv_rc mlv_gpu_open(struct mlv_gpu *g, const struct mlv_gpu_setup *setup, struct mlv_err *err);
/*
 * Give back everything, whatever state the device is in. `returned`, if not NULL: bytes that are
 * free now less those at the start; 0 unless another process took or gave. Whether that is known: a
 * device that failed may not say.
 */
bool mlv_gpu_close(struct mlv_gpu *g, int64_t *returned);
/* The same without the context: what the replay took. The gpu stays open. */
void mlv_gpu_give_all(struct mlv_gpu *g);

/*
 * Make the GPU smaller: take memory until so many bytes remain, or less by up to one step of the
 * device's granularity. All of them may then be taken, if no limit was given. To be called once
 * nothing else is needed of the device. MLV_E_DEVICE, MLV_E_NOMEM.
 */
enum mlv_rc mlv_gpu_take_ballast(struct mlv_gpu *g, uint64_t remaining, struct mlv_err *err);

/* Free bytes of the device. */
enum mlv_gpu_answer mlv_gpu_free_bytes(struct mlv_gpu *g, uint64_t *bytes);

/* cudaMalloc and cudaFree. */
enum mlv_gpu_answer mlv_gpu_alloc(struct mlv_gpu *g, uint64_t bytes, mlv_cu_ptr *ptr);
enum mlv_gpu_answer mlv_gpu_free(struct mlv_gpu *g, mlv_cu_ptr ptr);

/* Addresses without memory. */
enum mlv_gpu_answer mlv_gpu_reserve(struct mlv_gpu *g, uint64_t bytes, mlv_cu_ptr *ptr);
enum mlv_gpu_answer mlv_gpu_release(struct mlv_gpu *g, mlv_cu_ptr ptr);
/*
 * Memory for reserved addresses, in cells of `cell` bytes (a multiple of the granularity) as
 * PyTorch takes it: created one by one, mapped one by one, made accessible at once. All, or none.
 */
enum mlv_gpu_answer mlv_gpu_map(struct mlv_gpu *g, mlv_cu_ptr at, uint64_t bytes, uint64_t cell);
/* Of whole cells. */
enum mlv_gpu_answer mlv_gpu_unmap(struct mlv_gpu *g, mlv_cu_ptr at, uint64_t bytes);

/* ---- between the files of the gpu ---- */

/* Note that a call failed, by its name and what it was for. */
enum mlv_gpu_answer mlv_gpu_failed(struct mlv_gpu *g, enum mlv_cu_call call, mlv_cu_result result,
				   const char *what);
struct mlv_cu_allocation mlv_gpu_allocation(const struct mlv_gpu *g);
void mlv_gpu_give_ballast(struct mlv_gpu *g);

#endif
