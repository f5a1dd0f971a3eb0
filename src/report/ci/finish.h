/* SPDX-License-Identifier: MIT */
#ifndef MLV_REPORT_CI_FINISH_H
#define MLV_REPORT_CI_FINISH_H
/*
 * Within the making of a report: its steps after all inputs were seen, in the
 * order in which mlv_report_finish takes them. Running out of memory is kept
 * in r->failed.
 */
#include "report/ci/report.h"

/* Figures that the row of a rank and its row in the baseline both have. */
void mlv_report_figures(struct mlv_report *r, const struct mlv_report *baseline);

/* Observations of one thing become one: a failure and its messages, a hang and what follows. */
void mlv_report_join(struct mlv_report *r);

/* Observations that come of the rows of ranks: imbalance, fragmentation. */
void mlv_report_observe_ranks(struct mlv_report *r);

/* Observations of what the comparison with the baseline states. Sorts the statements. */
void mlv_report_observe_changes(struct mlv_report *r, struct mlv_statements *s);

/* Once findings are made of observations: those that are changes, as they are listed by themselves.
 */
void mlv_report_add_statements(struct mlv_report *r);

#endif
