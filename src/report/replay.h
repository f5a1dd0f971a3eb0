/* SPDX-License-Identifier: MIT */
#ifndef MLV_REPORT_REPLAY_H
#define MLV_REPORT_REPLAY_H
/* What `mlviz replay` says: a study of each device, and its replay on a GPU, as text and as JSON.
 */
#include "analysis/callsite.h"
#include "base/buf.h"
#include "base/json_write.h"
#include "replay/gpu/gpu_run.h"
#include "replay/study.h"

/* `sites` name stacks. `top` rows of rankings. */
void mlv_replay_text(const struct mlv_study *s, struct mlv_sites *sites, size_t top,
		     struct mlv_buf *out);
/* One element of "devices". `gpu`: its replay on a GPU, or NULL. */
void mlv_replay_json(const struct mlv_study *s, const struct mlv_gpu_run *gpu,
		     struct mlv_sites *sites, size_t top, struct mlv_json *j);

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
