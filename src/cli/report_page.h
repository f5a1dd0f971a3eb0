/* SPDX-License-Identifier: MIT */
#ifndef MLV_CLI_REPORT_PAGE_H
#define MLV_CLI_REPORT_PAGE_H
/*
 * index.html of a report: the report itself, and the timelines of its inputs,
 * which are gathered as the inputs come and go. It stays within a size that a
 * browser opens; what has no room is left out, the least important first, and
 * the page says so.
 */
#include "cli/page_timelines.h"
#include "report/ci/report.h"

struct mlv_report_page {
	struct mlv_page_timelines timelines;
	uint64_t capacity;     /* of a device; 0: none was given */
	const char *user_path; /* NULL: the standard rule */
};

void mlv_report_page_fini(struct mlv_report_page *p);

/* What it holds of memory and of spans; nothing is no error. MLV_E_NOMEM only. */
enum mlv_rc mlv_report_page_input(struct mlv_report_page *p, const struct mlv_input *input,
				  struct mlv_err *err);

/* Once, of the finished report. MLV_E_NOMEM only. */
enum mlv_rc mlv_report_page_make(struct mlv_report_page *p, const struct mlv_report *report,
				 struct mlv_buf *out, struct mlv_err *err);

#endif
