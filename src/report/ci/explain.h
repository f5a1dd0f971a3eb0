/* SPDX-License-Identifier: MIT */
#ifndef MLV_REPORT_CI_EXPLAIN_H
#define MLV_REPORT_CI_EXPLAIN_H
/*
 * The pages of the rules, which are those of docs/rules/, embedded at build
 * time. A heading of the third level within a page is a verdict that has a name
 * of its own: "missing-rank" in the page of hang.
 */
#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"
#include "report/ci/rule.h"

struct mlv_rule_page {
	const char *id, *text; /* Markdown */
};

extern const struct mlv_rule_page mlv_rule_pages[];
extern const size_t mlv_rule_page_count;

/* NULL if there is none. */
const struct mlv_rule_page *mlv_rule_page_of(const char *rule);

/* What a name means: a whole page, or the part of one. */
struct mlv_explanation {
	const struct mlv_rule *rule;
	struct mlv_str text;
	bool part; /* of the page of that rule */
};

/* A rule, else a verdict. False if it is neither. */
bool mlv_explain(const char *name, struct mlv_explanation *e);

/* The verdicts of a page, one after the other: `at` is 0 at first. False at the end. */
bool mlv_explain_next(const struct mlv_rule_page *page, size_t *at, struct mlv_str *verdict);

#endif
