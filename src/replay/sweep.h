/* SPDX-License-Identifier: MIT */
#ifndef MLV_REPLAY_SWEEP_H
#define MLV_REPLAY_SWEEP_H
/*
 * One recorded program under many settings: what each comes to reserve, and
 * the smallest device on which the program fits. A what-if takes milliseconds,
 * so all of this is done by trying.
 */
#include "replay/whatif.h"

struct mlv_fit {
	uint64_t capacity; /* the smallest, to within the resolution */
	uint64_t resolution;
	/* Fitting is not monotonic: sizes nearby were tried, and some did not agree. */
	uint64_t smaller_fits; /* a smaller one that fits as well; 0: none was found */
	uint64_t larger_fails; /* a larger one that fails; 0: none was found */
	unsigned tried;
};

struct mlv_sweep_row {
	struct mlv_alloc_conf conf;
	struct mlv_whatif_setup setup;
	struct mlv_fit fit;
	/* Under the setup of the sweep. */
	uint64_t reserved_peak, reserved_end, device_calls, retries;
	int64_t oom_at_alloc;
	enum mlv_rc rc; /* MLV_E_NOMEM: nothing of this row counts */
};

/*
 * The smallest capacity for one setting, by halving from what is alive at the
 * peak up to what is reserved without an end. MLV_E_NOMEM only.
 */
enum mlv_rc mlv_fit(struct mlv_fit *f, const struct mlv_recorded *r,
		    const struct mlv_whatif_setup *setup, uint64_t resolution, struct mlv_err *err);

/* The settings of the grid, in the order of docs/replay.md; `n` of them. */
const char *const *mlv_sweep_grid(size_t *n);

/*
 * Try each setting of the grid, and the recorded one first, on up to `threads` threads. Rows come
 * ranked: the smallest capacity, then the smallest peak, then the fewest device calls. `limit` and
 * `capacity` are those of the device at hand; 0: none. MLV_E_NOMEM only; free() the rows.
 */
enum mlv_rc mlv_sweep(struct mlv_sweep_row **rows, size_t *count, const struct mlv_recorded *r,
		      const struct mlv_whatif_setup *setup, uint64_t resolution, unsigned threads,
		      struct mlv_err *err);

#endif
