/* SPDX-License-Identifier: MIT */
/* From what was gathered to a report: the order of the steps, and which picture shows what. */
#include "report/ci/finish.h"

#include <stdlib.h>
#include <string.h>

#include "report/ci/cards.h"
#include "report/ci/gate.h"
#include "report/ci/rows.h"

static const char *picture_of(const struct mlv_report *r, const char *input,
			      enum mlv_report_picture_kind kind)
{
	for (size_t i = 0; i < r->pictures.len; i++) {
		const struct mlv_report_picture *p = &r->pictures.data[i];
		if (p->kind == kind &&
		    (p->input == MLV_NO_INPUT ||
		     (input && strcmp(r->inputs.data[p->input].file, input) == 0)))
			return p->stem;
	}
	return NULL;
}

static void show_observations(struct mlv_report *r)
{
	static const struct {
		const char *rule;
		enum mlv_report_picture_kind kinds[2];
	} shown[] = {
		{ "out-of-memory", { MLV_REPORT_REPLAY, MLV_REPORT_TIMELINE } },
		{ "memory-growth", { MLV_REPORT_TIMELINE, MLV_REPORT_CLASSIFY } },
		{ "fragmentation", { MLV_REPORT_REPLAY, MLV_REPORT_TIMELINE } },
		{ "imbalance", { MLV_REPORT_CLASSIFY, MLV_REPORT_CLASSIFY } },
		{ "hang", { MLV_REPORT_HANG, MLV_REPORT_HANG } },
		{ "straggler", { MLV_REPORT_HANG, MLV_REPORT_HANG } },
		{ "change", { MLV_REPORT_DIFF, MLV_REPORT_DIFF } },
	};
	for (size_t i = 0; i < r->observations.list.len; i++) {
		struct mlv_observation *o = &r->observations.list.data[i];
		for (size_t k = 0; k < sizeof(shown) / sizeof(shown[0]); k++) {
			if (strcmp(shown[k].rule, o->rule) != 0)
				continue;
			o->picture = picture_of(r, o->input, shown[k].kinds[0]);
			if (!o->picture)
				o->picture = picture_of(r, o->input, shown[k].kinds[1]);
		}
	}
}

static void show_rows(struct mlv_report *r)
{
	for (size_t i = 0; i < r->ranks.len; i++) {
		struct mlv_report_rank *k = &r->ranks.data[i];
		for (size_t p = 0; p < r->pictures.len; p++) {
			for (size_t j = 0; j < k->inputs.len; j++) {
				if (r->pictures.data[p].input == k->inputs.data[j])
					r->failed |= !mlv_vec_push(&k->pictures,
								   r->pictures.data[p].stem);
			}
		}
	}
}

static int by_stem(const void *pa, const void *pb)
{
	return strcmp(((const struct mlv_report_picture *)pa)->stem,
		      ((const struct mlv_report_picture *)pb)->stem);
}

void mlv_report_finish(struct mlv_report *r, struct mlv_report *baseline,
		       struct mlv_statements *statements, struct mlv_ci_gate *gate)
{
	mlv_report_rows_settle(r);
	if (baseline) {
		mlv_report_rows_settle(baseline);
		mlv_report_figures(r, baseline);
		r->baseline_inputs = baseline->inputs.len;
	}
	mlv_report_join(r);
	mlv_report_observe_ranks(r);
	if (statements)
		mlv_report_observe_changes(r, statements);
	if (r->pictures.len)
		qsort(r->pictures.data, r->pictures.len, sizeof(*r->pictures.data), by_stem);
	show_observations(r);
	show_rows(r);
	mlv_observations_settle(r);
	if (gate)
		mlv_ci_gate_judge(gate, r);
	mlv_report_add_statements(r);
	mlv_report_conclude(r);
}
