/* SPDX-License-Identifier: MIT */
/*
 * The lanes: what each rank did in each of its groups. Calls come in program
 * order; those of a coalesced group end together; collectives of a group run
 * one behind the other on its stream, so that the end of one is the end of
 * all before it. How far a rank came follows from its calls and from what the
 * recorder's status says, where that counts collectives alone.
 */
#include <stdlib.h>

#include "analysis/hang/gather.h"

static int by_place(const void *pa, const void *pb)
{
	const struct mlv_raw_member *a = pa, *b = pb;
	if (a->group != b->group)
		return a->group < b->group ? -1 : 1;
	if (a->place != b->place)
		return a->place < b->place ? -1 : 1;
	return (a->rank > b->rank) - (a->rank < b->rank);
}

static bool make_lanes(struct mlv_evidence *e)
{
	struct mlv_raw *raw = e->raw;
	if (raw->members.len)
		qsort(raw->members.data, raw->members.len, sizeof(*raw->members.data), by_place);
	for (size_t i = 0; i < raw->members.len; i++) {
		const struct mlv_raw_member *m = &raw->members.data[i];
		struct mlv_job_group *g = &e->groups.data[m->group];
		struct mlv_job_lane l = { .rank = m->rank,
					  .group = m->group,
					  .last_enqueued = -1,
					  .last_started = -1,
					  .last_completed = -1 };
		if (mlv_lane_of(e, m->group, m->rank) != UINT32_MAX)
			continue;
		if (!g->lanes)
			g->first_lane = (uint32_t)e->lanes.len;
		l.place = m->place == UINT32_MAX && !g->members_known ? g->lanes : m->place;
		g->lanes++;
		if (!mlv_map_set(&e->lane_ids, (uint64_t)m->group << 32 | m->rank,
				 (uint32_t)e->lanes.len) ||
		    !mlv_vec_push(&e->lanes, l))
			return false;
	}
	return true;
}

/* Which lane each call is of, and what the dump's status says of it. */
static void assign(struct mlv_evidence *e)
{
	for (size_t i = 0; i < e->raw->dumps.len; i++) {
		const struct mlv_raw_dump *d = &e->raw->dumps.data[i];
		uint32_t rank = mlv_rank_row(e, d->rank);
		for (uint32_t k = 0; k < d->groups; k++) {
			const struct mlv_raw_group *g = &e->raw->groups.data[d->first_group + k];
			struct mlv_job_lane *l = &e->lanes.data[mlv_lane_of(e, g->group, rank)];
			l->seen = true;
			l->status = g->status;
			l->last_enqueued = g->last_enqueued;
			l->last_started = g->last_started;
			l->last_completed = g->last_completed;
		}
		for (uint32_t k = 0; k < d->calls; k++) {
			struct mlv_call *c = &e->calls.data[d->first_call + k];
			c->lane = mlv_lane_of(e, e->raw->groups.data[c->lane].group, rank);
			e->lanes.data[c->lane].calls++;
			if (c->kind == MLV_CALL_SEND || c->kind == MLV_CALL_RECV)
				e->groups.data[e->lanes.data[c->lane].group].p2p = true;
		}
	}
}

/* What logs say of ranks without a dump. */
static bool listen(struct mlv_evidence *e)
{
	for (size_t i = 0; i < e->raw->words.len; i++) {
		const struct mlv_raw_word *w = &e->raw->words.data[i];
		uint32_t lane = mlv_lane_of(e, w->group, w->rank);
		if (lane == UINT32_MAX || e->ranks.data[w->rank].dump)
			continue;
		struct mlv_job_lane *l = &e->lanes.data[lane];
		l->seen = true;
		l->status |= w->enqueued >= 0 || w->completed >= 0;
		if (w->enqueued > l->last_enqueued)
			l->last_enqueued = w->enqueued;
		if (w->completed > l->last_completed)
			l->last_completed = w->completed;
		if (!w->call || l->calls)
			continue;
		struct mlv_call c = w->work;
		c.lane = lane;
		l->calls++;
		if (!mlv_vec_push(&e->calls, c))
			return false;
	}
	return true;
}

static bool list_calls(struct mlv_evidence *e)
{
	uint32_t at = 0;
	for (size_t i = 0; i < e->lanes.len; i++) {
		e->lanes.data[i].first_call = at;
		at += e->lanes.data[i].calls;
		e->lanes.data[i].calls = 0;
	}
	if (!mlv_vec_room(&e->lane_calls, at))
		return false;
	e->lane_calls.len = at;
	for (uint32_t i = 0; i < e->calls.len; i++) {
		uint32_t lane = e->calls.data[i].lane;
		if (lane == UINT32_MAX)
			continue;
		struct mlv_job_lane *l = &e->lanes.data[lane];
		e->lane_calls.data[l->first_call + l->calls++] = i;
	}
	return true;
}

static bool is_p2p(const struct mlv_call *c)
{
	return c->kind == MLV_CALL_SEND || c->kind == MLV_CALL_RECV;
}

