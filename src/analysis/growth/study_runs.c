/* SPDX-License-Identifier: MIT */
#include "analysis/growth/study_runs.h"

#include <string.h>

enum mlv_rc mlv_runs_study_init(struct mlv_runs_study *s, const struct mlv_run *const *runs,
				size_t count, const struct mlv_experiment_options *o,
				struct mlv_err *err)
{
	struct mlv_classify_options each = { .capacity = o->capacity };
	enum mlv_rc rc = MLV_OK;
	memset(s, 0, sizeof(*s));
	for (size_t i = 0; !rc && i < count; i++)
		rc = mlv_classify_run(&s->verdicts, runs[i], &each, err);
	if (!rc)
		rc = mlv_rank_sets_init(&s->ranks, &s->verdicts, err);
	if (!rc)
		rc = mlv_experiment_init(&s->experiment, runs, count, &s->verdicts, o, err);
	if (rc)
		mlv_runs_study_fini(s);
	return rc;
}

void mlv_runs_study_fini(struct mlv_runs_study *s)
{
	mlv_experiment_fini(&s->experiment);
	mlv_rank_sets_fini(&s->ranks);
	mlv_verdicts_fini(&s->verdicts);
}
