/* SPDX-License-Identifier: MIT */
/*
 * With TORCH_DISTRIBUTED_DEBUG=DETAIL, ranks compare each collective before it
 * is issued, and the one that finds a difference names both calls. That is a
 * mismatch told at its place: it decides where no dump does. Each statement
 * tells of two ranks; ranks whose calls fit each other form a side.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/hang/gather.h"
#include "analysis/hang/judge.h"

/* The call that one rank was about to issue; what is not told is MLV_STR_NONE, or -1. */
struct print {
	uint32_t rank; /* row */
	mlv_strid op, shape, dtypes;
	int64_t seq;
};

/* Sides are counted by comparing all with all; a log may name any number of ranks. */
enum { MOST_PRINTS = 4096 };

typedef MLV_VEC(struct print) prints;

/* Of several statements about a rank the first counts. */
static bool add(prints *list, bool *told, const struct mlv_evidence *e, const struct mlv_finding *f,
		const char *const keys[5])
{
	const struct mlv_run *run = &e->store;
	struct print p = { .rank = mlv_rank_row(e, mlv_attr_int(run, f->attrs, keys[0], -1)),
			   .op = mlv_attr_text(run, f->attrs, keys[1]),
			   .shape = mlv_attr_text(run, f->attrs, keys[2]),
			   .dtypes = mlv_attr_text(run, f->attrs, keys[3]),
			   .seq = mlv_attr_int(run, f->attrs, keys[4], -1) };
	if (p.rank == UINT32_MAX || told[p.rank] || list->len >= MOST_PRINTS)
		return true;
	told[p.rank] = true;
	return mlv_vec_push(list, p);
}

static bool collect(prints *list, bool *told, const struct mlv_evidence *e)
{
	static const char *const mine[] = { "this_rank", "op", "shape", "dtypes", "seq" };
	static const char *const other[] = { "other_rank", "other_op", "other_shape",
					     "other_dtypes", "other_seq" };
	for (size_t i = 0; i < e->facts.len; i++) {
		const struct mlv_finding *f = &e->store.findings.data[e->facts.data[i].finding];
		if (!mlv_str_eq(mlv_evidence_str(e, f->code), MLV_STR("nccl-collective-mismatch")))
			continue;
		if (!add(list, told, e, f, mine) || !add(list, told, e, f, other))
			return false;
	}
	return true;
}

static bool differ(mlv_strid a, mlv_strid b)
{
	return a.i && b.i && a.i != b.i;
}

/* In what two calls differ, the weightiest first; MLV_HANG_HEALTHY: in nothing that is told. */
static enum mlv_hang_verdict_kind difference(const struct print *a, const struct print *b)
{
	if (differ(a->op, b->op))
		return MLV_HANG_TYPE;
	if (differ(a->shape, b->shape))
		return MLV_HANG_SIZE;
	if (differ(a->dtypes, b->dtypes))
		return MLV_HANG_DTYPE;
	return a->seq >= 0 && b->seq >= 0 && a->seq != b->seq ? MLV_HANG_EXTRA_CALL
							      : MLV_HANG_HEALTHY;
}

/* How many fit this one, itself among them. */
static size_t side(const prints *list, size_t i)
{
	size_t n = 0;
	for (size_t k = 0; k < list->len; k++)
		n += difference(&list->data[i], &list->data[k]) == MLV_HANG_HEALTHY;
	return n;
}

static void say(struct mlv_hang_verdict *v, const struct mlv_evidence *e, const struct print *p)
{
	char number[32] = "";
	struct mlv_str shape = mlv_evidence_str(e, p->shape);
	struct mlv_str dtypes = mlv_evidence_str(e, p->dtypes);
	if (p->seq >= 0)
		snprintf(number, sizeof(number), " #%" PRId64, p->seq);
	mlv_reason(v, "rank %" PRId64 " was about to issue %.40s%s%s%.80s%s%.40s",
		   e->ranks.data[p->rank].rank, mlv_evidence_str(e, p->op).p, number,
		   shape.n ? " " : "", shape.p, dtypes.n ? " " : "", dtypes.p);
}

static void decide(struct mlv_hang_verdict *v, const struct mlv_evidence *e, const prints *list)
{
	size_t most = 0, odd = list->len;
	for (size_t i = 1; i < list->len; i++)
		most = side(list, i) > side(list, most) ? i : most;
	const struct print *usual = &list->data[most];
	for (size_t i = list->len; i-- > 0;) {
		if (difference(usual, &list->data[i]) != MLV_HANG_HEALTHY)
			odd = i;
	}
	if (odd == list->len)
		return;
	size_t agree = side(list, most);
	v->kind = difference(usual, &list->data[odd]);
	v->ambiguous = 2 * agree <= list->len;
	v->seq = usual->seq;
	v->reasons.len = v->advice.len = 0;
	for (size_t i = 0; i < list->len; i++) {
		if (v->ambiguous || difference(usual, &list->data[i]) != MLV_HANG_HEALTHY)
			mlv_blame(v, list->data[i].rank);
	}
	mlv_reason(v, "TORCH_DISTRIBUTED_DEBUG=DETAIL compared the calls before they were issued, "
		      "and they differ");
	say(v, e, &list->data[odd]);
	say(v, e, usual);
	if (v->ambiguous)
		mlv_reason(v, "as many of the ranks that are told of issue the one as the other: "
			      "which is wrong, this does not tell");
	else
		mlv_reason(v, "%zu of the %zu ranks that are told of agree", agree, list->len);
}

void mlv_judge_fingerprints(struct mlv_hang_verdict *v, const struct mlv_evidence *e)
{
	prints list = { 0 };
	bool *told;
	if (v->kind != MLV_HANG_UNDECIDED || v->culprits.len)
		return;
	told = calloc(e->ranks.len + 1, sizeof(*told));
	if (!told || !collect(&list, told, e))
		v->failed = true;
	else if (list.len)
		decide(v, e, &list);
	mlv_vec_free(&list);
	free(told);
}
