/* SPDX-License-Identifier: MIT */
#ifndef MLV_ANALYSIS_HANG_VERDICT_H
#define MLV_ANALYSIS_HANG_VERDICT_H
/*
 * What is wrong with a job, who is the culprit, and by which evidence: so that
 * a user can argue with it, every step leaves a reason behind. docs/hang.md
 * explains the order in which evidence decides.
 */
#include "analysis/hang/evidence.h"
#include "analysis/hang/stand.h"

enum mlv_hang_verdict_kind {
	MLV_HANG_HEALTHY,
	MLV_HANG_MISSING_RANK, /* never joined */
	MLV_HANG_LAG,          /* came less far than the others */
	MLV_HANG_EXTRA_CALL,
	MLV_HANG_TYPE,
	MLV_HANG_SIZE,
	MLV_HANG_DTYPE,
	MLV_HANG_ORDER,
	MLV_HANG_P2P, /* a send or receive that nobody meets */
	MLV_HANG_UNDECIDED,
};

/* Which part of a rank that lags is stuck. */
enum mlv_stuck { MLV_STUCK_UNKNOWN, MLV_STUCK_HOST, MLV_STUCK_DEVICE };

struct mlv_vote {
	uint32_t rank;   /* row */
	uint32_t halves; /* half a vote each: where two sides are equal, both get one */
};

struct mlv_hang_verdict {
	enum mlv_hang_verdict_kind kind;
	bool ambiguous;
	enum mlv_stuck stuck;
	MLV_VEC(uint32_t) culprits;     /* rows of ranks, ascending */
	uint32_t group;                 /* UINT32_MAX: none */
	int64_t seq;                    /* of the collective at which it began; -1 */
	uint32_t call;                  /* of the (first) culprit; MLV_NO_CALL */
	uint32_t other;                 /* what the others issued there; MLV_NO_CALL */
	MLV_VEC(struct mlv_vote) votes; /* ascending ranks; those with none are left out */
	MLV_VEC(const char *) reasons;  /* sentences without a full stop, in arena */
	MLV_VEC(const char *) advice;
	struct mlv_arena arena;
	bool failed; /* memory ran out */
};

/* The waits belong to the same evidence. */
enum mlv_rc mlv_hang_verdict_init(struct mlv_hang_verdict *v, const struct mlv_waits *w,
				  struct mlv_err *err);
void mlv_hang_verdict_fini(struct mlv_hang_verdict *v);

/* "missing-rank", … */
const char *mlv_hang_verdict_name(enum mlv_hang_verdict_kind kind);

#endif
