/* SPDX-License-Identifier: MIT */
#ifndef MLV_ANALYSIS_NAME_TOTALS_H
#define MLV_ANALYSIS_NAME_TOTALS_H
/* The time that spans of one name take together, over all runs that are given. */
#include "base/err.h"
#include "base/map.h"
#include "model/run.h"

struct mlv_name_total {
	uint64_t hash; /* of the name */
	struct mlv_str name;
	int64_t ns;
	uint64_t count;
};

struct mlv_name_totals {
	MLV_VEC(struct mlv_name_total) list; /* those that take most first */
	struct mlv_map ids;                  /* hash to row */
};

/* MLV_E_NOMEM only; `fini` takes what is half done. The names are borrowed from the runs. */
enum mlv_rc mlv_name_totals_init(struct mlv_name_totals *t, const struct mlv_run *const *runs,
				 size_t count, struct mlv_err *err);
void mlv_name_totals_fini(struct mlv_name_totals *t);

/* The row of the name; list.len if there is none. */
size_t mlv_name_totals_find(const struct mlv_name_totals *t, struct mlv_str name);

#endif
