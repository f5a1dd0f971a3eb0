/* SPDX-License-Identifier: MIT */
/*
 * Ranks for which others wait and which wait for nobody. Such a rank stands in
 * a collective that has ended on other ranks (its device is stuck), or it
 * stands nowhere and has not issued the call (its host is stuck) -- unless it
 * is right, and those who wait issued a call too many.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "analysis/hang/judge.h"

struct lag {
	struct mlv_hang_verdict *v;
	const struct mlv_waits *w;
	const struct mlv_evidence *e;
	uint32_t *size;      /* of each knot: ranks */
	bool *idle, *device; /* of each rank */
	size_t idles, devices;
};

/* Others went through the collective in which it stands. */
static bool others_passed(const struct mlv_waits *w, uint32_t rank)
{
	const struct mlv_stand *s = &w->stands[rank];
	if (s->lane == MLV_NO_CALL || s->seq < 0)
		return false;
	const struct mlv_job_group *g = &w->e->groups.data[w->e->lanes.data[s->lane].group];
	for (uint32_t i = 0; i < g->lanes; i++) {
		if (mlv_arrival_of(w, &w->e->lanes.data[g->first_lane + i], s->seq) == MLV_PASSED)
			return true;
	}
	return false;
}

/* A rank that issued its calls and whose device did not even begin, where that of others did. */
static bool never_started(const struct mlv_waits *w, uint32_t rank)
{
	const struct mlv_evidence *e = w->e;
	const struct mlv_stand *s = &w->stands[rank];
	uint32_t started = 0, waits = 0;
	if (s->call == MLV_NO_CALL || s->seq < 0 || e->calls.data[s->call].started ||
	    !e->ranks.data[rank].dump)
		return false;
	const struct mlv_job_group *g = &e->groups.data[e->lanes.data[s->lane].group];
	for (uint32_t i = 0; i < g->lanes; i++) {
		uint32_t call = mlv_call_at(e, &e->lanes.data[g->first_lane + i], s->seq);
		if (call == MLV_NO_CALL || e->calls.data[call].from_log)
			continue;
		started += e->calls.data[call].started;
		waits += !e->calls.data[call].started;
	}
	return started > waits;
}

static bool sort_out(struct lag *l)
{
	const struct mlv_waits *w = l->w;
	size_t n = l->e->ranks.len;
	l->size = calloc(w->knots + 1, sizeof(*l->size));
	l->idle = calloc(n + 1, sizeof(*l->idle));
	l->device = calloc(n + 1, sizeof(*l->device));
	if (!l->size || !l->idle || !l->device)
		return false;
	for (size_t i = 0; i < n; i++)
		l->size[w->knot[i]]++;
	for (uint32_t i = 0; i < n; i++) {
		if (!w->root[w->knot[i]] || l->size[w->knot[i]] != 1 || !w->stands[i].heard)
			continue;
		if (w->stands[i].lane != MLV_NO_CALL)
			l->device[i] = others_passed(w, i) || never_started(w, i);
		else
			l->idle[i] = w->waiting[w->knot[i]] > 1;
		l->idles += l->idle[i];
		l->devices += l->device[i];
	}
	return true;
}

/* The greatest number that any other rank of the group issued, if none of them stands anywhere. */
static bool others_are_done(const struct mlv_waits *w, uint32_t rank, int64_t *most)
{
	const struct mlv_evidence *e = w->e;
	const struct mlv_job_lane *mine = mlv_stand_lane(w, rank);
	const struct mlv_job_group *g = &e->groups.data[mine->group];
	*most = -1;
	for (uint32_t i = 0; i < g->lanes; i++) {
		const struct mlv_job_lane *l = &e->lanes.data[g->first_lane + i];
		if (l->rank == rank)
			continue;
		if (!l->seen || w->stands[l->rank].lane != MLV_NO_CALL)
			return false;
		*most = l->enqueued > *most ? l->enqueued : *most;
	}
	return *most >= 0;
}

/*
 * The others passed the number at which it stands and are at their end, and it
 * issued more than they did: what they passed was another call.
 */
