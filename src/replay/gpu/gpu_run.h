/* SPDX-License-Identifier: MIT */
#ifndef MLV_REPLAY_GPU_GPU_RUN_H
#define MLV_REPLAY_GPU_GPU_RUN_H
/*
 * A recording driven through a GPU, and what was learnt from it: whether the
 * device takes what the model says, where it runs out of memory, what its
 * calls cost, whether blocks overlap, whether its addresses are those that the
 * model's profile expects.
 *
 * gpu_recorded.c performs the segment operations of the recording, each at its
 * moment; gpu_whatif.c lets the model decide under other settings and gives it
 * the device's answers; gpu_raw.c makes every allocation one of the driver's.
 */
#include <signal.h>

#include "replay/address_record.h"
#include "replay/driver_follow.h"
#include "replay/gpu/gpu_meter.h"
#include "replay/gpu/gpu_space.h"
#include "replay/gpu/gpu_verify.h"
#include "replay/whatif.h"

enum mlv_gpu_mode { MLV_GPU_RECORDED, MLV_GPU_WHATIF, MLV_GPU_RAW };

struct mlv_gpu_run_setup {
	enum mlv_gpu_mode mode;
	struct mlv_gpu_setup gpu;
	uint64_t remaining; /* take ballast until so many bytes remain; 0: none */
	uint32_t scale;     /* all sizes are divided by it; 1: none */
	bool verify;
	/* Of a what-if; the profile is compared with the device's addresses in every mode but raw.
	 */
	struct mlv_alloc_conf conf;
	uint64_t limit; /* set_per_process_memory_fraction in bytes; 0: none */
	enum mlv_driver_profile profile;
	const volatile sig_atomic_t *stop; /* not 0: give everything back and end. NULL: never */
};

/* A request that failed, or was expected to. */
struct mlv_gpu_oom {
	int64_t alloc;  /* number of the request, from 0; -1: none failed */
	uint32_t event; /* of the recording */
	uint64_t bytes; /* of the request, as the recording has it */
};

struct mlv_gpu_run {
	struct mlv_gpu_run_setup setup;
	const struct mlv_recorded *recorded; /* borrowed */
	struct mlv_gpu gpu;                  /* closed at the end */
	struct mlv_gpu_space space;
	struct mlv_gpu_verify verify;
	struct mlv_gpu_meter meter;
	struct mlv_driver_follow follow;
	mlv_cu_ptr *raw; /* of each allocation of gpu_raw.c while it lives */

	/* ---- what was learnt ---- */
	struct mlv_address_record addresses; /* of segments; not of gpu_raw.c */
	/* What describes them best, and how many of them. */
	enum mlv_driver_profile best_profile;
	struct mlv_driver_share best_share;
	struct mlv_whatif whatif; /* of MLV_GPU_WHATIF; its device is gone */
	bool has_whatif;
	uint64_t allocs;       /* requests that were met */
	uint64_t takes, gives; /* operations that took memory from the device, and gave it back */
	uint64_t live_most;    /* pieces and cells held at once */
	uint64_t taken_peak, ballast; /* bytes of the device */
	uint64_t reserved_peak;       /* bytes of the recording or the model, not scaled */
	struct mlv_gpu_oom expected, measured;
	bool ended; /* to the end of the recording, or to the request that failed */
	bool stopped;
	struct mlv_err failure; /* rc MLV_OK: the device did not fail */
	bool returned_known;
	int64_t returned; /* bytes free at the end less those at the start */
	struct mlv_call_figures calls[MLV_CU_CALL_COUNT]; /* of the trace alone */
	uint64_t memory_ns; /* in calls that take memory and give it back */
	uint64_t wall_ns;   /* of the trace */
};

/*
 * MLV_E_DEVICE: the device could not be used at all; MLV_E_NOMEM. A device that fails on the way,
 * or a stop, ends the run early: that is its result, not an error. Everything taken is given back
 * in any case. `r` must outlive the run.
 */
enum mlv_rc mlv_gpu_run_init(struct mlv_gpu_run *g, const struct mlv_recorded *r,
			     const struct mlv_gpu_run_setup *setup, struct mlv_err *err);
void mlv_gpu_run_fini(struct mlv_gpu_run *g);

/* The event up to which it went. */
uint32_t mlv_gpu_run_last_event(const struct mlv_gpu_run *g);

const char *mlv_gpu_mode_name(enum mlv_gpu_mode mode);
/* Whether a call takes memory or gives it back. */
bool mlv_gpu_call_is_memory(enum mlv_cu_call call);

/* ---- between the files of the run; false: it ends here ---- */

/* It was stopped, or the device failed. */
bool mlv_gpu_run_over(struct mlv_gpu_run *g);
/* Around operations: measure, count, and compare a new address with the profile's. */
bool mlv_gpu_run_before(struct mlv_gpu_run *g);
bool mlv_gpu_run_after(struct mlv_gpu_run *g, uint32_t event);
bool mlv_gpu_run_follow(struct mlv_gpu_run *g, mlv_cu_ptr ptr, uint64_t bytes);
bool mlv_gpu_run_unfollow(struct mlv_gpu_run *g, mlv_cu_ptr ptr, uint64_t bytes);
/* A request failed on the device. */
void mlv_gpu_run_fails(struct mlv_gpu_run *g, uint32_t event, uint64_t bytes);
/* Write and check the pattern of a block, if that was asked for. */
bool mlv_gpu_run_fill(struct mlv_gpu_run *g, uint32_t alloc, uint64_t addr, uint64_t bytes);
bool mlv_gpu_run_check(struct mlv_gpu_run *g, uint32_t alloc, uint64_t addr, uint64_t bytes);

/* gpu_islands.c: which addresses of the recording are a range. False when memory runs out. */
bool mlv_gpu_expect_islands(struct mlv_gpu_run *g);

void mlv_gpu_recorded_play(struct mlv_gpu_run *g);
void mlv_gpu_whatif_play(struct mlv_gpu_run *g);
void mlv_gpu_raw_play(struct mlv_gpu_run *g);

#endif
