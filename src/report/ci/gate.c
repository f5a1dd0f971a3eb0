/* SPDX-License-Identifier: MIT */
#include "report/ci/gate.h"

#include <string.h>

void mlv_ci_gate_init(struct mlv_ci_gate *g)
{
	*g = (struct mlv_ci_gate){ .no_baseline = "there is no baseline" };
	mlv_ci_figures_init(&g->now, &g->budgets);
	mlv_ci_figures_init(&g->base, &g->budgets);
}

void mlv_ci_gate_fini(struct mlv_ci_gate *g)
{
	mlv_budget_results_fini(&g->results);
	mlv_ci_figures_fini(&g->base);
	mlv_ci_figures_fini(&g->now);
	mlv_budgets_fini(&g->budgets);
}

/* The picture that shows a figure: of its input, or of all together. */
static void show(const struct mlv_report *r, struct mlv_ci_figure *f)
{
	bool waits = strcmp(f->metric->name, "collective_wait") == 0;
	enum mlv_report_picture_kind best = MLV_REPORT_PICTURES;
	for (size_t i = 0; i < r->pictures.len; i++) {
		const struct mlv_report_picture *p = &r->pictures.data[i];
		bool of_it = p->input != MLV_NO_INPUT &&
			     strcmp(r->inputs.data[p->input].file, f->input) == 0;
		/* The course of an input is the first of its pictures. */
		if (p->kind >= best || (waits ? p->kind != MLV_REPORT_HANG : !of_it))
			continue;
		best = p->kind;
		f->picture = p->stem;
	}
}

void mlv_ci_gate_judge(struct mlv_ci_gate *g, struct mlv_report *r)
{
	struct mlv_budget_inputs in = { &g->budgets, &g->now, g->has_base ? &g->base : NULL,
					g->no_baseline };
	mlv_ci_figures_findings(&g->now, &r->findings);
	mlv_ci_figures_settle(&g->now);
	for (size_t i = 0; i < g->now.list.len; i++)
		show(r, &g->now.list.data[i]);
	if (mlv_budgets_judge(&g->results, &in, NULL) != MLV_OK) {
		r->failed = true;
		return;
	}
	mlv_budget_results_findings(&g->results, &r->findings);
	mlv_ci_findings_sort(&r->findings);
	r->failed |= g->now.failed || g->base.failed || r->findings.failed;
	r->budgets = &g->results;
}
