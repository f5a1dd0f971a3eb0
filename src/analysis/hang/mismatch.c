/* SPDX-License-Identifier: MIT */
/*
 * Calls that meet under one sequence number of a group and cannot be one
 * collective. Only collectives in which somebody stands count: one that has
 * ended on all ranks did no harm. The ranks fall into classes of calls that
 * fit; the largest class is taken to be right, and where two are as large
 * both are shown.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/hang/judge.h"

enum { CLASSES = 16, LOOK_BACK = 64 };

struct split {
	uint32_t group;
	int64_t seq;
	uint32_t members, standing; /* ranks whose call is known; of these in a root of waiting */
	uint32_t classes;
	uint32_t size[CLASSES], first[CLASSES]; /* members; lane of the first one */
};

/* The class of each lane of the group at `seq`: `of` has room for all, UINT32_MAX: not known. */
static struct split divide(const struct mlv_waits *w, uint32_t group, int64_t seq, uint32_t *of)
{
	const struct mlv_evidence *e = w->e;
	const struct mlv_job_group *g = &e->groups.data[group];
	struct split s = { .group = group, .seq = seq };
	for (uint32_t i = 0; i < g->lanes; i++) {
		const struct mlv_job_lane *l = &e->lanes.data[g->first_lane + i];
		const struct mlv_slot *slot = mlv_slot_of(e, l, seq);
		uint32_t c = 0;
		of[i] = UINT32_MAX;
		if (!slot)
			continue;
		for (; c < s.classes; c++) {
			const struct mlv_job_lane *r = &e->lanes.data[s.first[c]];
			if (mlv_match_slots(e, l, slot, r, mlv_slot_of(e, r, seq)) == MLV_MATCHES)
				break;
		}
		if (c == CLASSES)
			c = CLASSES - 1;
		if (c == s.classes) {
			s.first[c] = g->first_lane + i;
			s.size[c] = 0;
			s.classes++;
		}
		s.size[c]++;
		s.members++;
		of[i] = c;
		const struct mlv_stand *stand = &w->stands[l->rank];
		s.standing += stand->lane == g->first_lane + i && stand->seq == seq &&
			      w->root[w->knot[l->rank]];
	}
	return s;
}

static bool ended_everywhere(const struct mlv_waits *w, uint32_t group, int64_t seq)
{
	const struct mlv_job_group *g = &w->e->groups.data[group];
	for (uint32_t i = 0; i < g->lanes; i++) {
		const struct mlv_job_lane *l = &w->e->lanes.data[g->first_lane + i];
		if (l->seen && l->completed < seq)
			return false;
	}
	return true;
}

/* The earlier calls of the group may differ as well, though they ended: the first one counts. */
static struct split look_back(const struct mlv_waits *w, struct split s, uint32_t *of)
{
	for (unsigned i = 0; i < LOOK_BACK && s.seq > 1; i++) {
		struct split before = divide(w, s.group, s.seq - 1, of);
		if (before.classes < 2)
			break;
		before.standing = s.standing;
		s = before;
	}
	(void)divide(w, s.group, s.seq, of);
	return s;
}

static uint32_t widest_group(const struct mlv_evidence *e)
{
	uint32_t most = 0;
	for (size_t i = 0; i < e->groups.len; i++)
		most = e->groups.data[i].lanes > most ? e->groups.data[i].lanes : most;
	return most;
}

/* Where ranks stand, each place once: pairs of lane's group and sequence number. */
static int by_place(const void *pa, const void *pb)
{
	const struct split *a = pa, *b = pb;
	if (a->group != b->group)
		return a->group < b->group ? -1 : 1;
	return (a->seq > b->seq) - (a->seq < b->seq);
}

static size_t places(const struct mlv_waits *w, struct split *list)
{
	size_t n = 0, kept = 0;
	for (uint32_t i = 0; i < w->e->ranks.len; i++) {
		const struct mlv_job_lane *l = mlv_stand_lane(w, i);
		if (l && w->stands[i].seq >= 0)
			list[n++] = (struct split){ .group = l->group, .seq = w->stands[i].seq };
	}
	qsort(list, n, sizeof(*list), by_place);
	for (size_t i = 0; i < n; i++) {
		if (!i || by_place(&list[i], &list[kept - 1]))
			list[kept++] = list[i];
	}
	return kept;
}

static bool better(const struct split *a, const struct split *b)
{
	if ((a->standing > 0) != (b->standing > 0))
		return a->standing > 0;
	return a->members > b->members;
}

static enum mlv_hang_verdict_kind kind_of(enum mlv_match m)
{
	return m == MLV_TYPE_DIFFERS   ? MLV_HANG_TYPE
	       : m == MLV_SIZE_DIFFERS ? MLV_HANG_SIZE
				       : MLV_HANG_DTYPE;
}

