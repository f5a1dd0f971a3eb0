/* SPDX-License-Identifier: MIT */
#ifndef MLV_REPORT_CI_SARIF_H
#define MLV_REPORT_CI_SARIF_H
/*
 * Findings as SARIF 2.1.0, for code scanning: findings.sarif. The limits are
 * those of GitHub, which refuses what exceeds them; what is cut is the least
 * important, and a notification of the run says how much.
 */
#include "base/buf.h"
#include "report/ci/finding.h"

struct mlv_sarif_options {
	const char *source_root; /* where the repository lay when the program ran; NULL */
	size_t most_results;     /* 0: as GitHub takes */
	size_t most_bytes;       /* compressed; 0: as GitHub takes */
};

/* Of sorted findings. A failure is kept in `out`. */
void mlv_ci_sarif(const struct mlv_ci_findings *f, const struct mlv_sarif_options *o,
		  struct mlv_buf *out);

#endif
