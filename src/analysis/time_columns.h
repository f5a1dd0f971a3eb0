/* SPDX-License-Identifier: MIT */
#ifndef MLV_ANALYSIS_TIME_COLUMNS_H
#define MLV_ANALYSIS_TIME_COLUMNS_H
/*
 * The memory of a device over a stretch of wall time, as a plot that is led by
 * something else (the spans of a trace) shows it: the most in each column.
 */
#include "analysis/history.h"

/*
 * The columns divide [from, to]; a column without events shows what was there
 * before it. free() it; NULL when memory runs out. Needs a history with times.
 */
uint64_t *mlv_time_columns(const struct mlv_history *h, int64_t from, int64_t to, int32_t columns);

#endif
