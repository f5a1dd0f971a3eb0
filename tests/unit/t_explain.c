/* SPDX-License-Identifier: MIT */
/* Every rule has its page and every page its rule, and every verdict has a part of one. */
#include "unit.h"

#include <stdio.h>
#include <string.h>

#include "analysis/growth/verdict.h"
#include "analysis/hang/verdict.h"
#include "replay/postmortem.h"
#include "report/ci/explain.h"

START_TEST(pages_and_rules)
{
	ck_assert_uint_eq(mlv_rule_page_count, mlv_rule_count);
	for (size_t i = 0; i < mlv_rule_count; i++) {
		const struct mlv_rule_page *page = mlv_rule_page_of(mlv_rules[i].id);
		char title[200];
		ck_assert_msg(page != NULL, "docs/rules/%s.md is missing", mlv_rules[i].id);
		snprintf(title, sizeof(title), "# %s: %s\n", mlv_rules[i].id, mlv_rules[i].title);
		ck_assert_msg(strncmp(page->text, title, strlen(title)) == 0,
			      "docs/rules/%s.md does not begin with %s", mlv_rules[i].id, title);
		static const char *const parts[] = { "\n## How it is reached\n",
						     "\n## What to do\n", "\n## When it is wrong\n",
						     "\n## Silence or budget it\n" };
		for (size_t k = 0; k < 4; k++)
			ck_assert_msg(strstr(page->text, parts[k]) != NULL,
				      "docs/rules/%s.md lacks%s", mlv_rules[i].id, parts[k]);
	}
	for (size_t i = 0; i < mlv_rule_page_count; i++)
		ck_assert_ptr_nonnull(mlv_rule_find(mlv_rule_pages[i].id));
}
END_TEST

static void explains(const char *name, const char *rule)
{
	struct mlv_explanation e;
	ck_assert_msg(mlv_explain(name, &e), "nothing explains %s", name);
	ck_assert_str_eq(e.rule->id, rule);
	ck_assert_uint_gt(e.text.n, 40);
	ck_assert_int_ne(e.text.p[0], '\n');
}

START_TEST(verdicts)
{
	for (int k = 0; k <= MLV_HANG_UNDECIDED; k++)
		explains(mlv_hang_verdict_name((enum mlv_hang_verdict_kind)k),
			 k == MLV_HANG_UNDECIDED ? "undecided" : "hang");
	for (int g = 0; g < MLV_GROWTHS; g++)
		explains(mlv_growth_name((enum mlv_growth)g), "memory-growth");
	explains(mlv_oom_verdict_name(MLV_OOM_CAPACITY), "out-of-memory");
	explains(mlv_oom_verdict_name(MLV_OOM_LEAK), "out-of-memory");
	explains(mlv_oom_verdict_name(MLV_OOM_OTHER_MEMORY), "out-of-memory");
	/* A rule goes before a verdict. */
	explains(mlv_oom_verdict_name(MLV_OOM_FRAGMENTATION), "fragmentation");
}
END_TEST

START_TEST(parts_end)
{
	struct mlv_explanation e;
	ck_assert(mlv_explain("lag", &e));
	ck_assert(e.part);
	unit_check(!mlv_str_contains(e.text, MLV_STR("#")));
	ck_assert(mlv_explain("hang", &e));
	ck_assert(!e.part);
	ck_assert(!mlv_explain("How it is reached", &e));
	ck_assert(!mlv_explain("", &e));
}
END_TEST

UNIT_MAIN("explain", pages_and_rules, verdicts, parts_end)
