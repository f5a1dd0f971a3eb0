/* SPDX-License-Identifier: MIT */
#include "report/ci/rule.h"

#include <string.h>

/*
 * In the order in which a reader wants to know: why the run died, what grows,
 * what is stuck, what a budget forbids, what differs from the baseline, what
 * could not be told.
 */
const struct mlv_rule mlv_rules[] = {
	{ "out-of-memory", "A request for memory failed", MLV_FINDING_ERROR },
	{ "hang", "Collectives of the job do not meet", MLV_FINDING_ERROR },
	{ "failure", "A report states an error", MLV_FINDING_ERROR },
	{ "memory-growth", "Memory grows from step to step", MLV_FINDING_ERROR },
	{ "budget", "A budget was passed", MLV_FINDING_ERROR },
	{ "fragmentation", "More is reserved than is ever allocated", MLV_FINDING_WARNING },
	{ "straggler", "The other ranks wait for one", MLV_FINDING_WARNING },
	{ "warning", "A report states a warning", MLV_FINDING_WARNING },
	{ "change", "Something differs from the baseline", MLV_FINDING_WARNING },
	{ "imbalance", "Ranks hold unlike amounts of memory", MLV_FINDING_NOTE },
	{ "undecided", "The evidence does not suffice for a verdict", MLV_FINDING_NOTE },
	{ "damaged-input", "A part of an input could not be read", MLV_FINDING_WARNING },
};

const size_t mlv_rule_count = sizeof(mlv_rules) / sizeof(*mlv_rules);

const struct mlv_rule *mlv_rule_find(const char *id)
{
	for (size_t i = 0; i < mlv_rule_count; i++)
		if (strcmp(mlv_rules[i].id, id) == 0)
			return &mlv_rules[i];
	return NULL;
}
