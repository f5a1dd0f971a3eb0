/* SPDX-License-Identifier: MIT */
#ifndef MLV_REPORT_CI_BASELINE_H
#define MLV_REPORT_CI_BASELINE_H
/*
 * Figures of a run as a file that is committed beside the program: schema
 * mlviz.baseline/1. One line a figure, in one order, with all digits, so that
 * the difference of two is readable and a run held against its own figures
 * has not changed.
 */
#include "base/buf.h"
#include "base/err.h"
#include "report/ci/figures.h"

enum { MLV_BASELINE_MOST = 16 * 1024 * 1024 };

/* Those of settled figures that are known and complete. */
void mlv_ci_baseline_write(const struct mlv_ci_figures *f, struct mlv_buf *out);

/* Whether a text says that it is such a file. */
bool mlv_ci_baseline_is(struct mlv_str head);

/* `text` has a NUL behind it. Adds to an initialised list and sorts it. */
enum mlv_rc mlv_ci_baseline_read(struct mlv_ci_figures *f, const char *name, struct mlv_str text,
				 struct mlv_err *err);

#endif
