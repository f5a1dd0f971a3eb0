/* SPDX-License-Identifier: MIT */
#ifndef MLV_ANALYSIS_ALIKE_H
#define MLV_ANALYSIS_ALIKE_H
/*
 * Findings that say the same: a job of many ranks dies with as many equal
 * tracebacks, and a reader wants one, with the ranks that have it. Equal are
 * their kind, place in the source, stack and text, but for what differs
 * without a meaning: the rank's own number, process ids, addresses, and how
 * many milliseconds it had waited.
 */
#include "model/run.h"

struct mlv_alike {
	size_t count;    /* groups: the worst first, then by line */
	uint32_t *order; /* findings, group by group, by line */
	size_t *start;   /* of each group in it; one more than there are groups */
};

enum mlv_rc mlv_alike_init(struct mlv_alike *a, const struct mlv_run *run, struct mlv_err *err);
void mlv_alike_fini(struct mlv_alike *a);

/* The same for findings of any runs whose code and text are equal but for such differences. */
uint64_t mlv_finding_key(const struct mlv_run *run, const struct mlv_finding *f);

#endif
