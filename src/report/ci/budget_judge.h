/* SPDX-License-Identifier: MIT */
#ifndef MLV_REPORT_CI_BUDGET_JUDGE_H
#define MLV_REPORT_CI_BUDGET_JUDGE_H
/*
 * Holds budgets against the figures of a run and of its baseline. Whole
 * numbers are compared, without rounding: what equals a limit keeps it. A
 * budget is passed by complete evidence only; a missing baseline is a notice.
 */
#include "report/ci/budget_result.h"
#include "report/ci/figures.h"

struct mlv_budget_inputs {
	const struct mlv_budgets *budgets;
	const struct mlv_ci_figures *now;      /* settled */
	const struct mlv_ci_figures *baseline; /* settled; NULL: there is none */
	const char *no_baseline;               /* why, in words, then */
};

/* Fills an empty list. MLV_E_NOMEM only. */
enum mlv_rc mlv_budgets_judge(struct mlv_budget_results *r, const struct mlv_budget_inputs *in,
			      struct mlv_err *err);

#endif
