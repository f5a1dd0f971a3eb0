/* SPDX-License-Identifier: MIT */
/*
 * Two ranks differ at a call: did one of them issue a call more, a call less,
 * the same calls in another order, or another call in its place? The calls
 * behind it tell, when they are laid beside those of the other rank: as they
 * are, or moved by one. Where that leaves it open, the lines that issued them
 * decide.
 */
#include "analysis/callsite.h"
#include "analysis/hang/judge.h"

enum { WINDOW = 64 };

struct pair {
	const struct mlv_evidence *e;
	const struct mlv_job_lane *mine, *ref;
};

static bool equal(const struct pair *p, int64_t my_seq, int64_t ref_seq, bool *known)
{
	const struct mlv_slot *a = mlv_slot_of(p->e, p->mine, my_seq);
	const struct mlv_slot *b = mlv_slot_of(p->e, p->ref, ref_seq);
	*known = a && b;
	return a && b && mlv_match_slots(p->e, p->mine, a, p->ref, b) == MLV_MATCHES;
}

/* How many of the calls behind fit until the first that does not; *all: none did not. */
static unsigned fits(const struct pair *p, int64_t mine, int64_t ref, bool *all)
{
	unsigned n = 0;
	bool known = true;
	*all = true;
	for (; n < WINDOW; n++, mine++, ref++) {
		if (!equal(p, mine, ref, &known)) {
			*all = !known;
			break;
		}
	}
	return n;
}

/* The caller's line that issued a call, 0 where that is not known; + 1. */
static uint32_t line_at(const struct pair *p, const struct mlv_job_lane *l, int64_t seq)
{
	const struct mlv_stacks *stacks = &p->e->store.stacks;
	uint32_t call = mlv_call_at(p->e, l, seq);
	mlv_stackid s = call == MLV_NO_CALL ? MLV_STACK_NONE : p->e->calls.data[call].stack;
	for (; mlv_stack_has_frame(s); s = mlv_stack_caller(stacks, s)) {
		if (mlv_file_is_callers(mlv_evidence_str(p->e, mlv_stack_frame(stacks, s)->file)))
			return stacks->nodes.data[s.i].frame.i + 1;
	}
	return 0;
}

static bool same_line(uint32_t a, uint32_t b)
{
	return a && a == b;
}

/* What stands at `seq` on one side comes later on the other, and the other way round. */
static bool swapped(const struct pair *p, int64_t seq)
{
	bool known, here = false, there = false;
	for (int64_t k = 1; k <= 8; k++) {
		here |= equal(p, seq, seq + k, &known);
		there |= equal(p, seq + k, seq, &known);
	}
	return here && there;
}

enum mlv_shift mlv_shift_of(const struct mlv_evidence *e, const struct mlv_job_lane *mine,
			    const struct mlv_job_lane *ref, int64_t seq)
{
	const struct pair p = { e, mine, ref };
	bool all[3];
	unsigned same = fits(&p, seq + 1, seq + 1, &all[0]);
	unsigned extra = fits(&p, seq + 1, seq, &all[1]);
	unsigned skip = fits(&p, seq, seq + 1, &all[2]);
	/* Moved by one they fit further than in place. */
	bool moved = extra > 0 && (extra > same || (all[1] && !all[0]));
	bool short_of = skip > 0 && (skip > same || (all[2] && !all[0]));
	if (moved && short_of)
		return swapped(&p, seq) ? MLV_SHIFT_ORDER
		       : extra > skip   ? MLV_SHIFT_EXTRA
					: MLV_SHIFT_SKIP;
	if (moved)
		return !all[1] && swapped(&p, seq) ? MLV_SHIFT_ORDER : MLV_SHIFT_EXTRA;
	if (short_of)
		return !all[2] && swapped(&p, seq) ? MLV_SHIFT_ORDER : MLV_SHIFT_SKIP;
	/* It fits in place as well as moved: a loop of equal calls. The lines tell. */
	if (extra && same_line(line_at(&p, mine, seq + 1), line_at(&p, ref, seq)) &&
	    !same_line(line_at(&p, mine, seq), line_at(&p, ref, seq)))
		return MLV_SHIFT_EXTRA;
	if (skip && same_line(line_at(&p, mine, seq), line_at(&p, ref, seq + 1)) &&
	    !same_line(line_at(&p, mine, seq), line_at(&p, ref, seq)))
		return MLV_SHIFT_SKIP;
	return !all[0] && swapped(&p, seq) ? MLV_SHIFT_ORDER : MLV_SHIFT_NONE;
}
