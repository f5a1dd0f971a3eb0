/* SPDX-License-Identifier: MIT */
#ifndef MLV_REPORT_CI_RULE_H
#define MLV_REPORT_CI_RULE_H
/*
 * The rules by which a report finds something, as one table: what a finding
 * is called in every sink, and what `mlviz explain` prints about it.
 */
#include <stddef.h>

#include "model/rows.h"

struct mlv_rule {
	const char *id;    /* "memory-growth": lower case and hyphens, never renamed */
	const char *title; /* "Memory grows from step to step" */
	enum mlv_finding_severity severity; /* unless a finding has its own */
};

extern const struct mlv_rule mlv_rules[];
extern const size_t mlv_rule_count;

/* NULL if there is none of that name. */
const struct mlv_rule *mlv_rule_find(const char *id);

#endif
