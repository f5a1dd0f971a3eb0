/* SPDX-License-Identifier: MIT */
#include "report/ci/explain.h"

#include <string.h>

const struct mlv_rule_page *mlv_rule_page_of(const char *rule)
{
	for (size_t i = 0; i < mlv_rule_page_count; i++) {
		if (strcmp(mlv_rule_pages[i].id, rule) == 0)
			return &mlv_rule_pages[i];
	}
	return NULL;
}

bool mlv_explain_next(const struct mlv_rule_page *page, size_t *at, struct mlv_str *verdict)
{
	const char *heading = strstr(page->text + *at, "\n### ");
	if (!heading)
		return false;
	heading += strlen("\n### ");
	*verdict = (struct mlv_str){ heading, strcspn(heading, "\n") };
	*at = (size_t)(heading - page->text);
	return true;
}

/* From behind the heading to the next one. */
static struct mlv_str part(struct mlv_str heading)
{
	const char *text = heading.p + heading.n, *end = strstr(text, "\n#");
	struct mlv_str s = { text, end ? (size_t)(end - text) : strlen(text) };
	while (s.n && s.p[0] == '\n') {
		s.p++;
		s.n--;
	}
	while (s.n && s.p[s.n - 1] == '\n')
		s.n--;
	return s;
}

bool mlv_explain(const char *name, struct mlv_explanation *e)
{
	const struct mlv_rule *rule = mlv_rule_find(name);
	const struct mlv_rule_page *page = rule ? mlv_rule_page_of(name) : NULL;
	if (page) {
		*e = (struct mlv_explanation){ rule, mlv_str_of(page->text), false };
		return true;
	}
	for (size_t i = 0; i < mlv_rule_page_count; i++) {
		struct mlv_str verdict;
		page = &mlv_rule_pages[i];
		for (size_t at = 0; mlv_explain_next(page, &at, &verdict);) {
			if (!mlv_str_eq(verdict, mlv_str_of(name)))
				continue;
			*e = (struct mlv_explanation){ mlv_rule_find(page->id), part(verdict),
						       true };
			return e->rule != NULL;
		}
	}
	return false;
}
