/* SPDX-License-Identifier: MIT */
#ifndef MLV_CLI_REPLAY_MOMENT_H
#define MLV_CLI_REPLAY_MOMENT_H
/* The moment that `mlviz replay --at` names, and the segments at it. */
#include "replay/frag_series.h"
#include "replay/segment_map.h"
#include "replay/study.h"

struct mlv_replay_moment {
	struct mlv_segment_map map;
	uint32_t event;   /* the moment after it */
	uint64_t request; /* bytes of the request that failed in this event; 0: none did */
	bool ended;       /* the what-if came to its end before the moment that was asked for */
};

/*
 * "scattered", or what cli/moment.h knows, in the replay that `series` is of:
 * the recorded one, or the what-if. MLV_E_USAGE where there is no such moment, MLV_E_NOMEM.
 */
enum mlv_rc mlv_replay_moment_init(struct mlv_replay_moment *m, const struct mlv_study *s,
				   const struct mlv_frag_series *series, bool whatif,
				   const char *at, struct mlv_err *err);
/* The same without a series at hand, of the what-if if the study has one. */
enum mlv_rc mlv_replay_moment_find(struct mlv_replay_moment *m, const struct mlv_study *s,
				   const char *at, struct mlv_err *err);
void mlv_replay_moment_fini(struct mlv_replay_moment *m);

#endif
