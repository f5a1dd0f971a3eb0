/* SPDX-License-Identifier: MIT */
/* The order in which evidence decides, and what all rules need. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/hang/judge.h"

static void sentence(struct mlv_hang_verdict *v, const char *text, bool advice)
{
	bool ok = text != NULL;
	if (ok)
		ok = advice ? mlv_vec_push(&v->advice, text) : mlv_vec_push(&v->reasons, text);
	v->failed |= !ok;
}

void mlv_reason(struct mlv_hang_verdict *v, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	sentence(v, mlv_arena_vprintf(&v->arena, fmt, ap), false);
	va_end(ap);
}

void mlv_advise(struct mlv_hang_verdict *v, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	sentence(v, mlv_arena_vprintf(&v->arena, fmt, ap), true);
	va_end(ap);
}

void mlv_blame(struct mlv_hang_verdict *v, uint32_t rank)
{
	size_t at = 0;
	while (at < v->culprits.len && v->culprits.data[at] < rank)
		at++;
	if (at < v->culprits.len && v->culprits.data[at] == rank)
		return;
	if (!mlv_vec_push(&v->culprits, rank)) {
		v->failed = true;
		return;
	}
	memmove(v->culprits.data + at + 1, v->culprits.data + at,
		(v->culprits.len - 1 - at) * sizeof(*v->culprits.data));
	v->culprits.data[at] = rank;
}

void mlv_vote(struct mlv_hang_verdict *v, uint32_t rank, uint32_t halves)
{
	struct mlv_vote vote = { rank, halves };
	size_t at = 0;
	while (at < v->votes.len && v->votes.data[at].rank < rank)
		at++;
	if (at < v->votes.len && v->votes.data[at].rank == rank) {
		v->votes.data[at].halves += halves;
		return;
	}
	if (!mlv_vec_push(&v->votes, vote)) {
		v->failed = true;
		return;
	}
	memmove(v->votes.data + at + 1, v->votes.data + at,
		(v->votes.len - 1 - at) * sizeof(*v->votes.data));
	v->votes.data[at] = vote;
}

uint32_t mlv_votes_of(const struct mlv_hang_verdict *v, uint32_t rank)
{
	for (size_t i = 0; i < v->votes.len; i++) {
		if (v->votes.data[i].rank == rank)
			return v->votes.data[i].halves;
	}
	return 0;
}

const char *mlv_ranks_named(const struct mlv_evidence *e, const uint32_t *rows, size_t n, char *buf)
{
	size_t used = (size_t)snprintf(buf, MLV_RANKS_SIZE, n == 1 ? "rank" : "ranks");
	for (size_t i = 0; i < n && used < MLV_RANKS_SIZE - 40; i++) {
		int64_t rank = e->ranks.data[rows[i]].rank;
		size_t last = i;
		while (last + 1 < n &&
		       e->ranks.data[rows[last + 1]].rank == e->ranks.data[rows[last]].rank + 1)
			last++;
		used += (size_t)snprintf(buf + used, MLV_RANKS_SIZE - used, "%s %" PRId64,
					 i ? "," : "", rank);
		if (last > i + 1) {
			used += (size_t)snprintf(buf + used, MLV_RANKS_SIZE - used, "-%" PRId64,
						 e->ranks.data[rows[last]].rank);
			i = last;
		}
		if (used >= MLV_RANKS_SIZE - 40 && i + 1 < n)
			snprintf(buf + used, MLV_RANKS_SIZE - used, " and %zu more", n - 1 - i);
	}
	return buf;
}

const char *mlv_place_text(const struct mlv_evidence *e, uint32_t group, int64_t seq, uint32_t call,
			   char *buf)
{
	const struct mlv_job_group *g = &e->groups.data[group];
	struct mlv_str name = mlv_evidence_str(e, g->name);
	struct mlv_str desc = mlv_evidence_str(e, g->description);
	struct mlv_str op = MLV_STR("collective");
	char number[32] = "", about[140] = "", title[80] = "of the process group";
	if (call != MLV_NO_CALL)
		op = mlv_evidence_str(e, e->calls.data[call].name);
	if (seq >= 0)
		snprintf(number, sizeof(number), " #%" PRId64, seq);
	if (name.n)
		snprintf(title, sizeof(title), "of group %.50s", name.p);
	if (desc.n && !mlv_str_eq(desc, MLV_STR("undefined")))
		snprintf(about, sizeof(about), " (%.130s)", desc.p);
	snprintf(buf, MLV_PLACE_SIZE, "%.60s%s %s%s", op.p, number, title, about);
	return buf;
}

struct mlv_sides mlv_sides_of(const struct mlv_waits *w, uint32_t group, int64_t seq)
{
	const struct mlv_job_group *g = &w->e->groups.data[group];
	struct mlv_sides s = { 0 };
	for (uint32_t i = 0; i < g->lanes; i++) {
		switch (mlv_arrival_of(w, &w->e->lanes.data[g->first_lane + i], seq)) {
		case MLV_ABSENT:
			s.absent++;
			break;
		case MLV_UNHEARD:
			s.unheard++;
			break;
		default:
			s.joined++;
		}
	}
	return s;
}

static bool anyone_stands(const struct mlv_waits *w)
{
	for (size_t i = 0; i < w->e->ranks.len; i++) {
		if (w->stands[i].lane != MLV_NO_CALL)
			return true;
	}
	return false;
}

/* Nobody stands anywhere: well, as far as anything is known at all. */
static void judge_quiet(struct mlv_hang_verdict *v, const struct mlv_waits *w)
{
	const struct mlv_evidence *e = w->e;
	size_t unheard = 0;
	for (size_t i = 0; i < e->ranks.len; i++)
		unheard += !e->ranks.data[i].dump;
	if (e->dumps) {
		v->kind = unheard ? MLV_HANG_UNDECIDED : MLV_HANG_HEALTHY;
		mlv_reason(v, "every call in the %zu dump%s has ended", e->dumps,
			   e->dumps == 1 ? "" : "s");
		if (unheard)
			mlv_reason(v, "%zu rank%s without a dump: nothing is known of %s", unheard,
				   unheard == 1 ? " is" : "s are", unheard == 1 ? "it" : "them");
		return;
	}
	if (e->traces) {
		v->kind = MLV_HANG_HEALTHY;
		mlv_reason(v, "the collectives in the traces have ended, and nothing speaks of a "
			      "hang");
		return;
	}
	v->kind = MLV_HANG_UNDECIDED;
	mlv_reason(v,
		   "there is no flight-recorder dump%s, and no text tells of a collective that "
		   "timed out",
		   e->nameless ? " whose rank is known" : "");
	if (e->quiet_logs)
		mlv_reason(v,
			   "%zu log%s no failure either: as far as that goes, nothing speaks of "
			   "a hang",
			   e->quiet_logs, e->quiet_logs == 1 ? " holds" : "s hold");
	if (e->nameless)
		mlv_advise(v, MLV_ADVICE_NAME_DUMPS);
	else
		mlv_advise(v, "record with TORCH_FR_BUFFER_SIZE=2000 (TORCH_NCCL_TRACE_BUFFER_SIZE "
			      "before 2.9) and TORCH_NCCL_DUMP_ON_TIMEOUT=1, so that a hang leaves "
			      "a dump of each rank");
}

