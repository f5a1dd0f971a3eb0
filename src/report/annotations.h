/* SPDX-License-Identifier: MIT */
#ifndef MLV_REPORT_ANNOTATIONS_H
#define MLV_REPORT_ANNOTATIONS_H
/* Annotations of a run (record_function, optimizer steps), counted by name. */
#include "base/buf.h"
#include "base/json_write.h"
#include "model/run.h"

void mlv_annotations_text(const struct mlv_run *run, struct mlv_buf *out);
/* The key "annotations" with an array of {name, count, open, begun_before}. */
void mlv_annotations_json(const struct mlv_run *run, struct mlv_json *j);

#endif
