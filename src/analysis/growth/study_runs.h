/* SPDX-License-Identifier: MIT */
#ifndef MLV_ANALYSIS_GROWTH_STUDY_RUNS_H
#define MLV_ANALYSIS_GROWTH_STUDY_RUNS_H
/* Several runs judged: each by itself, as ranks of a job, and as an experiment. */
#include "analysis/growth/experiment.h"
#include "analysis/growth/ranks.h"

struct mlv_runs_study {
	struct mlv_verdicts verdicts;
	struct mlv_rank_sets ranks;
	struct mlv_experiment experiment;
};

/* The runs must outlive it. Errors as of mlv_experiment_init; nothing is to be finished then. */
enum mlv_rc mlv_runs_study_init(struct mlv_runs_study *s, const struct mlv_run *const *runs,
				size_t count, const struct mlv_experiment_options *o,
				struct mlv_err *err);
void mlv_runs_study_fini(struct mlv_runs_study *s);

#endif
