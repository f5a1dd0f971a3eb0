/* SPDX-License-Identifier: MIT */
#include "report/ci/finding.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

void mlv_ci_findings_init(struct mlv_ci_findings *f)
{
	*f = (struct mlv_ci_findings){ 0 };
}

void mlv_ci_findings_fini(struct mlv_ci_findings *f)
{
	for (size_t i = 0; i < f->list.len; i++)
		free(f->list.data[i].details.data);
	free(f->list.data);
	mlv_arena_fini(&f->texts);
}

struct mlv_ci_finding *mlv_ci_finding_add(struct mlv_ci_findings *f, const char *rule)
{
	const struct mlv_rule *r = mlv_rule_find(rule);
	struct mlv_ci_finding one = {
		.rule = r, .severity = r->severity, .message = "", .subject = "", .ranks = ""
	};
	if (!mlv_vec_push(&f->list, one)) {
		f->failed = true;
		return NULL;
	}
	return &f->list.data[f->list.len - 1];
}

const char *mlv_ci_text(struct mlv_ci_findings *f, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	const char *text = mlv_arena_vprintf(&f->texts, fmt, ap);
	va_end(ap);
	if (text)
		return text;
	f->failed = true;
	return "";
}

void mlv_ci_detail(struct mlv_ci_findings *f, struct mlv_ci_finding *one, const char *text)
{
	if (!mlv_vec_push(&one->details, text))
		f->failed = true;
}

static int compare(const void *pa, const void *pb)
{
	const struct mlv_ci_finding *a = pa, *b = pb;
	if (a->severity != b->severity)
		return a->severity > b->severity ? -1 : 1;
	if (a->rule != b->rule)
		return a->rule < b->rule ? -1 : 1;
	if (a->weight != b->weight)
		return a->weight > b->weight ? -1 : 1;
	int by_subject = strcmp(a->subject, b->subject);
	return by_subject ? by_subject : strcmp(a->message, b->message);
}

static uint64_t fingerprint(const struct mlv_ci_finding *f, uint64_t number)
{
	XXH64_hash_t rule = XXH64(f->rule->id, strlen(f->rule->id), number);
	return XXH64(f->subject, strlen(f->subject), rule);
}

/* Those of one rule and subject are neighbours, in the order of the list. */
static int by_identity(const void *pa, const void *pb)
{
	const struct mlv_ci_finding *const *a = pa, *const *b = pb;
	if ((*a)->rule != (*b)->rule)
		return (*a)->rule < (*b)->rule ? -1 : 1;
	int by_subject = strcmp((*a)->subject, (*b)->subject);
	return by_subject ? by_subject : *a < *b ? -1 : *a > *b;
}

void mlv_ci_findings_sort(struct mlv_ci_findings *f)
{
	size_t n = f->list.len;
	struct mlv_ci_finding **order = n ? malloc(n * sizeof(struct mlv_ci_finding *)) : NULL;
	if (!order) {
		f->failed |= n > 0;
		return;
	}
	qsort(f->list.data, n, sizeof(struct mlv_ci_finding), compare);
	for (size_t i = 0; i < n; i++)
		order[i] = &f->list.data[i];
	qsort(order, n, sizeof(struct mlv_ci_finding *), by_identity);
	uint64_t number = 0;
	for (size_t i = 0; i < n; i++) {
		number = i && order[i]->rule == order[i - 1]->rule &&
					 strcmp(order[i]->subject, order[i - 1]->subject) == 0
				 ? number + 1
				 : 0;
		order[i]->fingerprint = fingerprint(order[i], number);
	}
	free(order);
}
