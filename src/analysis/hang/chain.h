/* SPDX-License-Identifier: MIT */
#ifndef MLV_ANALYSIS_HANG_CHAIN_H
#define MLV_ANALYSIS_HANG_CHAIN_H
/*
 * What failed first. A rank that raised an exception, ran out of memory or was
 * killed is a cause; that others time out waiting for it, abort and are ended
 * are consequences, whatever the launcher calls the root cause. Within one log
 * the earlier line came first; between logs nothing tells.
 */
#include "analysis/hang/verdict.h"

enum mlv_link_role {
	MLV_LINK_CAUSE,
	MLV_LINK_TIMEOUT,  /* a rank gave up waiting for others */
	MLV_LINK_ABORT,    /* a rank that timed out ended itself */
	MLV_LINK_ENDED,    /* the launcher ended it */
	MLV_LINK_LAUNCHER, /* what the launcher thinks */
};

struct mlv_link {
	uint32_t fact; /* of the evidence */
	enum mlv_link_role role;
};

struct mlv_chain {
	MLV_VEC(struct mlv_link) links; /* causes first; then by role, file and line */
	size_t causes;
	bool unordered; /* the first causes stand in different files: which came first is not known
			 */
};

enum mlv_rc mlv_chain_init(struct mlv_chain *c, const struct mlv_evidence *e, struct mlv_err *err);
void mlv_chain_fini(struct mlv_chain *c);

/* Let a failure decide where the waiting alone does not, or only shows that its rank is missing. */
void mlv_chain_judge(const struct mlv_chain *c, const struct mlv_waits *w,
		     struct mlv_hang_verdict *v);

/* "cause", "timeout", … */
const char *mlv_link_role_name(enum mlv_link_role role);

#endif
