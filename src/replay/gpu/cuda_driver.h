/* SPDX-License-Identifier: MIT */
#ifndef MLV_REPLAY_GPU_CUDA_DRIVER_H
#define MLV_REPLAY_GPU_CUDA_DRIVER_H
/*
 * The CUDA driver as this process finds it: its library opened at run time,
 * and how long each of its calls took.
 */
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/vec.h"
#include "replay/gpu/cuda_abi.h"

/* Of one function, in nanoseconds. */
struct mlv_call_times {
	MLV_VEC(uint32_t) each; /* of every call, in order; longer than 4.29 s counts as that */
	uint64_t total;
};

struct mlv_call_figures {
	uint64_t count, total_ns, p50_ns, p99_ns, max_ns;
};

struct mlv_cuda {
	void *library;
	struct mlv_cu_table call; /* an optional function that is missing: NULL */
	struct mlv_call_times times[MLV_CU_CALL_COUNT];
	bool no_memory; /* of the host: times are incomplete */
};

/*
 * Open the library that the environment's MLVIZ_LIBCUDA names, else the driver's. MLV_E_DEVICE says
 * what is missing and what to do; `cuda` is then empty.
 */
enum mlv_rc mlv_cuda_open(struct mlv_cuda *cuda, struct mlv_err *err);
void mlv_cuda_close(struct mlv_cuda *cuda);

const char *mlv_cuda_call_name(enum mlv_cu_call call);
/* "CUDA_ERROR_OUT_OF_MEMORY", as the driver calls it. */
const char *mlv_cuda_error_name(const struct mlv_cuda *cuda, mlv_cu_result result);

/* A moment to measure from, and a call that began then and is over. */
uint64_t mlv_cuda_now(void);
void mlv_cuda_timed(struct mlv_cuda *cuda, enum mlv_cu_call call, uint64_t since);

/* MLV_CUDA(cuda, cuMemFree, (ptr)): the call's result, its time kept. */
#define MLV_CUDA(cuda, name, arguments)                                                            \
	__extension__({                                                                            \
		uint64_t since_ = mlv_cuda_now();                                                  \
		mlv_cu_result result_ = (cuda)->call.name arguments;                               \
		mlv_cuda_timed(cuda, MLV_CU_##name, since_);                                       \
		result_;                                                                           \
	})

/* Sorts `each`: the order of the calls is lost. Percentiles are of the nearest rank. */
struct mlv_call_figures mlv_call_figures(struct mlv_call_times *times);

#endif
