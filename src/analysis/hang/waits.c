/* SPDX-License-Identifier: MIT */
/*
 * The graph of waiting: edges from each rank to those for which it waits, its
 * strongly connected parts (Tarjan's algorithm, with a stack of its own, for a
 * chain of waiting may be as long as the job is wide), and which of these wait
 * for no other.
 */
#include <stdlib.h>
#include <string.h>

#include "analysis/hang/stand.h"

static bool edge(struct mlv_waits *w, uint32_t from, uint32_t to, enum mlv_arrival why)
{
	struct mlv_wait wait = { from, to, why };
	if (why == MLV_ARRIVED || why == MLV_PASSED || from == to)
		return true;
	return mlv_vec_push(&w->list, wait);
}

static bool collective_edges(struct mlv_waits *w, uint32_t rank, const struct mlv_stand *s)
{
	const struct mlv_evidence *e = w->e;
	const struct mlv_job_group *g = &e->groups.data[e->lanes.data[s->lane].group];
	for (uint32_t i = 0; i < g->lanes; i++) {
		const struct mlv_job_lane *l = &e->lanes.data[g->first_lane + i];
		if (!edge(w, rank, l->rank, mlv_arrival_of(w, l, s->seq)))
			return false;
	}
	return true;
}

/* A batch of sends and receives waits for the peers of all of them. */
static bool p2p_edges(struct mlv_waits *w, uint32_t rank, const struct mlv_stand *s)
{
	const struct mlv_evidence *e = w->e;
	const struct mlv_call *c = &e->calls.data[s->call];
	const struct mlv_job_rank *r = &e->ranks.data[rank];
	for (uint32_t i = s->call; i < r->first_call + r->calls; i++) {
		const struct mlv_call *m = &e->calls.data[i];
		uint32_t peer, met;
		if (m->lane != c->lane)
			continue;
		if (i != s->call && !(c->grouped && m->grouped && m->p2p_seq == c->p2p_seq))
			break;
		enum mlv_arrival why = mlv_p2p_arrival(w, i, &peer, &met);
		if (peer != UINT32_MAX && !edge(w, rank, peer, why))
			return false;
	}
	return true;
}

static bool add_edges(struct mlv_waits *w)
{
	uint32_t n = (uint32_t)w->e->ranks.len;
	w->first = calloc(n + 1, sizeof(*w->first));
	if (!w->first)
		return false;
	for (uint32_t i = 0; i < n; i++) {
		const struct mlv_stand *s = &w->stands[i];
		w->first[i] = (uint32_t)w->list.len;
		if (s->lane == MLV_NO_CALL)
			continue;
		if (!(s->seq >= 0 ? collective_edges(w, i, s) : p2p_edges(w, i, s)))
			return false;
	}
	w->first[n] = (uint32_t)w->list.len;
	return true;
}

struct frame {
	uint32_t rank, next;
};

struct tarjan {
	struct mlv_waits *w;
	uint32_t *index, *low, *stack; /* index: 0 not visited */
	struct frame *frames;
	uint32_t depth, stacked, count;
};

static void enter(struct tarjan *t, uint32_t rank)
{
	t->index[rank] = t->low[rank] = ++t->count;
	t->stack[t->stacked++] = rank;
	t->frames[t->depth++] = (struct frame){ rank, t->w->first[rank] };
}

static void leave(struct tarjan *t)
{
	uint32_t rank = t->frames[--t->depth].rank;
	if (t->depth) {
		uint32_t above = t->frames[t->depth - 1].rank;
		if (t->low[rank] < t->low[above])
			t->low[above] = t->low[rank];
	}
	if (t->low[rank] != t->index[rank])
		return;
	uint32_t member;
	do {
		member = t->stack[--t->stacked];
		t->w->knot[member] = t->w->knots;
	} while (member != rank);
	t->w->knots++;
}

static void visit(struct tarjan *t, uint32_t start)
{
	struct mlv_waits *w = t->w;
	enter(t, start);
	while (t->depth) {
		struct frame *f = &t->frames[t->depth - 1];
		if (f->next == w->first[f->rank + 1]) {
			leave(t);
			continue;
		}
		uint32_t to = w->list.data[f->next++].to;
		if (!t->index[to])
			enter(t, to);
		else if (w->knot[to] == UINT32_MAX && t->index[to] < t->low[f->rank])
			t->low[f->rank] = t->index[to];
	}
}

static bool tie(struct mlv_waits *w)
{
	size_t n = w->e->ranks.len + 1;
	struct tarjan t = { .w = w,
			    .index = calloc(n, sizeof(uint32_t)),
			    .low = calloc(n, sizeof(uint32_t)),
			    .stack = calloc(n, sizeof(uint32_t)),
			    .frames = calloc(n, sizeof(struct frame)) };
	w->knot = calloc(n, sizeof(uint32_t));
	bool ok = t.index && t.low && t.stack && t.frames && w->knot;
	if (ok) {
		memset(w->knot, 0xff, n * sizeof(uint32_t));
		for (uint32_t i = 0; i < w->e->ranks.len; i++) {
			if (!t.index[i])
				visit(&t, i);
		}
	}
	free(t.index);
	free(t.low);
	free(t.stack);
	free(t.frames);
	return ok;
}

/*
 * Who waits for a rank of which nothing is known may have another reason to
 * stand where it does: such waits keep nothing from being where it began.
 */
static bool weigh(struct mlv_waits *w)
{
	w->waiting = calloc(w->knots + 1, sizeof(*w->waiting));
	w->root = calloc(w->knots + 1, sizeof(*w->root));
	if (!w->waiting || !w->root)
		return false;
	for (uint32_t k = 0; k < w->knots; k++)
		w->root[k] = true;
	for (uint32_t i = 0; i < w->e->ranks.len; i++)
		w->waiting[w->knot[i]]++;
	for (size_t i = 0; i < w->list.len; i++) {
		uint32_t from = w->knot[w->list.data[i].from], to = w->knot[w->list.data[i].to];
		if (from == to)
			continue;
		w->root[from] &= w->list.data[i].why == MLV_UNHEARD;
		if (w->waiting[to] < UINT32_MAX / 2)
			w->waiting[to]++;
	}
	return true;
}

enum mlv_rc mlv_waits_init(struct mlv_waits *w, const struct mlv_evidence *e, struct mlv_err *err)
{
	memset(w, 0, sizeof(*w));
	w->e = e;
	if (!mlv_stands_fill(w) || !add_edges(w) || !tie(w) || !weigh(w)) {
		mlv_waits_fini(w);
		return mlv_err_nomem(err);
	}
	return MLV_OK;
}

void mlv_waits_fini(struct mlv_waits *w)
{
	free(w->stands);
	free(w->first);
	free(w->knot);
	free(w->waiting);
	free(w->root);
	mlv_vec_free(&w->list);
}
