/* SPDX-License-Identifier: MIT */
#ifndef MLV_REPLAY_STUDY_H
#define MLV_REPLAY_STUDY_H
/*
 * All that `mlviz replay` finds out about one device of a recording: the
 * recorded replay, and what was asked beyond it. Text, JSON and pictures show
 * the same study.
 */
#include "replay/postmortem.h"
#include "replay/sweep.h"

enum { MLV_PROFILE_LEARN = -1 };

struct mlv_study_options {
	enum mlv_replay_lead lead;
	uint64_t limit;    /* set_per_process_memory_fraction in bytes; 0: not given */
	uint64_t capacity; /* of the device; 0: not given */
	bool whatif;       /* run the program under `conf`, `limit` and `capacity` */
	const char *conf;  /* as PYTORCH_CUDA_ALLOC_CONF; NULL: the recorded settings */
	int profile;       /* enum mlv_driver_profile, MLV_PROFILE_LEARN */
	bool sweep, fit;
	uint64_t resolution; /* bytes */
	unsigned threads;
};

/* Settings under which a request that failed would have been met, or not. */
struct mlv_survivor {
	const char *conf; /* of the grid: static */
	bool survives;    /* also under the least that the limit can have been */
	bool perhaps;     /* under the most that it can have been */
	int64_t oom_at_alloc;
};

enum { MLV_SURVIVORS = 8 };

struct mlv_study {
	struct mlv_study_options options;
	struct mlv_history history;
	struct mlv_alloc_conf conf; /* recorded */
	struct mlv_diags notes;     /* of settings */
	const char *not_replayable; /* why, in words; NULL: it is */
	uint64_t recorded_limit;    /* under which it was replayed; 0: unknown */
	struct mlv_recorded recorded;
	enum mlv_driver_profile profile;
	struct mlv_driver_share share; /* of the recorded addresses, by that profile */
	uint64_t oom_count;
	bool has_postmortem; /* of the first recorded failure */
	struct mlv_postmortem postmortem;
	struct mlv_survivor survivors[MLV_SURVIVORS];
	size_t survivor_count;
	/* What-if: by the profile above, and what the other profiles make of it. */
	bool has_whatif;
	struct mlv_alloc_conf whatif_conf;
	struct mlv_whatif whatif;
	uint64_t reserved_least, reserved_most; /* peaks, over all profiles */
	unsigned profiles_oom;                  /* profiles under which a request fails */
	bool has_whatif_postmortem;
	struct mlv_postmortem whatif_postmortem;
	bool has_fit;
	struct mlv_fit fit;
	struct mlv_sweep_row *rows; /* ranked */
	size_t row_count;
};

/* Of run->devices[device]. MLV_E_NOMEM, or MLV_E_USAGE for settings that make no sense. */
enum mlv_rc mlv_study_init(struct mlv_study *s, const struct mlv_run *run, size_t device,
			   const struct mlv_study_options *options, struct mlv_err *err);
void mlv_study_fini(struct mlv_study *s);

/*
 * A caution about settings that PyTorch or its users know to conflict; NULL when there is none.
 * `i` counts from 0.
 */
const char *mlv_study_caution(const struct mlv_study *s, const struct mlv_alloc_conf *conf,
			      size_t i);

#endif
