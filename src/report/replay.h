/* SPDX-License-Identifier: MIT */
#ifndef MLV_REPORT_REPLAY_H
#define MLV_REPORT_REPLAY_H
/* What `mlviz replay` says: a study of each device, and its replay on a GPU, as text and as JSON.
 */
#include "analysis/callsite.h"
#include "base/buf.h"
#include "base/json_write.h"
#include "replay/gpu/gpu_run.h"
#include "replay/segment_map.h"
#include "replay/study.h"

/* `sites` name stacks. `top` rows of rankings. */
void mlv_replay_text(const struct mlv_study *s, struct mlv_sites *sites, size_t top,
		     struct mlv_buf *out);
/* The segments after one event. */
struct mlv_map_moment {
	const struct mlv_segment_map *map;
	uint32_t event;
	uint64_t request; /* bytes of the request that failed in this event; 0: none did */
	bool whatif;      /* of the what-if, not of the recording */
	bool ended;       /* the what-if came to its end before the moment that was asked for */
};

/* One element of "devices". `gpu`: its replay on a GPU, or NULL. `moment`: NULL: none. */
void mlv_replay_json(const struct mlv_study *s, const struct mlv_gpu_run *gpu,
		     const struct mlv_map_moment *moment, struct mlv_sites *sites, size_t top,
		     struct mlv_json *j);

void mlv_map_moment_json(const struct mlv_map_moment *m, const struct mlv_history *h,
			 struct mlv_json *j);

/* The part on a GPU, after the other. */
void mlv_gpu_text(const struct mlv_gpu_run *g, struct mlv_buf *out);
void mlv_gpu_json(const struct mlv_gpu_run *g, struct mlv_json *j);

/* The part on a failed request, of the recording or of a what-if. */
void mlv_postmortem_text(const struct mlv_postmortem *p, struct mlv_sites *sites, size_t top,
			 struct mlv_buf *out);
void mlv_postmortem_json(const struct mlv_postmortem *p, struct mlv_sites *sites, size_t top,
			 struct mlv_json *j);

/* "expandable_segments:True", or "the default settings". */
const char *mlv_conf_words(const struct mlv_alloc_conf *conf, char *buf, size_t size);

#endif
