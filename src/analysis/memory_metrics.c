/* SPDX-License-Identifier: MIT */
#include "analysis/memory_metrics.h"

enum mlv_memory_metric mlv_memory_metric_of(struct mlv_str name)
{
	static const struct {
		struct mlv_str name;
		enum mlv_memory_metric metric;
	} names[] = {
		{ MLV_STR_INIT("allocated"), MLV_METRIC_ALLOCATED },
		{ MLV_STR_INIT("reserved"), MLV_METRIC_RESERVED },
		{ MLV_STR_INIT("peak_allocated"), MLV_METRIC_PEAK_ALLOCATED },
		{ MLV_STR_INIT("max allocated"), MLV_METRIC_PEAK_ALLOCATED },
		{ MLV_STR_INIT("peak_reserved"), MLV_METRIC_PEAK_RESERVED },
		{ MLV_STR_INIT("max reserved"), MLV_METRIC_PEAK_RESERVED },
		{ MLV_STR_INIT("device_used"), MLV_METRIC_DEVICE_USED },
		{ MLV_STR_INIT("device used"), MLV_METRIC_DEVICE_USED },
	};
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (mlv_str_eq(name, names[i].name))
			return names[i].metric;
	}
	return MLV_METRIC_OTHER;
}
