/* SPDX-License-Identifier: MIT */
/*
 * Ranks that wait for each other in a circle, and for nobody else. Somebody in
 * it left out a call, issued one too many, or took two in another order. The
 * surest evidence decides: a rank that went past a call in which another waits
 * (it issued one that the other issued behind it); two calls that ranks issued
 * in different orders; and where neither is seen, the place for which the
 * fewest ranks would have to be wrong.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "analysis/hang/judge.h"

enum {
	AHEAD = 64,   /* no further does anybody look for a later call that two ranks share */
	PLACES = 256, /* in which ranks of one knot stand, and that are looked at */
	VOTE = 240,   /* what each place has to give, in parts that most numbers divide */
};

/* A place in which ranks of the knot stand, and who there speaks against whom. */
struct spot {
	uint32_t group;
	int64_t seq;
	uint32_t waiter; /* the first that stands there */
	uint32_t away;   /* ranks of the knot that did not issue it */
};

struct knot {
	struct mlv_hang_verdict *v;
	const struct mlv_waits *w;
	uint32_t id;
	struct spot spots[PLACES];
	size_t spot_count;
	bool p2p; /* the waits that decided are of sends and receives */
};

static bool within(const struct knot *k, const struct mlv_wait *wait)
{
	return k->w->knot[wait->from] == k->id && k->w->knot[wait->to] == k->id;
}

/*
 * Whether `absent` issued a call that `waiter` issued later than the one in
 * which it stands. *far: and that is not the one in which it stands itself, so
 * that the two calls did not merely change places.
 */
static bool went_past(const struct mlv_waits *w, uint32_t waiter, uint32_t absent, bool *far)
{
	const struct mlv_evidence *e = w->e;
	const struct mlv_job_rank *r = &e->ranks.data[waiter];
	const struct mlv_stand *s = &w->stands[absent];
	uint32_t at = w->stands[waiter].call;
	bool any = false;
	*far = false;
	if (at == MLV_NO_CALL)
		return false;
	for (uint32_t i = at + 1; i < r->first_call + r->calls && i - at <= AHEAD && !*far; i++) {
		const struct mlv_call *c = &e->calls.data[i];
		uint32_t lane = mlv_lane_of(e, e->lanes.data[c->lane].group, absent);
		if (c->kind != MLV_CALL_COLLECTIVE || lane == UINT32_MAX ||
		    e->lanes.data[lane].enqueued < c->seq)
			continue;
		any = true;
		*far = s->lane != lane || s->seq != c->seq;
	}
	return any;
}

/* How many joined the call in which `waiter` stands, and how many did not. */
static void sides(const struct knot *k, uint32_t waiter, uint32_t *here, uint32_t *away)
{
	const struct mlv_stand *s = &k->w->stands[waiter];
	*here = *away = 1;
	if (s->seq < 0)
		return;
	struct mlv_sides both = mlv_sides_of(k->w, k->w->e->lanes.data[s->lane].group, s->seq);
	*here = both.joined ? both.joined : 1;
	*away = both.absent ? both.absent : 1;
}

/* Those who left a call out, or those who issued it too many: the minority, or half each. */
static bool count_passed(struct knot *k)
{
	const struct mlv_waits *w = k->w;
	bool any = false;
	for (size_t i = 0; i < w->list.len; i++) {
		const struct mlv_wait *wait = &w->list.data[i];
		uint32_t here, away;
		bool far;
		if (!within(k, wait) || wait->why != MLV_ABSENT ||
		    !went_past(w, wait->from, wait->to, &far))
			continue;
		sides(k, wait->from, &here, &away);
		if (!far)
			here = away = 1;
		uint32_t unit = VOTE / (here * away) + 1;
		any = true;
		k->p2p |= w->stands[wait->from].seq < 0;
		if (here >= away)
			mlv_vote(k->v, wait->to, here > away ? 2 * unit : unit);
		if (away >= here)
			mlv_vote(k->v, wait->from, away > here ? 2 * unit : unit);
	}
	return any;
}

/* The call of a rank at a place, if it has not ended there; MLV_NO_CALL. */
static uint32_t open_call(const struct mlv_evidence *e, uint32_t rank, const struct spot *s)
{
	uint32_t lane = mlv_lane_of(e, s->group, rank);
	uint32_t call =
		lane == UINT32_MAX ? MLV_NO_CALL : mlv_call_at(e, &e->lanes.data[lane], s->seq);
	return call == MLV_NO_CALL || e->calls.data[call].done ? MLV_NO_CALL : call;
}

/* Whether a rank issued both, and which first: -1 the one, 1 the other, 0 not both. */
static int order_at(const struct knot *k, uint32_t rank, const struct spot *a, const struct spot *b)
{
	uint32_t p = open_call(k->w->e, rank, a), q = open_call(k->w->e, rank, b);
	if (p == MLV_NO_CALL || q == MLV_NO_CALL)
		return 0;
	return p < q ? -1 : 1;
}

static void vote_order(struct knot *k, const struct spot *a, const struct spot *b, int wrong,
		       uint32_t halves)
{
	for (uint32_t i = 0; i < k->w->e->ranks.len; i++) {
		if (order_at(k, i, a, b) == wrong)
			mlv_vote(k->v, i, halves);
	}
}