/* The calls before the end of a coalesced group that belong to it. */
static void close_coalesced(struct mlv_evidence *e, struct mlv_job_lane *l, uint32_t end)
{
	const struct mlv_call *c = mlv_lane_call(e, l, end);
	for (uint32_t i = end; i-- > 0;) {
		struct mlv_call *m = mlv_lane_call(e, l, i);
		if (m->kind == MLV_CALL_COALESCED || m->seq != c->seq || m->p2p_seq != c->p2p_seq ||
		    is_p2p(m) != is_p2p(mlv_lane_call(e, l, end - 1)))
			break;
		m->grouped = true;
		/* The members of a batch of sends and receives never end by themselves. */
		m->done = c->done;
		m->started |= c->started;
	}
}

/* Sends to one rank go in order, and so do receives from it: with one of them all before it ended.
 */
static bool spread_p2p(struct mlv_evidence *e, struct mlv_job_lane *l)
{
	struct mlv_map done = { 0 };
	bool ok = true;
	for (uint32_t i = l->calls; ok && i-- > 0;) {
		struct mlv_call *c = mlv_lane_call(e, l, i);
		uint64_t key = (uint64_t)(uint32_t)c->peer << 1 | (c->kind == MLV_CALL_SEND);
		if (!is_p2p(c))
			continue;
		if (c->done)
			ok = mlv_map_set(&done, key, 1);
		else if (mlv_map_find(&done, key))
			c->done = true;
	}
	mlv_map_fini(&done);
	return ok;
}

static bool make_slots(struct mlv_evidence *e, struct mlv_job_lane *l)
{
	l->first_slot = (uint32_t)e->slots.len;
	for (uint32_t i = 0; i < l->calls; i++) {
		const struct mlv_call *c = mlv_lane_call(e, l, i);
		struct mlv_slot *last = l->slots ? &e->slots.data[e->slots.len - 1] : NULL;
		if (c->kind == MLV_CALL_COALESCED && (i == 0 || is_p2p(mlv_lane_call(e, l, i - 1))))
			continue;
		if (is_p2p(c) || c->seq < 0)
			continue;
		if (last && last->seq == c->seq && last->first + last->calls == i) {
			last->calls++;
			last->done = c->done;
			continue;
		}
		/* A counter that went back: the recorder was reset, what was before it is over. */
		while (l->slots && e->slots.data[e->slots.len - 1].seq >= c->seq) {
			e->slots.len--;
			l->slots--;
		}
		struct mlv_slot s = { c->seq, i, 1, c->done };
		if (!mlv_vec_push(&e->slots, s))
			return false;
		l->slots++;
	}
	return true;
}

/* How far it came. */
static void measure(struct mlv_evidence *e, struct mlv_job_lane *l)
{
	const struct mlv_job_group *g = &e->groups.data[l->group];
	struct mlv_slot *slots = e->slots.data + l->first_slot;
	/* A log speaks of collectives; the counters of a dump's status may be of sends. */
	bool status = l->status && (!g->p2p || !e->ranks.data[l->rank].dump);
	l->enqueued = l->completed = MLV_NOT_KNOWN;
	if (l->slots) {
		l->enqueued = slots[l->slots - 1].seq;
		/* What the ring still holds begins behind what had ended long ago. */
		l->completed = 0;
	} else if (l->seen && (status || e->ranks.data[l->rank].whole)) {
		l->enqueued = 0;
		l->completed = l->last_enqueued > 0 ? MLV_NOT_KNOWN : 0;
	}
	if (status && l->last_enqueued > l->enqueued)
		l->enqueued = l->last_enqueued;
	if (status && l->last_completed > l->completed)
		l->completed = l->last_completed;
	for (uint32_t i = 0; i < l->slots; i++) {
		if (slots[i].done && slots[i].seq > l->completed)
			l->completed = slots[i].seq;
	}
	/* Before the first one that is still held, all had ended. */
	if (l->slots && !slots[0].done && slots[0].seq - 1 > l->completed)
		l->completed = slots[0].seq - 1;
	for (uint32_t i = 0; i < l->slots && slots[i].seq <= l->completed; i++) {
		slots[i].done = true;
		for (uint32_t k = 0; k < slots[i].calls; k++)
			mlv_lane_call(e, l, slots[i].first + k)->done = true;
	}
}

enum mlv_rc mlv_settle_lanes(struct mlv_evidence *e, struct mlv_err *err)
{
	/* Lanes without calls have a range of slots as well, which begins somewhere. */
	if (!make_lanes(e) || !mlv_vec_room(&e->slots, 1))
		return mlv_err_nomem(err);
	assign(e);
	if (!listen(e) || !list_calls(e))
		return mlv_err_nomem(err);
	for (size_t i = 0; i < e->lanes.len; i++) {
		struct mlv_job_lane *l = &e->lanes.data[i];
		for (uint32_t k = 0; k < l->calls; k++) {
			if (mlv_lane_call(e, l, k)->kind == MLV_CALL_COALESCED && k)
				close_coalesced(e, l, k);
		}
		if (!spread_p2p(e, l) || !make_slots(e, l))
			return mlv_err_nomem(err);
		measure(e, l);
	}
	return MLV_OK;
}
