/* SPDX-License-Identifier: MIT */
#ifndef MLV_CLI_REPLAY_GPU_H
#define MLV_CLI_REPLAY_GPU_H
/* `mlviz replay --device cuda`: its options, a replay of one study, and --probe. */
#include "cli/option.h"
#include "replay/gpu/gpu_run.h"
#include "replay/study.h"

struct mlv_gpu_options {
	bool raw, verify, ballast, probe;
	const char *scale; /* "1/8"; NULL: none */
	/* Read from --device and --scale. */
	bool asked; /* for a GPU */
	int ordinal;
	uint32_t divisor;
};

/* clang-format off */
#define MLV_GPU_OPTIONS(type, g)                                                                   \
	MLV_OPT(0, "raw", FLAG, type, g.raw, NULL,                                                 \
		"on a GPU: every allocation from the driver, to show what caching saves"),         \
	MLV_OPT(0, "verify", FLAG, type, g.verify, NULL,                                           \
		"on a GPU: write a pattern into each block and check it when it is freed"),        \
	MLV_OPT(0, "ballast", FLAG, type, g.ballast, NULL,                                         \
		"on a GPU: take memory first so that --capacity remains"),                         \
	MLV_OPT(0, "scale", STRING, type, g.scale, "1/N",                                          \
		"on a GPU: divide all sizes by N"),                                                \
	MLV_OPT(0, "probe", FLAG, type, g.probe, NULL,                                             \
		"ask a GPU's driver where it puts memory; -o FILE.json keeps that for --profile")
/* clang-format on */

/*
 * --profile: learn (NULL too), the name of a profile, or a file that --probe wrote, whose best
 * profile it is then. `profile` is as in struct mlv_study_options.
 */
enum mlv_rc mlv_replay_profile(const char *name, const struct mlv_limits *limits, int *profile,
			       struct mlv_err *err);

/* "cuda", "cuda:1" -> asked, ordinal. False: it is no GPU. MLV_E_USAGE in *rc if it means none. */
bool mlv_gpu_device(struct mlv_gpu_options *g, const char *device, enum mlv_rc *rc,
		    struct mlv_err *err);

/* What cannot be combined. `o` is changed to what the model is asked beside the GPU. */
enum mlv_rc mlv_gpu_check(struct mlv_gpu_options *g, struct mlv_study_options *o,
			  struct mlv_err *err);

/* Replay a study on the GPU. `limit` and `capacity` as given, 0: not. Free with fini. */
enum mlv_rc mlv_gpu_replay(struct mlv_gpu_run *run, const struct mlv_study *s,
			   const struct mlv_gpu_options *g, uint64_t limit, uint64_t capacity,
			   struct mlv_err *err);
/* What went wrong in a replay that has a result: its error, to be told beside that. */
enum mlv_rc mlv_gpu_replay_failure(const struct mlv_gpu_run *run, struct mlv_err *err);

/* `mlviz replay --probe`: the whole command. Returns the exit code. */
int mlv_gpu_probe_command(const struct mlv_gpu_options *g, const struct mlv_common *common);

#endif