/* One call in place of another, and the lines tell that it is not the same one. */
static void explain_kind(struct mlv_hang_verdict *v, const struct mlv_evidence *e,
			 const struct mlv_job_lane *mine, const struct mlv_job_lane *ref)
{
	enum mlv_shift shift = mlv_shift_of(e, mine, ref, v->seq);
	const struct mlv_slot *a = mlv_slot_of(e, mine, v->seq), *b = mlv_slot_of(e, ref, v->seq);
	enum mlv_match m = mlv_match_slots(e, mine, a, ref, b);
	int64_t rank = e->ranks.data[mine->rank].rank, other = e->ranks.data[ref->rank].rank;
	switch (shift) {
	case MLV_SHIFT_EXTRA:
		v->kind = MLV_HANG_EXTRA_CALL;
		mlv_reason(v,
			   "moved by one, the calls of rank %" PRId64 " behind it fit those of "
			   "rank %" PRId64 ": the call at #%" PRId64 " is one more",
			   rank, other, v->seq);
		break;
	case MLV_SHIFT_SKIP:
		v->kind = MLV_HANG_MISSING_RANK;
		v->stuck = MLV_STUCK_HOST;
		mlv_reason(v,
			   "moved by one, the calls of rank %" PRId64 " fit those of rank %" PRId64
			   ": it never issued what the others issued as #%" PRId64,
			   rank, other, v->seq);
		break;
	case MLV_SHIFT_ORDER:
		v->kind = MLV_HANG_ORDER;
		mlv_reason(v,
			   "rank %" PRId64 " issued the same calls as rank %" PRId64
			   " in another order",
			   rank, other);
		break;
	case MLV_SHIFT_NONE:
		v->kind = kind_of(m);
		break;
	}
}

static void count_votes(struct mlv_hang_verdict *v, const struct mlv_waits *w,
			const struct split *s, const uint32_t *of, uint32_t best, bool tie)
{
	const struct mlv_job_group *g = &w->e->groups.data[s->group];
	for (uint32_t i = 0; i < g->lanes; i++) {
		uint32_t rank = w->e->lanes.data[g->first_lane + i].rank;
		if (of[i] == UINT32_MAX)
			continue;
		if (tie && s->size[of[i]] == s->size[best]) {
			mlv_vote(v, rank, 1);
			mlv_blame(v, rank);
		} else if (of[i] != best) {
			mlv_vote(v, rank, 2);
			mlv_blame(v, rank);
		}
	}
}

/* The rank of a class that issued most behind: it shows best what came after. */
static const struct mlv_job_lane *longest(const struct mlv_evidence *e, const struct split *s,
					  const uint32_t *of, uint32_t c)
{
	const struct mlv_job_group *g = &e->groups.data[s->group];
	const struct mlv_job_lane *best = &e->lanes.data[s->first[c]];
	for (uint32_t i = 0; i < g->lanes; i++) {
		const struct mlv_job_lane *l = &e->lanes.data[g->first_lane + i];
		if (of[i] == c && l->enqueued > best->enqueued)
			best = l;
	}
	return best;
}

/* Of two classes as large, the one that has a call more speaks first. */
static void speak(struct mlv_hang_verdict *v, const struct mlv_evidence *e, const struct split *s,
		  const uint32_t *of, uint32_t best, uint32_t odd, bool tie)
{
	const struct mlv_job_lane *ref = longest(e, s, of, best);
	const struct mlv_job_lane *mine = longest(e, s, of, odd);
	if (tie && ref->rank < mine->rank) {
		const struct mlv_job_lane *swap = ref;
		ref = mine;
		mine = swap;
	}
	if (tie && mlv_shift_of(e, mine, ref, s->seq) == MLV_SHIFT_SKIP) {
		const struct mlv_job_lane *swap = ref;
		ref = mine;
		mine = swap;
	}
	explain_kind(v, e, mine, ref);
	v->call = mlv_call_at(e, mine, s->seq);
	v->other = mlv_call_at(e, ref, s->seq);
}

static void decide(struct mlv_hang_verdict *v, const struct mlv_waits *w, const struct split *s,
		   const uint32_t *of)
{
	const struct mlv_evidence *e = w->e;
	char place[MLV_PLACE_SIZE];
	uint32_t best = 0, odd = UINT32_MAX, largest = 0;
	for (uint32_t c = 1; c < s->classes; c++)
		best = s->size[c] > s->size[best] ? c : best;
	for (uint32_t c = 0; c < s->classes; c++) {
		largest += s->size[c] == s->size[best];
		if (c != best && odd == UINT32_MAX)
			odd = c;
	}
	bool tie = largest > 1;
	v->group = s->group;
	v->seq = s->seq;
	mlv_place_text(e, s->group, s->seq, MLV_NO_CALL, place);
	mlv_reason(v, "at %s the ranks issued %" PRIu32 " calls that cannot be one collective",
		   place, s->classes);
	count_votes(v, w, s, of, best, tie);
	speak(v, e, s, of, best, odd, tie);
	v->ambiguous = tie;
	if (tie)
		mlv_reason(v, "as many ranks issued the one as the other: the calls alone do not "
			      "tell which is wrong");
	else
		mlv_reason(v, "%" PRIu32 " of %" PRIu32 " ranks agree, the others are the odd ones",
			   s->size[best], s->members);
}

