/* SPDX-License-Identifier: MIT */
/* A send and a receive that meet, and whose tensors do not fit. */
#include <inttypes.h>

#include "analysis/hang/judge.h"

/* Whether the one that comes next on either side would fit: then one of them is too many. */
static bool next_fits(const struct mlv_evidence *e, const struct mlv_call *send,
		      const struct mlv_call *recv)
{
	const struct mlv_job_lane *from = &e->lanes.data[send->lane],
				  *to = &e->lanes.data[recv->lane];
	uint32_t later = mlv_p2p_pending(e, to, MLV_CALL_RECV, from->place, 1);
	if (later != MLV_NO_CALL && mlv_match_p2p(e, send, &e->calls.data[later]) == MLV_MATCHES)
		return true;
	later = mlv_p2p_pending(e, from, MLV_CALL_SEND, to->place, 1);
	return later != MLV_NO_CALL && mlv_match_p2p(e, &e->calls.data[later], recv) == MLV_MATCHES;
}

bool mlv_judge_p2p_sizes(struct mlv_hang_verdict *v, const struct mlv_waits *w)
{
	const struct mlv_evidence *e = w->e;
	for (uint32_t i = 0; i < e->ranks.len; i++) {
		const struct mlv_stand *s = &w->stands[i];
		uint32_t peer, met;
		if (s->call == MLV_NO_CALL || s->seq >= 0)
			continue;
		const struct mlv_call *c = &e->calls.data[s->call];
		if (mlv_p2p_arrival(w, s->call, &peer, &met) != MLV_ARRIVED)
			continue;
		const struct mlv_call *o = &e->calls.data[met];
		bool send = c->kind == MLV_CALL_SEND;
		enum mlv_match m = mlv_match_p2p(e, send ? c : o, send ? o : c);
		if (m == MLV_MATCHES)
			continue;
		v->kind = m == MLV_SIZE_DIFFERS ? MLV_HANG_SIZE : MLV_HANG_DTYPE;
		if (next_fits(e, send ? c : o, send ? o : c))
			v->kind = MLV_HANG_P2P;
		v->ambiguous = true;
		v->group = e->lanes.data[s->lane].group;
		v->call = s->call;
		v->other = met;
		mlv_blame(v, i);
		mlv_blame(v, peer);
		mlv_vote(v, i, 1);
		mlv_vote(v, peer, 1);
		mlv_reason(v,
			   "rank %" PRId64 " and rank %" PRId64
			   " send and receive tensors that do not fit each other; two ranks alone "
			   "do not tell which is wrong",
			   e->ranks.data[i].rank, e->ranks.data[peer].rank);
		return true;
	}
	return false;
}
