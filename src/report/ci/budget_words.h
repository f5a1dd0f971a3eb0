/* SPDX-License-Identifier: MIT */
#ifndef MLV_REPORT_CI_BUDGET_WORDS_H
#define MLV_REPORT_CI_BUDGET_WORDS_H
/* Within the judging of budgets: one sentence about one row. */
#include "report/ci/budget_result.h"
#include "report/ci/figures.h"

/* One figure, or those of several ranks as one: sum / of. */
struct mlv_budget_value {
	int64_t sum;
	int64_t of; /* 1, or what a mean is divided by */
	int64_t count;
	bool known;
	const struct mlv_ci_figure *unknown; /* the first that is not known, or not complete */
	const struct mlv_ci_figure *most; /* the largest where that is asked for, else the first */
};

struct mlv_budget_row {
	const struct mlv_ci_figure *figure; /* NULL: nothing measures it */
	const struct mlv_budget_value *now, *base;
	double limit; /* in the small unit */
	enum mlv_budget_state state;
	const char *why; /* it was not judged */
	size_t left_out; /* it stands for so many rows that have none */
};

/* "rank 3: peak of reserved memory: 3.47 GiB, 476 MiB above the limit of 3.00 GiB"; NULL when
 * memory runs out. */
const char *mlv_budget_message(struct mlv_budget_results *r, const struct mlv_budget *b,
			       const struct mlv_budget_row *row);

#endif
