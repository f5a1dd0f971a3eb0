/* SPDX-License-Identifier: MIT */
#ifndef MLV_ANALYSIS_SPAN_ORDER_H
#define MLV_ANALYSIS_SPAN_ORDER_H
/*
 * Spans track by track in the order of nesting: by their beginning, and what
 * encloses another comes before it. Recordings hold them in any order.
 */
#include "base/err.h"
#include "model/run.h"

struct mlv_span_item {
	uint32_t track, span;
	int64_t start, end; /* INT64_MAX: has not ended */
};

/* Costs a walk where they are in order already, as most recordings are. */
void mlv_span_order(struct mlv_span_item *items, size_t count);

/*
 * Lanes in which spans that overlap without one holding the other do not
 * meet: lane[i] of run->spans row i, 0 for nearly all. Spans without a
 * duration are in lane 0. Where a track needs more than MLV_SPAN_LANES, the
 * last one takes what is left. free() it; NULL when memory runs out.
 */
enum { MLV_SPAN_LANES = 32 };
uint8_t *mlv_span_lanes(const struct mlv_run *run);

#endif
