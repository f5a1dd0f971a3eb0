/* SPDX-License-Identifier: MIT */
#ifndef MLV_REPORT_SAMPLES_TEXT_H
#define MLV_REPORT_SAMPLES_TEXT_H
/* The samples of a run, metric by metric: where they begin and end, and the most with its place. */
#include "base/buf.h"
#include "model/run.h"

void mlv_samples_text(const struct mlv_run *run, struct mlv_buf *out);

#endif
