/* SPDX-License-Identifier: MIT */
#ifndef MLV_ANALYSIS_MEMORY_METRICS_H
#define MLV_ANALYSIS_MEMORY_METRICS_H
/*
 * What samples of the caching allocator's memory are called. Parsers keep the words of those who
 * wrote them; analyses that need one of these figures ask here, so that a format whose words are
 * others is added in one place.
 */
#include "base/str.h"

enum mlv_memory_metric {
	MLV_METRIC_OTHER,
	MLV_METRIC_ALLOCATED,
	MLV_METRIC_RESERVED,
	MLV_METRIC_PEAK_ALLOCATED, /* the most since it was last reset */
	MLV_METRIC_PEAK_RESERVED,
	MLV_METRIC_DEVICE_USED, /* by all, as the device tells it */
};

enum mlv_memory_metric mlv_memory_metric_of(struct mlv_str name);

#endif
