/* SPDX-License-Identifier: MIT */
#ifndef MLV_ANALYSIS_HANG_MATCH_H
#define MLV_ANALYSIS_HANG_MATCH_H
/*
 * Whether calls of two ranks can be one collective: of one type, with sizes
 * and types of elements that fit. Which of them must be equal depends on the
 * operation (docs/hang.md lists the rules); an operation that is not known is
 * compared by name and size.
 */
#include "analysis/hang/evidence.h"

enum mlv_match {
	MLV_MATCHES,
	MLV_TYPE_DIFFERS,
	MLV_SIZE_DIFFERS,
	MLV_DTYPE_DIFFERS,
};

enum mlv_match mlv_match_calls(const struct mlv_evidence *e, const struct mlv_call *a,
			       const struct mlv_call *b);

/* The calls of one sequence number, which may be several of a coalesced group. */
enum mlv_match mlv_match_slots(const struct mlv_evidence *e, const struct mlv_job_lane *la,
			       const struct mlv_slot *a, const struct mlv_job_lane *lb,
			       const struct mlv_slot *b);

/* A send and the receive that it meets. */
enum mlv_match mlv_match_p2p(const struct mlv_evidence *e, const struct mlv_call *send,
			     const struct mlv_call *recv);

/* Whether what each rank sends may differ, and only the sums tell. */
bool mlv_is_all_to_all(struct mlv_str name);

/* Elements in "[[4,5],[2]]"; -1 where that is not known. */
int64_t mlv_numel(struct mlv_str sizes);

#endif
