/* SPDX-License-Identifier: MIT */
/*
 * A rank for which others wait, and which waits for nothing: is it late, or
 * did those who wait issue a call too many? What speaks for either side.
 */
#include <stdlib.h>

#include "analysis/hang/judge.h"

/* Whether all that did not join are free to: they stand nowhere. */
static bool absent_are_idle(const struct mlv_waits *w, uint32_t group, int64_t seq)
{
	const struct mlv_job_group *g = &w->e->groups.data[group];
	for (uint32_t i = 0; i < g->lanes; i++) {
		const struct mlv_job_lane *l = &w->e->lanes.data[g->first_lane + i];
		if (mlv_arrival_of(w, l, seq) == MLV_ABSENT &&
		    w->stands[l->rank].lane != MLV_NO_CALL)
			return false;
	}
	return true;
}

static void hear(struct mlv_plea *p, const struct mlv_waits *w, uint32_t waiter, uint32_t idle)
{
	const struct mlv_evidence *e = w->e;
	const struct mlv_stand *s = &w->stands[waiter];
	enum mlv_rank_fate fate = e->ranks.data[idle].fate;
	p->finished += fate == MLV_FATE_FINISHED;
	p->alive += fate == MLV_FATE_TERMINATED || fate == MLV_FATE_FAILED;
	if (s->seq < 0) {
		p->p2p_waiters++;
		return;
	}
	const struct mlv_job_lane *lane = &e->lanes.data[s->lane];
	struct mlv_sides sides = mlv_sides_of(w, lane->group, s->seq);
	if (sides.joined > sides.absent || !absent_are_idle(w, lane->group, s->seq))
		p->late++;
	else if (sides.absent > sides.joined + sides.unheard)
		p->extra++;
	else
		p->even++;
}

void mlv_plea_hear(struct mlv_plea *p, const struct mlv_waits *w, const bool *idle)
{
	const struct mlv_evidence *e = w->e;
	const struct mlv_stand *place = NULL;
	*p = (struct mlv_plea){ 0 };
	for (size_t i = 0; i < w->list.len; i++) {
		const struct mlv_wait *wait = &w->list.data[i];
		if (!idle[wait->to] || wait->why != MLV_ABSENT)
			continue;
		hear(p, w, wait->from, wait->to);
		const struct mlv_stand *s = &w->stands[wait->from];
		if (!place)
			place = s;
		p->several |= place->seq < 0 || s->seq != place->seq ||
			      e->lanes.data[s->lane].group != e->lanes.data[place->lane].group;
	}
}

uint32_t mlv_chief_waiter(const struct mlv_waits *w, uint32_t rank)
{
	uint32_t best = UINT32_MAX, most = 0;
	for (size_t i = 0; i < w->list.len; i++) {
		const struct mlv_wait *wait = &w->list.data[i];
		if (wait->to != rank)
			continue;
		const struct mlv_job_lane *lane = mlv_stand_lane(w, wait->from);
		/* A call that it never issued says more than one before which it is stuck. */
		uint32_t weight = w->e->groups.data[lane->group].lanes + 2;
		if (w->stands[wait->from].seq < 0)
			weight = 1;
		if (weight > most) {
			most = weight;
			best = wait->from;
		}
	}
	return best;
}

uint32_t mlv_last_call(const struct mlv_waits *w, uint32_t rank)
{
	const struct mlv_evidence *e = w->e;
	const struct mlv_job_rank *r = &e->ranks.data[rank];
	if (w->stands[rank].call != MLV_NO_CALL)
		return w->stands[rank].call;
	return r->calls ? r->first_call + r->calls - 1 : MLV_NO_CALL;
}

void mlv_vote_waits(struct mlv_hang_verdict *v, const struct mlv_waits *w)
{
	for (size_t i = 0; i < w->list.len; i++) {
		const struct mlv_wait *wait = &w->list.data[i];
		for (size_t k = 0; k < v->culprits.len; k++) {
			if (v->culprits.data[k] == wait->to)
				mlv_vote(v, wait->to, 2);
		}
	}
}
