/* SPDX-License-Identifier: MIT */
#include "analysis/hang/straggle.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/hang/stand.h"

/* One collective of one rank: what it is matched by, and how long the rank was in it. */
struct turn {
	uint32_t group; /* id of a string, or row of a group */
	int64_t number; /* the n-th, or its sequence number */
	uint32_t rank;  /* row */
	mlv_strid name;
	int64_t duration_ns;
	int64_t start_ns; /* of kernels */
	int64_t of;       /* number of the rank */
};

typedef MLV_VEC(struct turn) turns;

static int by_collective(const void *pa, const void *pb)
{
	const struct turn *a = pa, *b = pb;
	if (a->group != b->group)
		return a->group < b->group ? -1 : 1;
	if (a->number != b->number)
		return a->number < b->number ? -1 : 1;
	return (a->rank > b->rank) - (a->rank < b->rank);
}

/* Numbers the kernels of each rank in each group; how many there are, by (group, rank). */
static bool take_kernels(const struct mlv_evidence *e, turns *t, struct mlv_map *counts)
{
	for (size_t i = 0; i < e->kernels.len; i++) {
		const struct mlv_kernel *k = &e->kernels.data[i];
		uint32_t rank = mlv_rank_row(e, k->rank);
		uint64_t key = (uint64_t)k->group.i << 32 | rank;
		const struct mlv_map_slot *slot = mlv_map_find(counts, key);
		struct turn turn = { k->group.i, slot ? slot->value : 0, rank,
				     k->name,    k->duration_ns,         k->start_ns,
				     k->rank };
		if (rank == UINT32_MAX)
			continue;
		if (!mlv_vec_push(t, turn) || !mlv_map_set(counts, key, (uint32_t)turn.number + 1))
			return false;
	}
	return true;
}

/* Calls of dumps whose durations were recorded: their numbers are those of the group itself. */
static bool take_calls(const struct mlv_evidence *e, turns *t)
{
	for (size_t i = 0; i < e->calls.len; i++) {
		const struct mlv_call *c = &e->calls.data[i];
		if (c->lane == UINT32_MAX || c->kind != MLV_CALL_COLLECTIVE || c->from_log ||
		    c->duration_ns < 0 || c->grouped)
			continue;
		const struct mlv_job_lane *l = &e->lanes.data[c->lane];
		struct turn turn = { l->group,       c->seq,      l->rank, c->name,
				     c->duration_ns, MLV_NO_TIME, -1 };
		if (!mlv_vec_push(t, turn))
			return false;
	}
	return true;
}

static bool same_name(const struct turn *t, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		if (t[i].name.i != t[0].name.i || t[i].rank == t[i - 1].rank)
			return false;
	}
	return true;
}

static bool judge_one(struct mlv_stragglers *s, struct mlv_straggler *of, const struct turn *t,
		      size_t n)
{
	size_t last = 0;
	int64_t most = 0;
	for (size_t i = 1; i < n; i++) {
		if (t[i].duration_ns < t[last].duration_ns)
			last = i;
	}
	struct mlv_straggler *late = &of[t[last].rank];
	for (size_t i = 0; i < n; i++) {
		int64_t wait = t[i].duration_ns - t[last].duration_ns;
		of[t[i].rank].waited_ns += wait;
		late->caused_ns += wait;
		s->waited_ns += wait;
		most = wait > most ? wait : most;
		struct mlv_collective_wait w = { t[i].of, t[i].start_ns, wait };
		if (wait && t[i].start_ns != MLV_NO_TIME && !mlv_vec_push(&s->waits, w))
			return false;
	}
	late->last++;
	late->longest_ns = most > late->longest_ns ? most : late->longest_ns;
	s->collectives++;
	return true;
}

/*
 * The turns of one group. Of kernels, its ranks must have as many each, or the
 * n-th is not the n-th: one profiler began or ended later.
 */
