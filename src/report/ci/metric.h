/* SPDX-License-Identifier: MIT */
#ifndef MLV_REPORT_CI_METRIC_H
#define MLV_REPORT_CI_METRIC_H
/* What budgets can be set on, as one table: names, units, and what a subject is of each. */
#include <stdbool.h>
#include <stddef.h>

#include "model/decimal.h"

enum mlv_subject_rule {
	MLV_SUBJECT_NONE,  /* the run has one value; a device, where a rank has several */
	MLV_SUBJECT_WHOLE, /* without a subject a budget is about the whole, which is a figure too
			    */
	MLV_SUBJECT_EACH,  /* without a subject a budget is about each of them */
	MLV_SUBJECT_NAMED, /* a budget must name what it is about */
};

struct mlv_ci_metric {
	const char *name;  /* "reserved_peak" */
	const char *label; /* "reserved memory, peak" */
	enum mlv_quantity quantity;
	enum mlv_subject_rule subject;
};

extern const struct mlv_ci_metric mlv_ci_metrics[];
extern const size_t mlv_ci_metric_count;

/* NULL if there is none of that name. */
const struct mlv_ci_metric *mlv_ci_metric_find(const char *name);

#endif