static bool is_extra(struct lag *l, uint32_t rank)
{
	const struct mlv_stand *s = &l->w->stands[rank];
	struct mlv_hang_verdict *v = l->v;
	int64_t most;
	char place[MLV_PLACE_SIZE];
	if (s->lane == MLV_NO_CALL || s->seq < 0 || !others_passed(l->w, rank) ||
	    !others_are_done(l->w, rank, &most))
		return false;
	const struct mlv_job_lane *mine = mlv_stand_lane(l->w, rank);
	if (mine->enqueued <= most)
		return false;
	v->kind = MLV_HANG_EXTRA_CALL;
	v->group = mine->group;
	v->seq = s->seq;
	v->call = s->call;
	mlv_blame(v, rank);
	mlv_vote(v, rank, 2);
	mlv_place_text(l->e, v->group, v->seq, v->call, place);
	mlv_reason(v,
		   "rank %" PRId64 " stands in %s; the others ended their #%" PRId64
		   ", wait for nothing, and issued %" PRId64 " calls in all where it issued "
		   "%" PRId64,
		   l->e->ranks.data[rank].rank, place, s->seq, most, mine->enqueued);
	return true;
}

static void say_extra(struct lag *l, const struct mlv_plea *p)
{
	struct mlv_hang_verdict *v = l->v;
	const struct mlv_waits *w = l->w;
	v->kind = MLV_HANG_EXTRA_CALL;
	for (size_t i = 0; i < w->list.len; i++) {
		const struct mlv_wait *wait = &w->list.data[i];
		if (!l->idle[wait->to] || wait->why != MLV_ABSENT)
			continue;
		if (v->call == MLV_NO_CALL) {
			v->group = mlv_stand_lane(w, wait->from)->group;
			v->seq = w->stands[wait->from].seq;
			v->call = w->stands[wait->from].call;
		}
		mlv_blame(v, wait->from);
		mlv_vote(v, wait->from, 2);
	}
	if (p->finished)
		mlv_reason(v, "the ranks that did not join it came to the end of their program: "
			      "the launcher's list of failed processes does not have them");
	else
		mlv_reason(v, "the ranks that did not join it wait for nothing, and are the "
			      "majority");
}

static void say_group(struct lag *l)
{
	struct mlv_hang_verdict *v = l->v;
	char place[MLV_PLACE_SIZE];
	uint32_t waiter = mlv_chief_waiter(l->w, v->culprits.data[0]);
	if (waiter != UINT32_MAX) {
		v->group = mlv_stand_lane(l->w, waiter)->group;
		v->seq = l->w->stands[waiter].seq;
		v->other = l->w->stands[waiter].call;
		mlv_place_text(l->e, v->group, v->seq, v->other, place);
		struct mlv_sides s = mlv_sides_of(l->w, v->group, v->seq);
		if (v->seq >= 0)
			mlv_reason(v, "%" PRIu32 " of %" PRIu32 " ranks joined %s", s.joined,
				   s.joined + s.absent + s.unheard, place);
		else
			mlv_reason(v, "rank %" PRId64 " waits in %s", l->e->ranks.data[waiter].rank,
				   place);
	}
}

/* The culprits of one kind. */
static void name_those(const struct lag *l, const bool *those, char *ranks)
{
	uint32_t *rows = calloc(l->v->culprits.len + 1, sizeof(*rows));
	size_t n = 0;
	if (!rows)
		l->v->failed = true;
	for (size_t i = 0; rows && i < l->v->culprits.len; i++) {
		if (those[l->v->culprits.data[i]])
			rows[n++] = l->v->culprits.data[i];
	}
	mlv_ranks_named(l->e, rows, n, ranks);
	free(rows);
}

