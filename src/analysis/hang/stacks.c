/* SPDX-License-Identifier: MIT */
#include "analysis/hang/stacks.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/hang/gather.h"
#include "analysis/hang/judge.h"

/* The row of the rank whose main thread a finding shows; UINT32_MAX. */
static uint32_t main_thread(const struct mlv_evidence *e, const struct mlv_fact *fact)
{
	const struct mlv_finding *f = &e->store.findings.data[fact->finding];
	mlv_strid name = mlv_attr_text(&e->store, f->attrs, "thread_name");
	struct mlv_str code = mlv_evidence_str(e, f->code);
	bool spied = mlv_str_eq(code, MLV_STR("py-spy-thread")) &&
		     mlv_str_eq(mlv_evidence_str(e, name), MLV_STR("MainThread"));
	if (!(spied || mlv_str_eq(code, MLV_STR("last-line"))) || !mlv_stack_has_frame(f->stack))
		return UINT32_MAX;
	return mlv_rank_row(e, fact->rank);
}

static bool add(struct mlv_stack_classes *s, mlv_stackid stack, uint32_t rank)
{
	size_t i = 0;
	struct mlv_stack_class fresh = { .stack = stack };
	while (i < s->list.len && s->list.data[i].stack.i != stack.i)
		i++;
	if (i == s->list.len && !mlv_vec_push(&s->list, fresh))
		return false;
	return mlv_vec_push(&s->list.data[i].ranks, rank);
}

static int by_size(const void *pa, const void *pb)
{
	const struct mlv_stack_class *a = pa, *b = pb;
	if (a->ranks.len != b->ranks.len)
		return a->ranks.len > b->ranks.len ? -1 : 1;
	return (a->ranks.data[0] > b->ranks.data[0]) - (a->ranks.data[0] < b->ranks.data[0]);
}

enum mlv_rc mlv_stack_classes_init(struct mlv_stack_classes *s, const struct mlv_evidence *e,
				   struct mlv_err *err)
{
	uint32_t *fact_of = calloc(e->ranks.len + 1, sizeof(*fact_of));
	bool ok = fact_of != NULL;
	memset(s, 0, sizeof(*s));
	/* Of several dumps of one process the last counts. */
	for (uint32_t i = 0; ok && i < e->facts.len; i++) {
		uint32_t row = main_thread(e, &e->facts.data[i]);
		if (row != UINT32_MAX)
			fact_of[row] = i + 1;
	}
	for (uint32_t r = 0; ok && r < e->ranks.len; r++) {
		if (fact_of[r])
			ok = add(
				s,
				e->store.findings.data[e->facts.data[fact_of[r] - 1].finding].stack,
				r);
	}
	free(fact_of);
	if (!ok) {
		mlv_stack_classes_fini(s);
		return mlv_err_nomem(err);
	}
	if (s->list.len)
		qsort(s->list.data, s->list.len, sizeof(*s->list.data), by_size);
	return MLV_OK;
}

void mlv_stack_classes_fini(struct mlv_stack_classes *s)
{
	for (size_t i = 0; i < s->list.len; i++)
		mlv_vec_free(&s->list.data[i].ranks);
	mlv_vec_free(&s->list);
}

void mlv_stack_classes_judge(const struct mlv_stack_classes *s, const struct mlv_evidence *e,
			     struct mlv_hang_verdict *v)
{
	char odd[MLV_RANKS_SIZE];
	if (s->list.len != 2 || s->list.data[0].ranks.len <= s->list.data[1].ranks.len)
		return;
	const struct mlv_stack_class *c = &s->list.data[1];
	mlv_ranks_named(e, c->ranks.data, c->ranks.len, odd);
	mlv_reason(v, "the main threads of %zu ranks have one stack; %s %s elsewhere",
		   s->list.data[0].ranks.len, odd, c->ranks.len == 1 ? "is" : "are");
	if (v->kind != MLV_HANG_UNDECIDED || v->culprits.len)
		return;
	v->kind = MLV_HANG_LAG;
	v->stuck = MLV_STUCK_HOST;
	for (size_t i = 0; i < c->ranks.len; i++)
		mlv_blame(v, c->ranks.data[i]);
}