static void judge(struct mlv_hang_verdict *v, const struct mlv_waits *w)
{
	if (!anyone_stands(w)) {
		judge_quiet(v, w);
		return;
	}
	if (mlv_judge_mismatch(v, w) || mlv_judge_lag(v, w) || mlv_judge_p2p_sizes(v, w) ||
	    mlv_judge_knot(v, w) || mlv_judge_absent(v, w) || mlv_judge_stuck(v, w))
		return;
	v->kind = MLV_HANG_UNDECIDED;
	mlv_reason(v, "calls have not ended, and nothing tells why");
}

enum mlv_rc mlv_hang_verdict_init(struct mlv_hang_verdict *v, const struct mlv_waits *w,
				  struct mlv_err *err)
{
	memset(v, 0, sizeof(*v));
	v->group = UINT32_MAX;
	v->seq = -1;
	v->call = v->other = MLV_NO_CALL;
	judge(v, w);
	if (!v->failed)
		return MLV_OK;
	mlv_hang_verdict_fini(v);
	return mlv_err_nomem(err);
}

void mlv_hang_verdict_fini(struct mlv_hang_verdict *v)
{
	mlv_vec_free(&v->culprits);
	mlv_vec_free(&v->votes);
	mlv_vec_free(&v->reasons);
	mlv_vec_free(&v->advice);
	mlv_arena_fini(&v->arena);
}

const char *mlv_hang_verdict_name(enum mlv_hang_verdict_kind kind)
{
	static const char *const names[] = {
		[MLV_HANG_HEALTHY] = "healthy",
		[MLV_HANG_MISSING_RANK] = "missing-rank",
		[MLV_HANG_LAG] = "lag",
		[MLV_HANG_EXTRA_CALL] = "extra-call",
		[MLV_HANG_TYPE] = "type-mismatch",
		[MLV_HANG_SIZE] = "size-mismatch",
		[MLV_HANG_DTYPE] = "dtype-mismatch",
		[MLV_HANG_ORDER] = "order-mismatch",
		[MLV_HANG_P2P] = "unmatched-p2p",
		[MLV_HANG_UNDECIDED] = "undecided",
	};
	return names[kind];
}