/* Two places whose calls some ranks issued in this order and some in the other. */
static bool count_orders(struct knot *k)
{
	bool any = false;
	for (size_t i = 0; i < k->spot_count; i++) {
		for (size_t j = 0; j < i; j++) {
			const struct spot *a = &k->spots[i], *b = &k->spots[j];
			uint32_t one = 0, other = 0;
			for (uint32_t r = 0; a->seq >= 0 && b->seq >= 0 && r < k->w->e->ranks.len;
			     r++) {
				int order = order_at(k, r, a, b);
				one += order < 0;
				other += order > 0;
			}
			if (!one || !other)
				continue;
			any = true;
			uint32_t unit = one == other ? VOTE / 2 : VOTE;
			if (one <= other)
				vote_order(k, a, b, -1, unit / one + 1);
			if (other <= one)
				vote_order(k, a, b, 1, unit / other + 1);
		}
	}
	return any;
}

static bool is_p2p(const struct knot *k, const struct spot *s)
{
	return k->w->stands[s->waiter].seq < 0;
}

/*
 * The waits at the place for which the fewest would be wrong. A send or receive
 * that nobody meets may itself be the one too many, so that both sides may be
 * wrong.
 */
static void count_fewest(struct knot *k)
{
	uint32_t fewest = UINT32_MAX;
	for (size_t i = 0; i < k->spot_count; i++) {
		if (k->spots[i].away && k->spots[i].away < fewest)
			fewest = k->spots[i].away;
	}
	for (size_t i = 0; i < k->spot_count; i++)
		k->p2p |= k->spots[i].away == fewest && is_p2p(k, &k->spots[i]);
	for (size_t i = 0; i < k->w->list.len; i++) {
		const struct mlv_wait *wait = &k->w->list.data[i];
		for (size_t s = 0; within(k, wait) && s < k->spot_count; s++) {
			if (k->spots[s].waiter != wait->from || k->spots[s].away != fewest ||
			    is_p2p(k, &k->spots[s]) != k->p2p)
				continue;
			mlv_vote(k->v, wait->to, VOTE);
			if (k->p2p)
				mlv_vote(k->v, wait->from, VOTE);
		}
	}
}

static void find_spots(struct knot *k)
{
	const struct mlv_waits *w = k->w;
	for (size_t i = 0; i < w->list.len; i++) {
		const struct mlv_wait *wait = &w->list.data[i];
		const struct mlv_stand *s = &w->stands[wait->from];
		size_t at = 0;
		if (!within(k, wait))
			continue;
		uint32_t group = w->e->lanes.data[s->lane].group;
		while (at < k->spot_count &&
		       (s->seq < 0 ? k->spots[at].waiter != wait->from
				   : k->spots[at].group != group || k->spots[at].seq != s->seq))
			at++;
		if (at == PLACES)
			continue;
		if (at == k->spot_count)
			k->spots[k->spot_count++] = (struct spot){ group, s->seq, wait->from, 0 };
		k->spots[at].away += k->spots[at].waiter == wait->from;
	}
}

static void most_votes(struct mlv_hang_verdict *v)
{
	uint32_t most = 0;
	for (size_t i = 0; i < v->votes.len; i++)
		most = v->votes.data[i].halves > most ? v->votes.data[i].halves : most;
	for (size_t i = 0; i < v->votes.len; i++) {
		if (v->votes.data[i].halves + 4 >= most)
			mlv_blame(v, v->votes.data[i].rank);
		v->votes.data[i].halves = (v->votes.data[i].halves + VOTE / 4) / (VOTE / 2);
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

static void tell(struct knot *k, const char *how)
{
	struct mlv_hang_verdict *v = k->v;
	char ranks[MLV_RANKS_SIZE], place[MLV_PLACE_SIZE];
	mlv_reason(v, "ranks wait for each other in a circle, and for nobody else");
	mlv_ranks_named(k->w->e, v->culprits.data, v->culprits.len, ranks);
	if (v->group != UINT32_MAX && v->other != MLV_NO_CALL) {
		mlv_place_text(k->w->e, v->group, v->seq, v->other, place);
		mlv_reason(v, "%s: %s", how, place);
	}
	if (v->ambiguous)
		mlv_reason(v, "the waiting speaks as much against one as against the other of %s",
			   ranks);
	else
		mlv_reason(v, "most of the waiting in the circle is explained by %s", ranks);
}

static const char *judge(struct knot *k)
{
	find_spots(k);
	if (count_passed(k))
		return "a call that another waits for was passed over";
	if (count_orders(k))
		return "issued in different orders on different ranks";
	count_fewest(k);
	return "not reached by all that should join it";
}

bool mlv_judge_knot(struct mlv_hang_verdict *v, const struct mlv_waits *w)
{
	struct knot *k = calloc(1, sizeof(*k));
	if (!k) {
		v->failed = true;
		return true;
	}
	k->v = v;
	k->w = w;
	bool found = find(w, &k->id);
	if (found) {
		const char *how = judge(k);
		most_votes(v);
		v->kind = k->p2p ? MLV_HANG_P2P : MLV_HANG_ORDER;
		v->ambiguous = v->culprits.len > 1;
		found = v->culprits.len > 0;
		if (found) {
			show(k);
			tell(k, how);
		}
	}
	free(k);
	return found;
}