/* What goes in and what comes out of an all_to_all, over all of its ranks. */
static bool sums_differ(const struct mlv_waits *w, const struct split *s, int64_t *in, int64_t *out)
{
	const struct mlv_evidence *e = w->e;
	const struct mlv_job_group *g = &e->groups.data[s->group];
	*in = *out = 0;
	if (s->members != g->lanes || s->classes != 1 || !g->members_known)
		return false;
	for (uint32_t i = 0; i < g->lanes; i++) {
		uint32_t call = mlv_call_at(e, &e->lanes.data[g->first_lane + i], s->seq);
		const struct mlv_call *c = &e->calls.data[call];
		int64_t a = mlv_numel(mlv_evidence_str(e, c->in_sizes));
		int64_t b = mlv_numel(mlv_evidence_str(e, c->out_sizes));
		if (!mlv_is_all_to_all(mlv_evidence_str(e, c->name)) || !c->sized ||
		    !c->in_sizes.i || !c->out_sizes.i || a < 0 || b < 0 ||
		    __builtin_add_overflow(*in, a, in) || __builtin_add_overflow(*out, b, out))
			return false;
	}
	return *in != *out;
}

/* Those whose tensors have another shape than those of most. */
static void blame_odd_sizes(struct mlv_hang_verdict *v, const struct mlv_waits *w, uint32_t group,
			    int64_t seq)
{
	const struct mlv_evidence *e = w->e;
	const struct mlv_job_group *g = &e->groups.data[group];
	for (uint32_t i = 0; i < g->lanes; i++) {
		const struct mlv_job_lane *l = &e->lanes.data[g->first_lane + i];
		const struct mlv_call *c = &e->calls.data[mlv_call_at(e, l, seq)];
		uint32_t alike = 0;
		for (uint32_t k = 0; k < g->lanes && g->lanes <= 4096; k++) {
			const struct mlv_call *o = &e->calls.data[mlv_call_at(
				e, &e->lanes.data[g->first_lane + k], seq)];
			alike += o->in_sizes.i == c->in_sizes.i && o->out_sizes.i == c->out_sizes.i;
		}
		if (2 * alike < g->lanes) {
			mlv_blame(v, l->rank);
			v->call = mlv_call_at(e, l, seq);
		}
	}
}

static bool judge_sums(struct mlv_hang_verdict *v, const struct mlv_waits *w, const struct split *s)
{
	int64_t in, out;
	char place[MLV_PLACE_SIZE];
	if (!sums_differ(w, s, &in, &out))
		return false;
	v->kind = MLV_HANG_SIZE;
	v->group = s->group;
	v->seq = s->seq;
	v->call = v->other = mlv_call_at(w->e, &w->e->lanes.data[s->first[0]], s->seq);
	mlv_place_text(w->e, s->group, s->seq, v->call, place);
	mlv_reason(v, "the ranks of %s send %" PRId64 " elements and receive %" PRId64, place, in,
		   out);
	blame_odd_sizes(v, w, s->group, s->seq);
	v->ambiguous = v->culprits.len != 1;
	return true;
}

bool mlv_judge_mismatch(struct mlv_hang_verdict *v, const struct mlv_waits *w)
{
	struct split *list = calloc(w->e->ranks.len + 1, sizeof(*list));
	uint32_t *of = calloc(widest_group(w->e) + 1, sizeof(*of));
	struct split best = { 0 };
	bool found = false;
	if (!list || !of) {
		v->failed = true;
		free(list);
		free(of);
		return true;
	}
	size_t n = places(w, list);
	for (size_t i = 0; i < n && !found; i++) {
		struct split s = divide(w, list[i].group, list[i].seq, of);
		found = !ended_everywhere(w, s.group, s.seq) && judge_sums(v, w, &s);
	}
	for (size_t i = 0; i < n && !found; i++) {
		struct split s = divide(w, list[i].group, list[i].seq, of);
		if (s.classes > 1 && !ended_everywhere(w, s.group, s.seq) &&
		    (best.classes < 2 || better(&s, &best)))
			best = s;
	}
	if (!found && best.classes > 1) {
		best = look_back(w, best, of);
		decide(v, w, &best, of);
		found = true;
	}
	free(list);
	free(of);
	return found;
}
