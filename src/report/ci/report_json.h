/* SPDX-License-Identifier: MIT */
#ifndef MLV_REPORT_CI_REPORT_JSON_H
#define MLV_REPORT_CI_REPORT_JSON_H
/* The report as JSON, schema mlviz.report/1: the file report.json, and what --json prints. */
#include "base/buf.h"
#include "report/ci/report.h"

void mlv_report_json(const struct mlv_report *r, struct mlv_buf *out);

#endif
