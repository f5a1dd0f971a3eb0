/* SPDX-License-Identifier: MIT */
#ifndef MLV_REPORT_CI_CARDS_H
#define MLV_REPORT_CI_CARDS_H
/* Within the making of a report: the verdict in a line, and a card of each subject. */
#include "report/ci/report.h"
#include "report/ci/stated.h"

/* Sets state, headline and cards from findings and rows. */
void mlv_report_conclude(struct mlv_report *r);

#endif
