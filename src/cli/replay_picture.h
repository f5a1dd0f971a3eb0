/* SPDX-License-Identifier: MIT */
#ifndef MLV_CLI_REPLAY_PICTURE_H
#define MLV_CLI_REPLAY_PICTURE_H
/*
 * The pictures of `mlviz replay -o`: fragmentation over the replay and over the what-if, or with
 * --at the segments at one moment.
 */
#include "analysis/callsite.h"
#include "base/buf.h"
#include "cli/picture.h"
#include "replay/gpu/gpu_run.h"
#include "replay/study.h"

/*
 * Draw a study. Its replays run once more to be watched. MLV_E_USAGE if the picture is too small
 * or the study has nothing to show, MLV_E_NOMEM. `gpu`: a GPU's own account of the same is drawn
 * too; NULL: there is none.
 */
enum mlv_rc mlv_replay_picture_draw(const struct mlv_study *s, const struct mlv_gpu_run *gpu,
				    const struct mlv_picture *o, struct mlv_buf *picture,
				    struct mlv_err *err);

/* `at`: peak, oom, end or an event number; MLV_E_USAGE if it is none of them. */
enum mlv_rc mlv_replay_map_draw(const struct mlv_study *s, struct mlv_sites *sites, const char *at,
				const struct mlv_picture *o, struct mlv_buf *picture,
				struct mlv_err *err);

#endif
