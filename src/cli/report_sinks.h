/* SPDX-License-Identifier: MIT */
#ifndef MLV_CLI_REPORT_SINKS_H
#define MLV_CLI_REPORT_SINKS_H
/* The documents of a report, each made of the finished report alone. */
#include "cli/report_out.h"
#include "cli/report_page.h"
#include "report/ci/budget_result.h"

/* What sinks may draw on. */
struct mlv_report_sources {
	struct mlv_report *report;
	struct mlv_report_page *page;
	const char *source_root; /* of the program's files; NULL */
	const char *attachments; /* what junit.xml puts before names of pictures; NULL */
};

struct mlv_report_sink {
	const char *file; /* name in the directory */
	enum mlv_rc (*make)(const struct mlv_report_sources *s, struct mlv_buf *out,
			    struct mlv_err *err);
};

/* In the order of writing; ends with a NULL name. */
extern const struct mlv_report_sink mlv_report_sinks[];

/* All of them. MLV_E_OUTPUT, MLV_E_NOMEM. */
enum mlv_rc mlv_report_sinks_write(const struct mlv_report_sources *s, struct mlv_report_out *out,
				   struct mlv_err *err);

#endif
