/* SPDX-License-Identifier: MIT */
#ifndef MLV_REPORT_CI_REPORT_TEXT_H
#define MLV_REPORT_CI_REPORT_TEXT_H
/* The report for a terminal: the verdict, the first findings, a line for each rank, the files. */
#include "base/buf.h"
#include "report/ci/report.h"

/* `directory`: into which the files were written; NULL: none were. */
void mlv_report_summary(const struct mlv_report *r, size_t top, const char *directory,
			struct mlv_buf *out);

#endif
