/* SPDX-License-Identifier: MIT */
#ifndef MLV_CLI_REPLAY_PICTURE_H
#define MLV_CLI_REPLAY_PICTURE_H
/*
 * The picture of `mlviz replay -o`: fragmentation over the replay and over the what-if, and with
 * --at below it the segments at one moment.
 */
#include "analysis/callsite.h"
#include "base/buf.h"
#include "cli/picture.h"
#include "replay/gpu/gpu_run.h"
#include "replay/study.h"

struct mlv_replay_drawing {
	const struct mlv_study *study;
	const struct mlv_gpu_run *gpu; /* whose own account is drawn too; NULL: there is none */
	const char *at; /* the moment of the segments, as replay_moment.h has it; NULL: none */
	struct mlv_sites *sites;
	bool by_state; /* colours tell the state of blocks alone, not the call site */
};

/*
 * Draw a study. Its replays run once more to be watched. MLV_E_USAGE if the picture is too small,
 * there is no such moment or the study has nothing to show, MLV_E_NOMEM.
 */
enum mlv_rc mlv_replay_picture_draw(const struct mlv_replay_drawing *r, const struct mlv_picture *o,
				    struct mlv_buf *picture, struct mlv_err *err);

#endif
