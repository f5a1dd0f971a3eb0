/* SPDX-License-Identifier: MIT */
#ifndef MLV_REPORT_CI_JUNIT_H
#define MLV_REPORT_CI_JUNIT_H
/*
 * Budgets and findings as test results: junit.xml, which CI systems list
 * beside the tests of a project. One test case for each budget, and one for
 * each class of severe findings, so that there is something to read without
 * budgets. No clock: the same input gives the same bytes.
 */
#include "base/buf.h"
#include "report/ci/budget_result.h"
#include "report/ci/finding.h"

/*
 * `budgets` may be NULL. `prefix` is put before the names of pictures: GitLab
 * takes them as relative to the project, "report/". NULL: no pictures are named.
 */
void mlv_ci_junit(const struct mlv_ci_findings *f, const struct mlv_budget_results *budgets,
		  const char *prefix, struct mlv_buf *out);

#endif
