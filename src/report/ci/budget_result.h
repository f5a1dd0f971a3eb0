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

#include "base/arena.h"
#include "base/vec.h"

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

#endif
