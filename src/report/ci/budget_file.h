/* SPDX-License-Identifier: MIT */
#ifndef MLV_REPORT_CI_BUDGET_FILE_H
#define MLV_REPORT_CI_BUDGET_FILE_H
/*
 * What a team allows a run to be: a small JSON file, schema mlviz.budgets/1,
 * kept beside the program (docs/budgets.md). Every complaint names line and
 * column. The list owns its texts.
 */
#include "base/arena.h"
#include "base/err.h"
#include "base/vec.h"
#include "report/ci/metric.h"

/* Beyond these a file is refused; sinks rely on it for their own limits. */
enum { MLV_BUDGET_FILE_MOST = 256 * 1024, MLV_BUDGETS_MOST = 500, MLV_BUDGET_NAME_MOST = 120 };

/* Over which of the ranks' values a budget is held. */
enum mlv_budget_per { MLV_PER_RANK, MLV_PER_MAX, MLV_PER_SUM, MLV_PER_MEAN };

struct mlv_budget {
	const char *name; /* differs from those of all others */
	const struct mlv_ci_metric *metric;
	const char *subject; /* a pattern with * and ?; NULL: see the metric */
	const char *column;  /* of a table; NULL: the one that it is ranked by */
	const char *input;   /* a pattern for the names of inputs; NULL: any */
	enum mlv_budget_per per;
	bool required; /* fails where it cannot be judged */
	/*
	 * Either `max`, the most it may be, or an increase over the baseline: passed where the
	 * change exceeds both the share and the floor, of which one may be missing.
	 */
	bool absolute;
	int64_t max; /* in the small unit of the metric: see mlv_quantity_text */
	bool has_share, has_floor;
	int64_t share; /* millionths of a percent */
	int64_t floor;
};

struct mlv_budgets {
	MLV_VEC(struct mlv_budget) list;
	struct mlv_arena texts;
};

/* `text` has a NUL behind it; `name` is borrowed by the error. MLV_E_FORMAT, MLV_E_NOMEM. */
enum mlv_rc mlv_budgets_read(struct mlv_budgets *b, const char *name, struct mlv_str text,
			     struct mlv_err *err);
void mlv_budgets_fini(struct mlv_budgets *b);

/* "rank", "max", … */
const char *mlv_budget_per_name(enum mlv_budget_per per);

/* Whether a pattern, with * for any characters and ? for one, is the whole of a text. */
bool mlv_ci_matches(const char *pattern, const char *text);

#endif
