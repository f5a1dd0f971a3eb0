/* SPDX-License-Identifier: MIT */
/*
 * Ranks that wait for each other in a circle, and for nobody else. Somebody in
 * it left out a call, issued one too many, or took two in another order. Those
 * who went past a call of which others wait (they issued one that the waiting
 * rank issued behind it) are told from those who merely did not come to it.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/hang/judge.h"

/* Ranks look no further ahead than this for a later call that they share. */
enum { AHEAD = 64 };

/* Whether `absent` issued a call that `waiter` issued later than the one in which it stands. */
static bool went_past(const struct mlv_waits *w, uint32_t waiter, uint32_t absent)
{
	const struct mlv_evidence *e = w->e;
	const struct mlv_job_rank *r = &e->ranks.data[waiter];
	uint32_t at = w->stands[waiter].call;
	if (at == MLV_NO_CALL)
		return false;
	for (uint32_t i = at + 1; i < r->first_call + r->calls && i - at <= AHEAD; i++) {
		const struct mlv_call *c = &e->calls.data[i];
		uint32_t lane = mlv_lane_of(e, e->lanes.data[c->lane].group, absent);
		if (c->kind == MLV_CALL_COLLECTIVE && lane != UINT32_MAX &&
		    e->lanes.data[lane].enqueued >= c->seq)
			return true;
	}
	return false;
}

struct knot {
	struct mlv_hang_verdict *v;
	const struct mlv_waits *w;
	uint32_t id;
	bool p2p; /* some of the votes are about sends and receives */
	size_t votes;
};

/* The waits within the knot that are of this kind. */
typedef bool relevant(const struct mlv_waits *w, const struct mlv_wait *wait);

static bool passed_by(const struct mlv_waits *w, const struct mlv_wait *wait)
{
	return wait->why == MLV_ABSENT && went_past(w, wait->from, wait->to);
}

static bool not_issued(const struct mlv_waits *w, const struct mlv_wait *wait)
{
	(void)w;
	return wait->why == MLV_ABSENT;
}

static bool any(const struct mlv_waits *w, const struct mlv_wait *wait)
{
	(void)w;
	(void)wait;
	return true;
}

/* How many stand in the call of `waiter`, and how many are elsewhere though they should. */
static void sides(const struct knot *k, uint32_t waiter, uint32_t *here, uint32_t *away)
{
	const struct mlv_waits *w = k->w;
	const struct mlv_stand *s = &w->stands[waiter];
	*here = *away = 1;
	if (s->seq < 0)
		return;
	const struct mlv_job_group *g = &w->e->groups.data[w->e->lanes.data[s->lane].group];
	*here = *away = 0;
	for (uint32_t i = 0; i < g->lanes; i++) {
		enum mlv_arrival a =
			mlv_arrival_of(w, &w->e->lanes.data[g->first_lane + i], s->seq);
		*here += a == MLV_ARRIVED || a == MLV_PASSED;
		*away += a == MLV_ABSENT || a == MLV_BEHIND;
	}
}

static void count(struct knot *k, relevant *test)
{
	const struct mlv_waits *w = k->w;
	for (size_t i = 0; i < w->list.len; i++) {
		const struct mlv_wait *wait = &w->list.data[i];
		uint32_t here, away;
		if (w->knot[wait->from] != k->id || w->knot[wait->to] != k->id || !test(w, wait))
			continue;
		sides(k, wait->from, &here, &away);
		/* Larger sides must not shout louder: a side shares what it says. */
		uint32_t unit = 240 / (here && away ? here * away : 1);
		k->p2p |= w->stands[wait->from].seq < 0;
		k->votes++;
		if (here >= away)
			mlv_vote(k->v, wait->to, here > away ? 2 * unit : unit);
		if (away >= here)
			mlv_vote(k->v, wait->from, away > here ? 2 * unit : unit);
	}
}

static void most_votes(struct mlv_hang_verdict *v)
{
	uint32_t most = 0;
	for (size_t i = 0; i < v->votes.len; i++)
		most = v->votes.data[i].halves > most ? v->votes.data[i].halves : most;
	for (size_t i = 0; i < v->votes.len; i++) {
		if (v->votes.data[i].halves == most)
			mlv_blame(v, v->votes.data[i].rank);
		/* To half votes of one for each wait. */
		v->votes.data[i].halves = (v->votes.data[i].halves + 60) / 120;
	}
}

static bool find(const struct mlv_waits *w, uint32_t *id)
{
	uint32_t *size = calloc(w->knots + 1, sizeof(*size));
	bool found = false;
	for (size_t i = 0; size && i < w->e->ranks.len; i++) {
		uint32_t k = w->knot[i];
		if (w->root[k] && ++size[k] > 1 && (!found || size[k] > size[*id])) {
			*id = k;
			found = true;
		}
	}
	free(size);
	return found;
}

/* The wait by which the culprit is told: where others wait for it, or it for others. */
static void show(struct knot *k)
{
	struct mlv_hang_verdict *v = k->v;
	const struct mlv_waits *w = k->w;
	uint32_t culprit = v->culprits.data[0];
	for (size_t i = 0; i < w->list.len; i++) {
		const struct mlv_wait *wait = &w->list.data[i];
		if (wait->to != culprit || w->knot[wait->from] != k->id)
			continue;
		v->group = mlv_stand_lane(w, wait->from)->group;
		v->seq = w->stands[wait->from].seq;
		v->other = w->stands[wait->from].call;
		if (wait->why == MLV_ABSENT)
			break;
	}
	v->call = w->stands[culprit].call;
}

static void tell(struct knot *k, bool hard, bool past)
{
	struct mlv_hang_verdict *v = k->v;
	char ranks[MLV_RANKS_SIZE], place[MLV_PLACE_SIZE];
	mlv_reason(v, "ranks wait for each other in a circle, and for nobody else");
	mlv_ranks_named(k->w->e, v->culprits.data, v->culprits.len, ranks);
	if (v->group != UINT32_MAX && v->other != MLV_NO_CALL) {
		mlv_place_text(k->w->e, v->group, v->seq, v->other, place);
		if (past)
			mlv_reason(v, "a call that another waits for was passed over: %s", place);
		else if (hard)
			mlv_reason(v, "not issued by all that should join it: %s", place);
		else
			mlv_reason(v, "issued in different orders on different ranks: %s", place);
	}
	if (v->ambiguous)
		mlv_reason(v, "the waiting speaks as much against one as against the other of %s",
			   ranks);
	else
		mlv_reason(v, "most of the waiting in the circle is explained by %s", ranks);
}

bool mlv_judge_knot(struct mlv_hang_verdict *v, const struct mlv_waits *w)
{
	struct knot k = { .v = v, .w = w };
	bool past = true, hard = true;
	if (!find(w, &k.id))
		return false;
	count(&k, passed_by);
	if (!k.votes) {
		past = false;
		count(&k, not_issued);
	}
	if (!k.votes) {
		hard = false;
		count(&k, any);
	}
	most_votes(v);
	if (!v->culprits.len)
		return false;
	v->kind = k.p2p && hard ? MLV_HANG_P2P : MLV_HANG_ORDER;
	v->ambiguous = v->culprits.len > 1;
	show(&k);
	tell(&k, hard, past);
	return true;
}
