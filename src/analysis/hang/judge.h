/* SPDX-License-Identifier: MIT */
#ifndef MLV_ANALYSIS_HANG_JUDGE_H
#define MLV_ANALYSIS_HANG_JUDGE_H
/* What the files that reach a verdict share. Each rule returns whether it decided. */
#include "analysis/hang/match.h"
#include "analysis/hang/verdict.h"

/* mismatch.c: calls that meet under one sequence number and cannot be one collective. */
bool mlv_judge_mismatch(struct mlv_hang_verdict *v, const struct mlv_waits *w);
/* p2p.c: a send and a receive that meet and do not fit. */
bool mlv_judge_p2p_sizes(struct mlv_hang_verdict *v, const struct mlv_waits *w);
/* lag.c: ranks for which others wait, and which wait for nobody. */
bool mlv_judge_lag(struct mlv_hang_verdict *v, const struct mlv_waits *w);
/* knot.c: ranks that wait for each other in a circle. */
bool mlv_judge_knot(struct mlv_hang_verdict *v, const struct mlv_waits *w);
/* absent.c: ranks of which nothing is known, for which all others wait. */
bool mlv_judge_absent(struct mlv_hang_verdict *v, const struct mlv_waits *w);
/* absent.c: all have joined and nobody ends. */
bool mlv_judge_stuck(struct mlv_hang_verdict *v, const struct mlv_waits *w);

/* fingerprint.c: calls that ranks compared before they issued them, where nothing else decides. */
void mlv_judge_fingerprints(struct mlv_hang_verdict *v, const struct mlv_evidence *e);
/* advise.c: what to do next, where no rule has said so. */
void mlv_hang_advise(struct mlv_hang_verdict *v, const struct mlv_evidence *e);

/* What became of a call that differs, when the calls behind it are laid beside those of another
 * rank. */
enum mlv_shift {
	MLV_SHIFT_NONE,  /* one call stands in the place of another */
	MLV_SHIFT_EXTRA, /* it has a call more */
	MLV_SHIFT_SKIP,  /* it has a call less */
	MLV_SHIFT_ORDER, /* the same calls in another order */
};

/* shift.c: of lane `mine` against lane `ref`, whose calls differ at `seq`. */
enum mlv_shift mlv_shift_of(const struct mlv_evidence *e, const struct mlv_job_lane *mine,
			    const struct mlv_job_lane *ref, int64_t seq);

/* Those who joined a collective and those who did not, among the ranks of which is known. */
struct mlv_sides {
	uint32_t joined, absent, unheard;
};

struct mlv_sides mlv_sides_of(const struct mlv_waits *w, uint32_t group, int64_t seq);

/* plea.c: what is said for a rank that is waited for, and for those who wait: waits of each kind.
 */
struct mlv_plea {
	uint32_t late, extra, even; /* most joined; most did not; as many */
	bool several;               /* they come from more than one place */
	uint32_t finished, alive;   /* by the launcher's list */
	uint32_t p2p_waiters;
};

/* `idle`: of each rank, whether it is such a one. */
void mlv_plea_hear(struct mlv_plea *p, const struct mlv_waits *w, const bool *idle);
/* The one that waits for that rank in the largest group; UINT32_MAX. */
uint32_t mlv_chief_waiter(const struct mlv_waits *w, uint32_t rank);
/* The call in which it stands, or the last that it issued; MLV_NO_CALL. */
uint32_t mlv_last_call(const struct mlv_waits *w, uint32_t rank);
/* A vote for each culprit by each rank that waits for it. */
void mlv_vote_waits(struct mlv_hang_verdict *v, const struct mlv_waits *w);

/* verdict.c: help for the rules. */
void mlv_reason(struct mlv_hang_verdict *v, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
void mlv_advise(struct mlv_hang_verdict *v, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
#define MLV_ADVICE_NAME_DUMPS                                                                      \
	"name the dumps by their ranks (fr_0, fr_1, and so on): those whose rank nothing tells "   \
	"are left out"

void mlv_blame(struct mlv_hang_verdict *v, uint32_t rank);
void mlv_vote(struct mlv_hang_verdict *v, uint32_t rank, uint32_t halves);
uint32_t mlv_votes_of(const struct mlv_hang_verdict *v, uint32_t rank);
/* "rank 3", "ranks 1, 2, 5-7" of rows, into `buf`. */
enum { MLV_RANKS_SIZE = 256 };
const char *mlv_ranks_named(const struct mlv_evidence *e, const uint32_t *rows, size_t n,
			    char *buf);
/* "all_reduce #4 of group 0 (default_pg)" */
enum { MLV_PLACE_SIZE = 320 };
const char *mlv_place_text(const struct mlv_evidence *e, uint32_t group, int64_t seq, uint32_t call,
			   char *buf);

/* The lane in which a rank stands, NULL. */
static inline const struct mlv_job_lane *mlv_stand_lane(const struct mlv_waits *w, uint32_t rank)
{
	const struct mlv_stand *s = &w->stands[rank];
	return s->lane == MLV_NO_CALL ? NULL : &w->e->lanes.data[s->lane];
}

/* The call of a lane under a sequence number; MLV_NO_CALL. */
static inline uint32_t mlv_call_at(const struct mlv_evidence *e, const struct mlv_job_lane *l,
				   int64_t seq)
{
	const struct mlv_slot *s = mlv_slot_of(e, l, seq);
	return s ? e->lane_calls.data[l->first_call + s->first] : MLV_NO_CALL;
}

#endif