static void say_late(struct lag *l, const struct mlv_plea *p)
{
	struct mlv_hang_verdict *v = l->v;
	const struct mlv_evidence *e = l->e;
	char ranks[MLV_RANKS_SIZE];
	v->stuck = l->devices && !l->idles ? MLV_STUCK_DEVICE
		   : l->devices            ? MLV_STUCK_UNKNOWN
					   : MLV_STUCK_HOST;
	for (uint32_t i = 0; i < e->ranks.len; i++) {
		if (l->idle[i] || l->device[i])
			mlv_blame(v, i);
	}
	mlv_vote_waits(v, l->w);
	say_group(l);
	bool never = l->idles > 0, one = l->idles == 1;
	for (size_t i = 0; i < v->culprits.len && v->group != UINT32_MAX; i++) {
		uint32_t lane = mlv_lane_of(e, v->group, v->culprits.data[i]);
		never &= lane != UINT32_MAX && e->lanes.data[lane].enqueued == 0;
	}
	v->kind = never && v->seq >= 0 ? MLV_HANG_MISSING_RANK : MLV_HANG_LAG;
	name_those(l, l->device, ranks);
	if (l->devices)
		mlv_reason(v,
			   "%s issued calls that have ended on other ranks and not there: the "
			   "device is stuck, or its communication",
			   ranks);
	name_those(l, l->idle, ranks);
	if (l->idles && never)
		mlv_reason(v, "%s never issued a call in that group", ranks);
	else if (l->idles)
		mlv_reason(v,
			   "%s ended all calls that %s issued and did not issue the next: the "
			   "program is stuck outside its collectives",
			   ranks, one ? "it" : "they");
	if (p->alive)
		mlv_reason(v, "the launcher had to end %s: %s program had not come to its end",
			   one ? "it" : "them", one ? "its" : "their");
}

static void say_open(struct lag *l)
{
	struct mlv_hang_verdict *v = l->v;
	say_late(l, &(struct mlv_plea){ 0 });
	v->ambiguous = true;
	v->call = v->other;
	v->other = mlv_last_call(l->w, v->culprits.data[0]);
	for (size_t i = 0; i < l->w->list.len; i++) {
		const struct mlv_wait *wait = &l->w->list.data[i];
		if (l->idle[wait->to] && wait->why == MLV_ABSENT) {
			mlv_blame(v, wait->from);
			mlv_vote(v, wait->from, 1);
		}
	}
	mlv_reason(v, "as many joined it as did not: one side is late, or the other issued a call "
		      "too many");
}

static void say_p2p(struct lag *l)
{
	struct mlv_hang_verdict *v = l->v;
	char place[MLV_PLACE_SIZE];
	v->kind = MLV_HANG_P2P;
	v->ambiguous = true;
	for (size_t i = 0; i < l->w->list.len; i++) {
		const struct mlv_wait *wait = &l->w->list.data[i];
		if (!l->idle[wait->to] || wait->why != MLV_ABSENT)
			continue;
		v->call = l->w->stands[wait->from].call;
		v->group = mlv_stand_lane(l->w, wait->from)->group;
		mlv_blame(v, wait->from);
		mlv_blame(v, wait->to);
		mlv_vote(v, wait->from, 1);
		mlv_vote(v, wait->to, 1);
		mlv_place_text(l->e, v->group, -1, v->call, place);
		mlv_reason(v,
			   "rank %" PRId64 " waits in %s, and rank %" PRId64
			   " has no call that meets it and waits for nothing",
			   l->e->ranks.data[wait->from].rank, place,
			   l->e->ranks.data[wait->to].rank);
	}
}

static void decide(struct lag *l)
{
	struct mlv_plea p = { 0 };
	mlv_plea_hear(&p, l->w, l->idle);
	if (!l->idles || l->devices || p.alive)
		say_late(l, &p);
	else if (p.finished || (p.extra > p.late && !p.several))
		say_extra(l, &p);
	else if (p.late || p.extra || (!p.even && p.p2p_waiters > 1) || (p.even && p.several))
		say_late(l, &p);
	else if (p.even)
		say_open(l);
	else
		say_p2p(l);
}

bool mlv_judge_lag(struct mlv_hang_verdict *v, const struct mlv_waits *w)
{
	struct lag l = { .v = v, .w = w, .e = w->e };
	bool decided = true;
	if (!sort_out(&l))
		v->failed = true;
	else if (!l.idles && !l.devices)
		decided = false;
	else {
		bool extra = false;
		for (uint32_t i = 0; i < w->e->ranks.len && !extra; i++)
			extra = l.device[i] && l.devices == 1 && is_extra(&l, i);
		if (!extra)
			decide(&l);
	}
	if (v->call == MLV_NO_CALL && v->culprits.len)
		v->call = mlv_last_call(w, v->culprits.data[0]);
	free(l.size);
	free(l.idle);
	free(l.device);
	return decided;
}
