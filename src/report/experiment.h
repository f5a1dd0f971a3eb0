/* SPDX-License-Identifier: MIT */
#ifndef MLV_REPORT_EXPERIMENT_H
#define MLV_REPORT_EXPERIMENT_H
/* Ranks and sweeps, as text and as JSON. */
#include "analysis/growth/experiment.h"
#include "analysis/growth/ranks.h"
#include "base/buf.h"
#include "base/json_write.h"

void mlv_experiment_text(const struct mlv_experiment *e, struct mlv_buf *out);
/* "sweeps" */
void mlv_experiment_json(const struct mlv_experiment *e, struct mlv_json *j);

void mlv_rank_sets_text(const struct mlv_rank_sets *r, const struct mlv_verdicts *v,
			struct mlv_buf *out);
/* "ranks" and "rank_sets" */
void mlv_rank_sets_json(const struct mlv_rank_sets *r, const struct mlv_verdicts *v,
			struct mlv_json *j);

#endif
