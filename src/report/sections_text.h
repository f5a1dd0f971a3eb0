/* SPDX-License-Identifier: MIT */
#ifndef MLV_REPORT_SECTIONS_TEXT_H
#define MLV_REPORT_SECTIONS_TEXT_H
/*
 * The reports that were found in a file, by line: of a table what leads it and
 * its totals, of a report on one thing its figures.
 */
#include "base/buf.h"
#include "model/run.h"

void mlv_sections_text(const struct mlv_run *run, struct mlv_buf *out);

/* "0,1,2,3,7" as "0-3,7": groups have hundreds of members. */
void mlv_ranks_text(struct mlv_str members, struct mlv_buf *out);

#endif
