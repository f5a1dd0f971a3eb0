/* SPDX-License-Identifier: MIT */
#ifndef MLV_REPORT_CI_BUDGET_RESULT_H
#define MLV_REPORT_CI_BUDGET_RESULT_H
/*
 * What became of each budget: one row for each figure that one was held
 * against, and one for a budget that nothing could be held against. The list
 * owns all texts. Judging (budget_judge.h) fills it; every sink reads it.
 */
#include <stdbool.h>
#include <stdint.h>

#include "base/json_write.h"
#include "report/ci/finding.h"

enum mlv_budget_state {
	MLV_BUDGET_KEPT,
	MLV_BUDGET_PASSED,
	MLV_BUDGET_NOTICE,  /* not judged: no baseline, or nothing measures it */
	MLV_BUDGET_UNKNOWN, /* measured, but from incomplete evidence */
};

struct mlv_budget_result {
	size_t budget;    /* number in the file; rows of one stand together */
	const char *name; /* of the budget: differs from those of all others */
	const char *metric;
	const char *subject; /* "aten::mm"; "": the run itself */
	int64_t rank;        /* -1: of no one rank */
	enum mlv_budget_state state;
	bool fails; /* the run: it was passed, or is required and could not be judged */
	bool has_actual, has_limit, has_baseline;
	double actual, limit, baseline; /* limit: the most (or least) that actual may be */
	const char *unit;               /* "B", "ns", "%", "": a number */
	const char *message;            /* one sentence, without a full stop */
	const char *input;              /* the file that shows it; NULL: several, or none */
	const char *picture;            /* stem of pictures that show it; NULL */
};

struct mlv_budget_results {
	MLV_VEC(struct mlv_budget_result) list;
	struct mlv_arena texts;
};

void mlv_budget_results_fini(struct mlv_budget_results *r);

/* "kept", "passed", "notice", "unknown" */
const char *mlv_budget_state_name(enum mlv_budget_state state);

/* Whether the run fails. */
bool mlv_budget_results_fail(const struct mlv_budget_results *r);

/* The key "budgets" with an array, empty for NULL. */
void mlv_budget_results_json(const struct mlv_budget_results *r, struct mlv_json *j);

/* What a reader must know, a line each: all that is not kept, up to `top`; and how many are kept.
 */
void mlv_budget_results_text(const struct mlv_budget_results *r, size_t top, struct mlv_buf *out);

/*
 * A finding of rule "budget" for each subject by which a budget fails, with
 * the ranks on which it does and the worst of them first. Sort them then.
 */
void mlv_budget_results_findings(const struct mlv_budget_results *r, struct mlv_ci_findings *f);

#endif
