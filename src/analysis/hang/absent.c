/* SPDX-License-Identifier: MIT */
/*
 * What follows from ranks of which nothing is known: where most ranks of a
 * group have joined a call and agree on it, those without a dump are the ones
 * that hold it up. Where they are as many as the others, nothing follows.
 * And the case in which nobody is missing at all.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "analysis/hang/judge.h"

/* The places at which ranks wait for unheard ones, each once, by its first waiter. */
static bool is_first(const struct mlv_waits *w, size_t i)
{
	const struct mlv_wait *a = &w->list.data[i];
	const struct mlv_stand *s = &w->stands[a->from];
	for (size_t k = 0; k < i && w->list.data[k].from != a->from; k++) {
		const struct mlv_stand *o = &w->stands[w->list.data[k].from];
		if (w->list.data[k].to == a->to && o->seq == s->seq && s->seq >= 0 &&
		    w->e->lanes.data[o->lane].group == w->e->lanes.data[s->lane].group)
			return false;
	}
	return true;
}

static void hear(struct mlv_hang_verdict *v, const struct mlv_waits *w, size_t i)
{
	const struct mlv_wait *wait = &w->list.data[i];
	const struct mlv_stand *s = &w->stands[wait->from];
	if (s->seq < 0 || !is_first(w, i))
		return;
	struct mlv_sides sides = mlv_sides_of(w, w->e->lanes.data[s->lane].group, s->seq);
	if (sides.joined > sides.unheard + sides.absent)
		mlv_vote(v, wait->to, 2);
}

static void show_waiter(struct mlv_hang_verdict *v, const struct mlv_waits *w, uint32_t rank)
{
	const struct mlv_stand *s = &w->stands[rank];
	v->group = w->e->lanes.data[s->lane].group;
	v->seq = s->seq;
	v->other = s->call;
}

static void most_votes(struct mlv_hang_verdict *v)
{
	uint32_t most = 0;
	for (size_t i = 0; i < v->votes.len; i++)
		most = v->votes.data[i].halves > most ? v->votes.data[i].halves : most;
	for (size_t i = 0; i < v->votes.len; i++) {
		if (v->votes.data[i].halves == most)
			mlv_blame(v, v->votes.data[i].rank);
	}
}

static void undecided(struct mlv_hang_verdict *v, const struct mlv_waits *w, uint32_t waiter)
{
	char place[MLV_PLACE_SIZE];
	show_waiter(v, w, waiter);
	v->kind = MLV_HANG_UNDECIDED;
	v->call = v->other;
	v->other = MLV_NO_CALL;
	mlv_place_text(w->e, v->group, v->seq, v->call, place);
	mlv_reason(v,
		   "rank %" PRId64 " waits in %s; of the others that should join it too little is "
		   "known: either they are late, or this call is one too many",
		   w->e->ranks.data[waiter].rank, place);
	if (w->e->nameless)
		mlv_advise(v, MLV_ADVICE_NAME_DUMPS);
	else
		mlv_advise(v, "give the dumps of the other ranks as well, or the log of the "
			      "launcher");
}

bool mlv_judge_absent(struct mlv_hang_verdict *v, const struct mlv_waits *w)
{
	char place[MLV_PLACE_SIZE], ranks[MLV_RANKS_SIZE];
	uint32_t waiter = UINT32_MAX;
	for (size_t i = 0; i < w->list.len; i++) {
		const struct mlv_wait *wait = &w->list.data[i];
		if (wait->why != MLV_UNHEARD || !w->root[w->knot[wait->from]])
			continue;
		if (waiter == UINT32_MAX)
			waiter = wait->from;
		hear(v, w, i);
	}
	if (waiter == UINT32_MAX)
		return false;
	/* What is left out for want of a rank may be the dump of the one that is missing. */
	if (!w->e->nameless)
		most_votes(v);
	if (!v->culprits.len) {
		v->votes.len = 0;
		undecided(v, w, waiter);
		return true;
	}
	uint32_t chief = mlv_chief_waiter(w, v->culprits.data[0]);
	show_waiter(v, w, chief == UINT32_MAX ? waiter : chief);
	v->kind = MLV_HANG_MISSING_RANK;
	v->ambiguous = v->culprits.len > 1;
	mlv_place_text(w->e, v->group, v->seq, v->other, place);
	mlv_ranks_named(w->e, v->culprits.data, v->culprits.len, ranks);
	mlv_reason(v, "all ranks of which there is a dump joined %s and agree on it", place);
	mlv_reason(v, "%s left no dump: %s never joined it, or joined with another call%s", ranks,
		   v->culprits.len == 1 ? "it" : "they",
		   v->ambiguous ? "; which of them, the dumps that are here do not tell" : "");
	return true;
}

/*
 * Logs name a group and not its members: that those who speak have all joined
 * says nothing of the others.
 */
static void say_some(struct mlv_hang_verdict *v, const struct mlv_evidence *e, const char *place)
{
	const struct mlv_job_group *g = &e->groups.data[v->group];
	if (g->lanes == 1)
		mlv_reason(v, "rank %" PRId64 " waits in %s, and nothing tells of other ranks",
			   e->ranks.data[e->lanes.data[g->first_lane].rank].rank, place);
	else
		mlv_reason(v,
			   "the %" PRIu32 " ranks that are told of have joined %s, their calls "
			   "fit, and it does not end on any of them; logs do not tell who else "
			   "belongs to the group",
			   g->lanes, place);
	mlv_reason(v, "either a rank that is not told of is late, or the network, a device or "
		      "another group is at fault");
	mlv_advise(v, "give the logs and dumps of all ranks of the job together");
	mlv_advise(v, "look for NCCL WARN lines and Xid errors in the logs");
}

bool mlv_judge_stuck(struct mlv_hang_verdict *v, const struct mlv_waits *w)
{
	char place[MLV_PLACE_SIZE];
	for (uint32_t i = 0; i < w->e->ranks.len; i++) {
		if (w->stands[i].lane == MLV_NO_CALL || !w->root[w->knot[i]])
			continue;
		show_waiter(v, w, i);
		v->kind = MLV_HANG_UNDECIDED;
		mlv_place_text(w->e, v->group, v->seq, v->other, place);
		if (!w->e->groups.data[v->group].members_known) {
			say_some(v, w->e, place);
			return true;
		}
		mlv_reason(v,
			   "all ranks have joined %s, their calls fit, and it does not end on "
			   "any of them",
			   place);
		mlv_reason(v, "that is what a fault of the network or of one device looks like, "
			      "and also another group of which nothing is recorded");
		mlv_advise(v, "look for NCCL WARN lines and Xid errors in the logs, and run again "
			      "with NCCL_DEBUG=INFO");
		return true;
	}
	return false;
}
