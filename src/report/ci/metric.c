/* SPDX-License-Identifier: MIT */
#include "report/ci/metric.h"

#include <string.h>

/* In the order of a baseline file. Names are those of `diff --json`. */
const struct mlv_ci_metric mlv_ci_metrics[] = {
	{ "requested_peak", "requested memory, peak", MLV_BYTE_COUNT, MLV_SUBJECT_NONE },
	{ "requested_end", "requested memory, end", MLV_BYTE_COUNT, MLV_SUBJECT_NONE },
	{ "allocated_peak", "allocated memory, peak", MLV_BYTE_COUNT, MLV_SUBJECT_NONE },
	{ "allocated_end", "allocated memory, end", MLV_BYTE_COUNT, MLV_SUBJECT_NONE },
	{ "reserved_peak", "reserved memory, peak", MLV_BYTE_COUNT, MLV_SUBJECT_NONE },
	{ "reserved_end", "reserved memory, end", MLV_BYTE_COUNT, MLV_SUBJECT_NONE },
	{ "idle_end", "reserved and not active memory, end", MLV_BYTE_COUNT, MLV_SUBJECT_NONE },
	{ "fragmentation", "reserved and not active, of reserved memory, end", MLV_SHARE,
	  MLV_SUBJECT_NONE },
	{ "growth", "growth of memory, a step", MLV_BYTE_COUNT, MLV_SUBJECT_NONE },
	{ "leak", "growth of one stack, a step", MLV_BYTE_COUNT, MLV_SUBJECT_WHOLE },
	{ "ooms", "failed requests for memory", MLV_NUMBER, MLV_SUBJECT_NONE },
	{ "mapped_peak", "mapped memory, peak", MLV_BYTE_COUNT, MLV_SUBJECT_NONE },
	{ "call_time", "time in calls", MLV_DURATION, MLV_SUBJECT_NAMED },
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
