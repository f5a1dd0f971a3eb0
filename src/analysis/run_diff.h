/* SPDX-License-Identifier: MIT */
#ifndef MLV_ANALYSIS_RUN_DIFF_H
#define MLV_ANALYSIS_RUN_DIFF_H
/*
 * What two runs share beside the memory of devices: their tables of spans,
 * samples, metrics and process groups, their properties and their findings.
 */
#include "analysis/table_diff.h"

/* A fact or setting that differs, or that one of them does not state. */
struct mlv_property_diff {
	const struct mlv_property *side[2]; /* of each run; NULL: not stated */
};

/* A statement that stands in one of them alone, or more often in it. */
struct mlv_finding_diff {
	const struct mlv_finding *finding; /* the first of its kind */
	const struct mlv_run *run;         /* whose it is */
	uint64_t count[2];
};

struct mlv_run_diff {
	const struct mlv_run *run[2]; /* borrowed */
	MLV_VEC(struct mlv_table_diff) tables;
	MLV_VEC(struct mlv_property_diff) properties;
	MLV_VEC(struct mlv_finding_diff) findings;
	size_t shared;         /* tables, properties and kinds of findings that both fill */
	size_t tables_only[2]; /* tables with no partner */
};

/* `ignore` may be NULL; see mlv_ignores. MLV_E_NOMEM only. */
enum mlv_rc mlv_run_diff_init(struct mlv_run_diff *d, const struct mlv_run *a,
			      const struct mlv_run *b, const char *ignore, struct mlv_err *err);
void mlv_run_diff_fini(struct mlv_run_diff *d);

/* Whether something in it differs. */
bool mlv_run_diff_any(const struct mlv_run_diff *d);

/* "spans, samples": which tables a run fills, for people. */
void mlv_run_holds(const struct mlv_run *run, char *buf, size_t size);

#endif
