/* SPDX-License-Identifier: MIT */
#ifndef MLV_ANALYSIS_HANG_STAND_H
#define MLV_ANALYSIS_HANG_STAND_H
/*
 * Where each rank stands, and for whom it waits. A rank stands in its first
 * call, in program order, that has not ended. It waits for every rank that
 * has to join this call and has not: because it never issued it (absent), or
 * because it stands in an earlier call of its own (behind). Ranks that wait
 * for each other in a circle form one knot; a knot that waits for nobody
 * outside is where the hang began, and all others merely wait for it.
 */
#include "analysis/hang/evidence.h"

enum mlv_arrival {
	MLV_ARRIVED, /* stands in the same call */
	MLV_PASSED,  /* its part of it has ended */
	MLV_BEHIND,  /* issued it, and stands in an earlier call */
	MLV_ABSENT,  /* did not issue it */
	MLV_UNHEARD, /* no dump and no log tells */
};

#define MLV_NO_CALL UINT32_MAX

struct mlv_stand {
	uint32_t call; /* MLV_NO_CALL: nothing is pending, or only the status tells of it */
	uint32_t lane; /* MLV_NO_CALL: it stands nowhere */
	int64_t seq;   /* of a collective; -1 p2p */
	bool heard;    /* a dump or a log tells of this rank */
};

struct mlv_wait {
	uint32_t from, to; /* rows of ranks */
	enum mlv_arrival why;
};

struct mlv_waits {
	const struct mlv_evidence *e;  /* borrowed */
	struct mlv_stand *stands;      /* of each rank */
	MLV_VEC(struct mlv_wait) list; /* by `from` */
	uint32_t *first;               /* of each rank in list; one more at the end */
	uint32_t *knot;                /* of each rank: which one it is in */
	uint32_t *waiting; /* of each knot: ranks that wait for it in the end, itself too */
	bool *root;        /* of each knot: it waits for nobody else */
	uint32_t knots;
};

enum mlv_rc mlv_waits_init(struct mlv_waits *w, const struct mlv_evidence *e, struct mlv_err *err);
void mlv_waits_fini(struct mlv_waits *w);

/* Where each rank stands: the first part of mlv_waits_init. False when memory runs out. */
bool mlv_stands_fill(struct mlv_waits *w);

/* How the rank of `lane` stands to collective `seq` of its group. */
enum mlv_arrival mlv_arrival_of(const struct mlv_waits *w, const struct mlv_job_lane *lane,
				int64_t seq);

/*
 * The other side of a send or receive that has not ended: the call that it
 * meets, MLV_NO_CALL if there is none, and how that rank stands to it. *peer
 * is its row of ranks, UINT32_MAX if the group does not tell.
 */
enum mlv_arrival mlv_p2p_arrival(const struct mlv_waits *w, uint32_t call, uint32_t *peer,
				 uint32_t *met);

/* The n-th send (receive) of a lane to (from) a place in its group that has not ended; MLV_NO_CALL.
 */
uint32_t mlv_p2p_pending(const struct mlv_evidence *e, const struct mlv_job_lane *l, unsigned kind,
			 uint32_t peer, uint32_t n);

/* The lane of the other rank of a send or receive; UINT32_MAX. */
uint32_t mlv_peer_lane(const struct mlv_evidence *e, const struct mlv_call *c);

#endif
