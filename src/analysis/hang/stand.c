/* SPDX-License-Identifier: MIT */
/* Where ranks stand, and how a rank stands to a call of another. */
#include "analysis/hang/stand.h"

#include <stdlib.h>

static bool is_p2p(const struct mlv_call *c)
{
	return c->kind == MLV_CALL_SEND || c->kind == MLV_CALL_RECV;
}

uint32_t mlv_peer_lane(const struct mlv_evidence *e, const struct mlv_call *c)
{
	const struct mlv_job_group *g = &e->groups.data[e->lanes.data[c->lane].group];
	if (c->peer < 0 || (uint32_t)c->peer >= g->lanes)
		return UINT32_MAX;
	const struct mlv_job_lane *l = &e->lanes.data[g->first_lane + (uint32_t)c->peer];
	return l->place == (uint32_t)c->peer ? g->first_lane + (uint32_t)c->peer : UINT32_MAX;
}

/* Whether it is a call in which a rank can be seen to stand: the group of an end may be lost. */
static bool stands_in(const struct mlv_evidence *e, const struct mlv_call *c)
{
	return is_p2p(c) || mlv_slot_of(e, &e->lanes.data[c->lane], c->seq) != NULL;
}

static struct mlv_stand by_dump(const struct mlv_evidence *e, const struct mlv_job_rank *r)
{
	struct mlv_stand s = { MLV_NO_CALL, MLV_NO_CALL, -1, r->calls > 0 };
	for (uint32_t i = 0; i < r->calls; i++) {
		const struct mlv_call *c = &e->calls.data[r->first_call + i];
		if (c->done || !stands_in(e, c))
			continue;
		s.call = r->first_call + i;
		s.lane = c->lane;
		s.seq = is_p2p(c) ? -1 : c->seq;
		break;
	}
	return s;
}

/* Of a rank without entries: what status or a log says of a lane. */
static void by_status(const struct mlv_evidence *e, uint32_t lane, struct mlv_stand *s)
{
	const struct mlv_job_lane *l = &e->lanes.data[lane];
	bool dump = e->ranks.data[l->rank].dump;
	s->heard |= l->seen && (l->enqueued != MLV_NOT_KNOWN || (dump && l->status));
	if (!l->seen || l->enqueued == MLV_NOT_KNOWN || s->lane != MLV_NO_CALL ||
	    l->completed == MLV_NOT_KNOWN || l->completed >= l->enqueued)
		return;
	s->lane = lane;
	s->seq = l->completed + 1;
	const struct mlv_slot *slot = mlv_slot_of(e, l, s->seq);
	if (slot)
		s->call = e->lane_calls.data[l->first_call + slot->first];
}

enum mlv_arrival mlv_arrival_of(const struct mlv_waits *w, const struct mlv_job_lane *lane,
				int64_t seq)
{
	const struct mlv_stand *s = &w->stands[lane->rank];
	uint32_t row = (uint32_t)(lane - w->e->lanes.data);
	if (!lane->seen || !s->heard)
		return MLV_UNHEARD;
	/* What a rank has issued and not ended, its dump holds. */
	if (lane->enqueued == MLV_NOT_KNOWN)
		return w->e->ranks.data[lane->rank].dump ? MLV_ABSENT : MLV_UNHEARD;
	if (lane->completed >= seq)
		return MLV_PASSED;
	if (lane->enqueued < seq)
		return MLV_ABSENT;
	return s->lane == MLV_NO_CALL || (s->lane == row && s->seq == seq) ? MLV_ARRIVED
									   : MLV_BEHIND;
}

/* Which of the calls of one kind to one peer that have not ended this is, counted from 0. */
static uint32_t order_of(const struct mlv_evidence *e, const struct mlv_job_lane *l, uint32_t call)
{
	const struct mlv_call *c = &e->calls.data[call];
	uint32_t n = 0;
	for (uint32_t i = 0; i < l->calls; i++) {
		uint32_t at = e->lane_calls.data[l->first_call + i];
		const struct mlv_call *o = &e->calls.data[at];
		if (at >= call)
			break;
		n += !o->done && o->kind == c->kind && o->peer == c->peer;
	}
	return n;
}

uint32_t mlv_p2p_pending(const struct mlv_evidence *e, const struct mlv_job_lane *l, unsigned kind,
			 uint32_t peer, uint32_t n)
{
	for (uint32_t i = 0; i < l->calls; i++) {
		uint32_t at = e->lane_calls.data[l->first_call + i];
		const struct mlv_call *c = &e->calls.data[at];
		if (!c->done && c->kind == kind && c->peer == (int32_t)peer && n-- == 0)
			return at;
	}
	return MLV_NO_CALL;
}

/* Whether a rank that stands in one call of a batch has issued the other with it. */
static bool one_batch(const struct mlv_call *a, const struct mlv_call *b)
{
	return a->lane == b->lane && a->grouped && b->grouped && a->p2p_seq == b->p2p_seq &&
	       a->seq == b->seq;
}

enum mlv_arrival mlv_p2p_arrival(const struct mlv_waits *w, uint32_t call, uint32_t *peer,
				 uint32_t *met)
{
	const struct mlv_evidence *e = w->e;
	const struct mlv_call *c = &e->calls.data[call];
	const struct mlv_job_lane *mine = &e->lanes.data[c->lane];
	uint32_t lane = mlv_peer_lane(e, c);
	*peer = UINT32_MAX;
	*met = MLV_NO_CALL;
	if (lane == UINT32_MAX)
		return MLV_UNHEARD;
	const struct mlv_job_lane *theirs = &e->lanes.data[lane];
	const struct mlv_stand *s = &w->stands[theirs->rank];
	*peer = theirs->rank;
	if (!e->ranks.data[theirs->rank].dump)
		return MLV_UNHEARD;
	unsigned kind = c->kind == MLV_CALL_SEND ? MLV_CALL_RECV : MLV_CALL_SEND;
	*met = mlv_p2p_pending(e, theirs, kind, mine->place, order_of(e, mine, call));
	if (*met == MLV_NO_CALL)
		return MLV_ABSENT;
	if (s->call == *met ||
	    (s->call != MLV_NO_CALL && one_batch(&e->calls.data[s->call], &e->calls.data[*met])))
		return MLV_ARRIVED;
	return MLV_BEHIND;
}

bool mlv_stands_fill(struct mlv_waits *w)
{
	const struct mlv_evidence *e = w->e;
	w->stands = calloc(e->ranks.len + 1, sizeof(*w->stands));
	if (!w->stands)
		return false;
	for (size_t i = 0; i < e->ranks.len; i++) {
		const struct mlv_job_rank *r = &e->ranks.data[i];
		w->stands[i] = (struct mlv_stand){ MLV_NO_CALL, MLV_NO_CALL, -1, false };
		if (r->dump)
			w->stands[i] = by_dump(e, r);
	}
	for (uint32_t i = 0; i < e->lanes.len; i++) {
		const struct mlv_job_lane *l = &e->lanes.data[i];
		struct mlv_stand *s = &w->stands[l->rank];
		if (s->lane == MLV_NO_CALL)
			by_status(e, i, s);
	}
	return true;
}
