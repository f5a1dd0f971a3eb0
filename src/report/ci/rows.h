/* SPDX-License-Identifier: MIT */
#ifndef MLV_REPORT_CI_ROWS_H
#define MLV_REPORT_CI_ROWS_H
/* Within the making of a report: one row of each device of each rank, with a name. */
#include "report/ci/report.h"

/* Sorts inputs by name, and merges the rows that they gave. */
void mlv_report_rows_settle(struct mlv_report *r);

void mlv_report_rank_fini(struct mlv_report_rank *k);

#endif
