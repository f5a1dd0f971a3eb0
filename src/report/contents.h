/* SPDX-License-Identifier: MIT */
#ifndef MLV_REPORT_CONTENTS_H
#define MLV_REPORT_CONTENTS_H
/*
 * What a run holds besides the memory of devices, table by table: reports
 * found and where, spans, groups, samples, metrics, findings, facts. A table
 * without rows is not mentioned.
 */
#include "base/buf.h"
#include "base/json_write.h"
#include "model/run.h"

void mlv_contents_text(const struct mlv_run *run, struct mlv_buf *out);
/* Keys "sections", "spans", "groups", "samples", "metrics", "findings", "properties". */
void mlv_contents_json(const struct mlv_run *run, struct mlv_json *j);

#endif
