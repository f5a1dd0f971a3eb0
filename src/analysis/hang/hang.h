/* SPDX-License-Identifier: MIT */
#ifndef MLV_ANALYSIS_HANG_HANG_H
#define MLV_ANALYSIS_HANG_HANG_H
/* All that is known about a hang: what reports print and pictures show. */
#include "analysis/callsite.h"
#include "analysis/hang/chain.h"
#include "analysis/hang/evidence.h"
#include "analysis/hang/stacks.h"
#include "analysis/hang/stand.h"
#include "analysis/hang/straggle.h"
#include "analysis/hang/verdict.h"

/* One rank, as a reader wants to see it. */
struct mlv_rank_state {
	uint32_t ended;     /* the last call that ended; MLV_NO_CALL */
	uint32_t stands;    /* the call in which it stands; MLV_NO_CALL */
	int64_t waiting_ns; /* in it, at least; -1 not known */
	bool exactly;       /* the watchdog stated it */
};

struct mlv_hang {
	const struct mlv_evidence *evidence; /* borrowed */
	struct mlv_waits waits;
	struct mlv_hang_verdict verdict;
	struct mlv_chain chain;
	struct mlv_stack_classes stacks;
	struct mlv_stragglers stragglers;
	struct mlv_rank_state *states; /* of each rank */
	struct mlv_sites sites;        /* of the evidence's stacks */
};

/* The evidence is finished and outlives it; `prefixes` as of mlv_sites_init. */
enum mlv_rc mlv_hang_init(struct mlv_hang *h, const struct mlv_evidence *e,
			  const char *const *prefixes, size_t prefix_count, struct mlv_err *err);
void mlv_hang_fini(struct mlv_hang *h);

/* "buggy_extra gen_fr.py:15", empty without a stack; of the user's own line. */
void mlv_call_line(struct mlv_hang *h, const struct mlv_call *c, char *buf, size_t size);

#endif
