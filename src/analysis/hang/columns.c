/* SPDX-License-Identifier: MIT */
#include "analysis/hang/columns.h"

#include <stdlib.h>
#include <string.h>

static bool is_p2p(const struct mlv_call *c)
{
	return c->kind == MLV_CALL_SEND || c->kind == MLV_CALL_RECV;
}

/* What a cell is matched by: a collective by its number, a send and its receive by one of them. */
static uint64_t key_of(const struct mlv_waits *w, uint32_t call)
{
	const struct mlv_call *c = &w->e->calls.data[call];
	uint32_t peer, met = call;
	if (!is_p2p(c))
		return (uint64_t)w->e->lanes.data[c->lane].group << 32 | (uint32_t)c->seq;
	if (!c->done)
		(void)mlv_p2p_arrival(w, call, &peer, &met);
	return UINT64_C(1) << 63 | (met < call ? met : call);
}

/* Whether a call is drawn: the later ones of a slot, and ends of batches, are part of another. */
static bool shown(const struct mlv_evidence *e, const struct mlv_call *c)
{
	const struct mlv_job_lane *l = &e->lanes.data[c->lane];
	if (is_p2p(c))
		return true;
	const struct mlv_slot *s = mlv_slot_of(e, l, c->seq);
	return s && mlv_lane_call(e, l, s->first) == c;
}

static bool add_call(struct mlv_columns *c, const struct mlv_waits *w, struct mlv_map *nodes,
		     uint32_t rank, uint32_t call)
{
	uint64_t key = key_of(w, call);
	const struct mlv_map_slot *slot = mlv_map_find(nodes, key);
	struct mlv_hang_cell cell = { call, slot ? slot->value : c->nodes, rank, 0 };
	if (!slot && !mlv_map_set(nodes, key, c->nodes++))
		return false;
	return mlv_vec_push(&c->cells, cell);
}

static bool take_dump(struct mlv_columns *c, const struct mlv_waits *w, struct mlv_map *nodes,
		      uint32_t rank, uint32_t window)
{
	const struct mlv_evidence *e = w->e;
	const struct mlv_job_rank *r = &e->ranks.data[rank];
	uint32_t from = r->first_call + r->calls, count = 0;
	/* Where it stands must be in sight, however far it issued ahead. */
	while (from > r->first_call &&
	       (count < window || (w->stands[rank].call != MLV_NO_CALL &&
				   from + 2 > w->stands[rank].call && count < 4 * window))) {
		from--;
		count += shown(e, &e->calls.data[from]);
	}
	for (uint32_t i = from; i < r->first_call + r->calls; i++) {
		if (shown(e, &e->calls.data[i]) && !add_call(c, w, nodes, rank, i))
			return false;
	}
	return true;
}

/*
 * Each node stands one column right of the last one that any of its ranks
 * issued before it. Where ranks issued calls in different orders that has no
 * end: then the node that got furthest goes first.
 */
static bool place(struct mlv_columns *c)
{
	uint32_t n = c->nodes;
	size_t cells = c->cells.len;
	uint32_t *waiting = calloc(n + 1, sizeof(*waiting)), *level = calloc(n + 1, sizeof(*level));
	bool *done = calloc(n + 1, sizeof(*done));
	bool ok = waiting && level && done;
	for (size_t i = 1; ok && i < cells; i++)
		waiting[c->cells.data[i].node] +=
			c->cells.data[i].rank == c->cells.data[i - 1].rank;
	for (uint32_t left = n; ok && left;) {
		bool moved = false;
		uint32_t best = UINT32_MAX;
		for (size_t i = 0; i < cells; i++) {
			uint32_t node = c->cells.data[i].node;
			if (done[node])
				continue;
			if (best == UINT32_MAX || waiting[node] < waiting[best])
				best = node;
		}
		for (size_t i = 0; i < cells; i++) {
			uint32_t node = c->cells.data[i].node;
			if (done[node] || (waiting[node] && node != best))
				continue;
			done[node] = moved = true;
			left--;
			for (size_t k = 0; k + 1 < cells; k++) {
				const struct mlv_hang_cell *a = &c->cells.data[k], *b = a + 1;
				if (a->node != node || a->rank != b->rank)
					continue;
				if (level[b->node] < level[node] + 1 && !done[b->node])
					level[b->node] = level[node] + 1;
				waiting[b->node] -= waiting[b->node] > 0;
			}
		}
		ok = moved;
	}
	for (size_t i = 0; ok && i < cells; i++) {
		struct mlv_hang_cell *cell = &c->cells.data[i];
		cell->column = level[cell->node];
		c->columns = cell->column + 1 > c->columns ? cell->column + 1 : c->columns;
	}
	free(waiting);
	free(level);
	free(done);
	return ok;
}

enum mlv_rc mlv_columns_init(struct mlv_columns *c, const struct mlv_waits *w,
			     const uint32_t *ranks, size_t count, uint32_t window,
			     struct mlv_err *err)
{
	const struct mlv_evidence *e = w->e;
	struct mlv_map nodes = { 0 };
	bool ok = true;
	memset(c, 0, sizeof(*c));
	for (size_t i = 0; ok && i < count; i++) {
		uint32_t r = ranks[i];
		if (e->ranks.data[r].dump)
			ok = take_dump(c, w, &nodes, r, window);
		else if (w->stands[r].call != MLV_NO_CALL)
			ok = add_call(c, w, &nodes, r, w->stands[r].call);
	}
	ok = ok && place(c);
	mlv_map_fini(&nodes);
	if (ok)
		return MLV_OK;
	mlv_columns_fini(c);
	return mlv_err_nomem(err);
}

void mlv_columns_fini(struct mlv_columns *c)
{
	mlv_vec_free(&c->cells);
}