static bool judge_group(struct mlv_stragglers *s, struct mlv_straggler *of, const struct turn *t,
			size_t n, const struct mlv_map *counts)
{
	uint32_t first = 0;
	bool even = true;
	for (size_t i = 0; counts && i < n; i++) {
		const struct mlv_map_slot *slot =
			mlv_map_find(counts, (uint64_t)t[i].group << 32 | t[i].rank);
		even &= !i || slot->value == first;
		first = slot->value;
	}
	for (size_t i = 0, m; i < n; i += m) {
		for (m = 1; i + m < n && t[i + m].number == t[i].number; m++)
			;
		if (!even || m < 2 || !same_name(t + i, m))
			s->left_out += m;
		else if (!judge_one(s, of, t + i, m))
			return false;
	}
	return true;
}

static int by_rank_and_start(const void *pa, const void *pb)
{
	const struct mlv_collective_wait *a = pa, *b = pb;
	if (a->rank != b->rank)
		return a->rank < b->rank ? -1 : 1;
	return (a->start_ns > b->start_ns) - (a->start_ns < b->start_ns);
}

static bool judge_all(struct mlv_stragglers *s, struct mlv_straggler *of, turns *t,
		      const struct mlv_map *counts)
{
	if (t->len)
		qsort(t->data, t->len, sizeof(*t->data), by_collective);
	for (size_t i = 0, n; i < t->len; i += n) {
		for (n = 1; i + n < t->len && t->data[i + n].group == t->data[i].group; n++)
			;
		if (!judge_group(s, of, t->data + i, n, counts))
			return false;
	}
	if (s->waits.len)
		qsort(s->waits.data, s->waits.len, sizeof(*s->waits.data), by_rank_and_start);
	return true;
}

static int by_caused(const void *pa, const void *pb)
{
	const struct mlv_straggler *a = pa, *b = pb;
	if (a->caused_ns != b->caused_ns)
		return a->caused_ns > b->caused_ns ? -1 : 1;
	return (a->rank > b->rank) - (a->rank < b->rank);
}

static bool keep(struct mlv_stragglers *s, const struct mlv_straggler *of, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if ((of[i].last || of[i].waited_ns) && !mlv_vec_push(&s->list, of[i]))
			return false;
	}
	if (s->list.len)
		qsort(s->list.data, s->list.len, sizeof(*s->list.data), by_caused);
	return true;
}

static const char *reason(const struct mlv_evidence *e, const turns *t)
{
	if (!e->kernels.len && !t->len)
		return e->dumps ? "the dumps hold no durations (TORCH_NCCL_ENABLE_TIMING=1 "
				  "records them), and there are no traces"
				: "there are no traces of several ranks";
	return "no collective is recorded on two ranks that have as many of them";
}

enum mlv_rc mlv_stragglers_init(struct mlv_stragglers *s, const struct mlv_evidence *e,
				struct mlv_err *err)
{
	turns t = { 0 };
	struct mlv_map counts = { 0 };
	size_t n = e->ranks.len;
	struct mlv_straggler *of = calloc(n + 1, sizeof(*of));
	memset(s, 0, sizeof(*s));
	for (uint32_t i = 0; of && i < n; i++)
		of[i].rank = i;
	s->from_traces = e->traces > 1;
	bool ok = of && (s->from_traces ? take_kernels(e, &t, &counts) : take_calls(e, &t));
	ok = ok && judge_all(s, of, &t, s->from_traces ? &counts : NULL) && keep(s, of, n);
	if (ok && !s->collectives)
		s->why_not = reason(e, &t);
	free(of);
	mlv_vec_free(&t);
	mlv_map_fini(&counts);
	return ok ? MLV_OK : mlv_err_nomem(err);
}

void mlv_stragglers_fini(struct mlv_stragglers *s)
{
	mlv_vec_free(&s->list);
	mlv_vec_free(&s->waits);
}

bool mlv_stragglers_clear(const struct mlv_stragglers *s)
{
	return s->list.len > 1 && s->waited_ns > 0 &&
	       s->list.data[0].caused_ns > s->waited_ns / 2 && s->collectives >= 8;
}
