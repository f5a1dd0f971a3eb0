/* SPDX-License-Identifier: MIT */
#ifndef MLV_REPORT_CI_SUMMARY_MD_H
#define MLV_REPORT_CI_SUMMARY_MD_H
/*
 * The report as Markdown, for the summary of a CI job and for comments:
 * summary.md. GitHub refuses a summary of more than 1 MiB whole, so the least
 * important is cut, and how much of it is said.
 */
#include "base/buf.h"
#include "report/ci/budget_result.h"
#include "report/ci/report.h"

enum { MLV_SUMMARY_MOST = 1024 * 1024 };

/* `budgets` may be NULL. `most`: bytes, 0: as GitHub takes. Returns how many findings were cut. */
size_t mlv_summary_md(const struct mlv_report *r, const struct mlv_budget_results *budgets,
		      size_t most, struct mlv_buf *out);

#endif
