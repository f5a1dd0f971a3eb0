/* SPDX-License-Identifier: MIT */
#ifndef MLV_REPORT_CI_GATE_H
#define MLV_REPORT_CI_GATE_H
/*
 * Budgets beside a report: figures are gathered from the same inputs, and
 * judged once the findings are known, of which some budgets count and to which
 * each that is passed adds one. A report without budgets has none.
 */
#include "report/ci/baseline.h"
#include "report/ci/budget_judge.h"
#include "report/ci/report.h"

struct mlv_ci_gate {
	struct mlv_budgets budgets;
	struct mlv_ci_figures now, base;
	bool has_base;
	const char *no_baseline; /* why there is none, in words; static */
	struct mlv_budget_results results;
};

/* A list without budgets, until some are read into it. */
void mlv_ci_gate_init(struct mlv_ci_gate *g);
void mlv_ci_gate_fini(struct mlv_ci_gate *g);

/*
 * All inputs were gathered, and the findings of the report are sorted: judge.
 * Findings are added and sorted again; r->budgets points to the results.
 */
void mlv_ci_gate_judge(struct mlv_ci_gate *g, struct mlv_report *r);

#endif
