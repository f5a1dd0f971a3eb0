/* SPDX-License-Identifier: MIT */
#ifndef MLV_ANALYSIS_HANG_STRAGGLE_H
#define MLV_ANALYSIS_HANG_STRAGGLE_H
/*
 * Slow, not stuck: for which rank do the others wait? The n-th collective of a
 * group is one collective on all ranks; the rank that comes last to it spends
 * the least time in it, for the kernels of the others run while they wait. No
 * clock of one host is compared with that of another.
 */
#include "analysis/hang/evidence.h"

struct mlv_straggler {
	uint32_t rank;      /* row */
	uint64_t last;      /* collectives to which it came last */
	int64_t caused_ns;  /* what all others waited in these */
	int64_t waited_ns;  /* what it waited itself, in all */
	int64_t longest_ns; /* the most that one rank waited for it in one collective */
};

/* What one rank waited in one collective, that its trace saw: which kernel it is, its start tells.
 */
struct mlv_collective_wait {
	int64_t rank; /* its number */
	int64_t start_ns, wait_ns;
};

struct mlv_stragglers {
	MLV_VEC(struct mlv_straggler) list;        /* for whom the others waited longest first */
	MLV_VEC(struct mlv_collective_wait) waits; /* of traces; by rank, then start */
	uint64_t collectives;                      /* that were compared */
	uint64_t left_out;   /* kernels of groups whose ranks have unlike numbers of them */
	int64_t waited_ns;   /* in all */
	bool from_traces;    /* else from durations of dumps */
	const char *why_not; /* static; NULL: it could be determined */
};

enum mlv_rc mlv_stragglers_init(struct mlv_stragglers *s, const struct mlv_evidence *e,
				struct mlv_err *err);
void mlv_stragglers_fini(struct mlv_stragglers *s);

/* Whether one rank accounts for most of the waiting: list.data[0]. */
bool mlv_stragglers_clear(const struct mlv_stragglers *s);

#endif
