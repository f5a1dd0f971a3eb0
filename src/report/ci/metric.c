/* SPDX-License-Identifier: MIT */
#include "report/ci/metric.h"

#include <string.h>

/* In the order of a baseline file. Names are those of `diff --json`. */
const struct mlv_ci_metric mlv_ci_metrics[] = {
	{ "requested_peak", "peak of requested memory", MLV_BYTE_COUNT, MLV_SUBJECT_NONE },
	{ "requested_end", "requested memory at the end", MLV_BYTE_COUNT, MLV_SUBJECT_NONE },
	{ "allocated_peak", "peak of allocated memory", MLV_BYTE_COUNT, MLV_SUBJECT_NONE },
	{ "allocated_end", "allocated memory at the end", MLV_BYTE_COUNT, MLV_SUBJECT_NONE },
	{ "reserved_peak", "peak of reserved memory", MLV_BYTE_COUNT, MLV_SUBJECT_NONE },
	{ "reserved_end", "reserved memory at the end", MLV_BYTE_COUNT, MLV_SUBJECT_NONE },
	{ "idle_end", "reserved and not active at the end", MLV_BYTE_COUNT, MLV_SUBJECT_NONE },
	{ "fragmentation", "reserved and not active, of what is reserved at the end", MLV_SHARE,
	  MLV_SUBJECT_NONE },
	{ "growth", "growth of memory per step", MLV_BYTE_COUNT, MLV_SUBJECT_NONE },
	{ "leak", "growth of one stack per step", MLV_BYTE_COUNT, MLV_SUBJECT_WHOLE },
	{ "ooms", "failed requests for memory", MLV_NUMBER, MLV_SUBJECT_NONE },
	{ "mapped_peak", "peak of mapped memory", MLV_BYTE_COUNT, MLV_SUBJECT_NONE },
	{ "call_time", "time in this call", MLV_DURATION, MLV_SUBJECT_NAMED },
	{ "failed_calls", "failed calls", MLV_NUMBER, MLV_SUBJECT_WHOLE },
	{ "collective_wait", "time that other ranks wait for a rank", MLV_DURATION,
	  MLV_SUBJECT_NONE },
	{ "wall_time", "wall time of a command", MLV_DURATION, MLV_SUBJECT_EACH },
	{ "max_rss", "maximum resident set size of a command", MLV_BYTE_COUNT, MLV_SUBJECT_EACH },
	{ "findings", "findings", MLV_NUMBER, MLV_SUBJECT_WHOLE },
};

const size_t mlv_ci_metric_count = sizeof(mlv_ci_metrics) / sizeof(*mlv_ci_metrics);

const struct mlv_ci_metric *mlv_ci_metric_find(const char *name)
{
	for (size_t i = 0; i < mlv_ci_metric_count; i++)
		if (strcmp(mlv_ci_metrics[i].name, name) == 0)
			return &mlv_ci_metrics[i];
	return NULL;
}
