/* SPDX-License-Identifier: MIT */
#include "analysis/hang/chain.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/hang/gather.h"
#include "analysis/hang/judge.h"

/* What a finding says of how a rank ended; those that are not here say nothing of it. */
static const struct {
	struct mlv_str code;
	enum mlv_link_role role;
} roles[] = {
	{ MLV_STR_INIT("cuda-oom"), MLV_LINK_CAUSE },
	{ MLV_STR_INIT("hip-oom"), MLV_LINK_CAUSE },
	{ MLV_STR_INIT("xpu-oom"), MLV_LINK_CAUSE },
	{ MLV_STR_INIT("mps-oom"), MLV_LINK_CAUSE },
	{ MLV_STR_INIT("cpu-oom"), MLV_LINK_CAUSE },
	{ MLV_STR_INIT("traceback"), MLV_LINK_CAUSE },
	{ MLV_STR_INIT("device-assert"), MLV_LINK_CAUSE },
	{ MLV_STR_INIT("cuda-error"), MLV_LINK_CAUSE },
	{ MLV_STR_INIT("hip-error"), MLV_LINK_CAUSE },
	{ MLV_STR_INIT("cudnn-error"), MLV_LINK_CAUSE },
	{ MLV_STR_INIT("xid"), MLV_LINK_CAUSE },
	{ MLV_STR_INIT("segfault"), MLV_LINK_CAUSE },
	{ MLV_STR_INIT("bus-error"), MLV_LINK_CAUSE },
	{ MLV_STR_INIT("killed"), MLV_LINK_CAUSE },
	{ MLV_STR_INIT("oom-killed"), MLV_LINK_CAUSE },
	{ MLV_STR_INIT("host-oom-kill"), MLV_LINK_CAUSE },
	{ MLV_STR_INIT("slurm-oom-kill"), MLV_LINK_CAUSE },
	{ MLV_STR_INIT("cgroup-oom-kill"), MLV_LINK_CAUSE },
	{ MLV_STR_INIT("fatal-python-error"), MLV_LINK_CAUSE },
	{ MLV_STR_INIT("nccl-watchdog-timeout"), MLV_LINK_TIMEOUT },
	{ MLV_STR_INIT("nccl-heartbeat-timeout"), MLV_LINK_TIMEOUT },
	{ MLV_STR_INIT("nccl-process-down"), MLV_LINK_ABORT },
	{ MLV_STR_INIT("terminate"), MLV_LINK_ABORT },
	{ MLV_STR_INIT("child-failed"), MLV_LINK_LAUNCHER },
};

/* Exceptions by which a rank tells that others failed, or the launcher that its ranks did. */
static bool is_consequence(struct mlv_str exception)
{
	static const struct mlv_str names[] = {
		MLV_STR_INIT("ChildFailedError"),       MLV_STR_INIT("DistBackendError"),
		MLV_STR_INIT("DistNetworkError"),       MLV_STR_INIT("DistStoreError"),
		MLV_STR_INIT("SignalException"),        MLV_STR_INIT("KeyboardInterrupt"),
		MLV_STR_INIT("ProcessExitedException"),
	};
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (mlv_str_contains(exception, names[i]))
			return true;
	}
	return false;
}

/* Signals that a watchdog, or the launcher, or a user sends; others come from faults. */
static enum mlv_link_role role_of_child(int64_t signal)
{
	switch (signal) {
	case 15:
		return MLV_LINK_ENDED;
	case 4:
	case 7:
	case 8:
	case 9:
	case 11:
		return MLV_LINK_CAUSE;
	default:
		return MLV_LINK_LAUNCHER;
	}
}

static bool role_of(const struct mlv_evidence *e, const struct mlv_finding *f,
		    enum mlv_link_role *role)
{
	struct mlv_str code = mlv_evidence_str(e, f->code);
	size_t i = 0, n = sizeof(roles) / sizeof(roles[0]);
	while (i < n && !mlv_str_eq(roles[i].code, code))
		i++;
	if (i == n)
		return false;
	*role = roles[i].role;
	mlv_strid exception = mlv_attr_text(&e->store, f->attrs, "exception");
	if (*role == MLV_LINK_CAUSE && is_consequence(mlv_evidence_str(e, exception)))
		return false;
	if (*role == MLV_LINK_LAUNCHER)
		*role = role_of_child(mlv_attr_int(&e->store, f->attrs, "signal", 0));
	/* std::terminate by another exception than NCCL's own is a failure of the program. */
	if (mlv_str_eq(code, MLV_STR("terminate")) &&
	    !is_consequence(mlv_evidence_str(e, exception)))
		*role = MLV_LINK_CAUSE;
	return true;
}

/* A statement that stands within a traceback of the same rank, which tells the same and the line.
 */
static bool told_by(const struct mlv_evidence *e, const struct mlv_fact *a,
		    const struct mlv_fact *b)
{
	const struct mlv_finding *f = &e->store.findings.data[a->finding];
	const struct mlv_finding *t = &e->store.findings.data[b->finding];
	return a != b && a->file.i == b->file.i &&
	       mlv_str_eq(mlv_evidence_str(e, t->code), MLV_STR("traceback")) &&
	       !mlv_str_eq(mlv_evidence_str(e, f->code), MLV_STR("traceback")) &&
	       f->line >= t->line && f->last_line <= t->last_line + 1;
}

static bool is_told(const struct mlv_evidence *e, size_t i)
{
	size_t from = i > 256 ? i - 256 : 0;
	for (size_t k = from; k < e->facts.len && k < i + 256; k++) {
		if (told_by(e, &e->facts.data[i], &e->facts.data[k]))
			return true;
	}
	return false;
}

struct sortable {
	struct mlv_link link;
	uint32_t file, line;
	bool ranked;
};

static int by_role(const void *pa, const void *pb)
{
	const struct sortable *a = pa, *b = pb;
	if (a->link.role != b->link.role)
		return a->link.role < b->link.role ? -1 : 1;
	/* A failure whose rank is known says more. */
	if (a->ranked != b->ranked)
		return a->ranked ? -1 : 1;
	if (a->file != b->file)
		return a->file < b->file ? -1 : 1;
	return (a->line > b->line) - (a->line < b->line);
}

static bool collect(struct mlv_chain *c, const struct mlv_evidence *e, struct sortable *list)
{
	size_t n = 0;
	for (uint32_t i = 0; i < e->facts.len; i++) {
		const struct mlv_finding *f = &e->store.findings.data[e->facts.data[i].finding];
		enum mlv_link_role role;
		if (f->severity != MLV_FINDING_ERROR || !role_of(e, f, &role) ||
		    (role == MLV_LINK_CAUSE && is_told(e, i)))
			continue;
		list[n++] = (struct sortable){
			{ i, role }, e->facts.data[i].file.i, f->line, e->facts.data[i].rank >= 0
		};
	}
	qsort(list, n, sizeof(*list), by_role);
	for (size_t i = 0; i < n; i++) {
		if (!mlv_vec_push(&c->links, list[i].link))
			return false;
		c->causes += list[i].link.role == MLV_LINK_CAUSE;
	}
	for (size_t i = 1; i < c->causes; i++)
		c->unordered |= list[i].ranked && list[i].file != list[0].file &&
				e->facts.data[list[i].link.fact].rank !=
					e->facts.data[list[0].link.fact].rank;
	return true;
}

enum mlv_rc mlv_chain_init(struct mlv_chain *c, const struct mlv_evidence *e, struct mlv_err *err)
{
	struct sortable *list = calloc(e->facts.len + 1, sizeof(*list));
	memset(c, 0, sizeof(*c));
	bool ok = list && collect(c, e, list);
	free(list);
	return ok ? MLV_OK : mlv_err_nomem(err);
}

void mlv_chain_fini(struct mlv_chain *c)
{
	mlv_vec_free(&c->links);
}

const char *mlv_link_role_name(enum mlv_link_role role)
{
	static const char *const names[] = { "cause", "timeout", "abort", "ended", "launcher" };
	return names[role];
}

/* Ranks that failed by themselves, and those of the launcher's list that it ended. */
static bool waits_for_others(const struct mlv_chain *c, const struct mlv_waits *w)
{
	for (size_t i = 0; i < c->links.len; i++) {
		if (c->links.data[i].role != MLV_LINK_CAUSE)
			return true;
	}
	for (size_t i = 0; i < w->e->ranks.len; i++) {
		if (w->stands[i].lane != MLV_NO_CALL)
			return true;
	}
	return false;
}

/* The verdicts that say no more than that a rank did not come. */
static bool leaves_it_open(const struct mlv_hang_verdict *v, uint32_t rank)
{
	if (v->kind == MLV_HANG_UNDECIDED || v->kind == MLV_HANG_HEALTHY)
		return true;
	if (v->kind != MLV_HANG_LAG && v->kind != MLV_HANG_MISSING_RANK)
		return false;
	for (size_t i = 0; i < v->culprits.len; i++) {
		if (v->culprits.data[i] == rank)
			return true;
	}
	return v->ambiguous;
}

/* A failure that decides nothing is told all the same. */
static void beside(struct mlv_hang_verdict *v, int64_t rank, struct mlv_str text)
{
	bool open = v->kind == MLV_HANG_UNDECIDED || v->kind == MLV_HANG_HEALTHY;
	/* It is the mismatch itself, found before the call was issued. */
	if (!open && mlv_str_contains(text, MLV_STR("Detected mismatch between collectives")))
		return;
	if (!open) {
		mlv_reason(v, "a rank failed as well: %.160s", text.p);
		return;
	}
	if (rank >= 0)
		mlv_reason(v,
			   "rank %" PRId64
			   " failed, and nothing tells of a rank that waits: %.160s",
			   rank, text.p);
	else
		mlv_reason(v, "a process failed, and nothing tells its rank: %.160s", text.p);
	v->advice.len = 0;
	mlv_advise(v, "mend this failure first; give the logs of all ranks, named by rank, to see "
		      "who waited for it");
}

void mlv_chain_judge(const struct mlv_chain *c, const struct mlv_waits *w,
		     struct mlv_hang_verdict *v)
{
	const struct mlv_evidence *e = w->e;
	if (!c->causes)
		return;
	const struct mlv_fact *fact = &e->facts.data[c->links.data[0].fact];
	const struct mlv_finding *f = &e->store.findings.data[fact->finding];
	uint32_t row = mlv_rank_row(e, fact->rank);
	struct mlv_str text = mlv_evidence_str(e, f->text);
	if (row == UINT32_MAX || !waits_for_others(c, w) || !leaves_it_open(v, row)) {
		beside(v, fact->rank, text);
		return;
	}
	if (v->kind != MLV_HANG_LAG)
		v->kind = MLV_HANG_MISSING_RANK;
	v->ambiguous = false;
	v->stuck = MLV_STUCK_UNKNOWN;
	v->culprits.len = 0;
	if (v->call != MLV_NO_CALL && e->lanes.data[e->calls.data[v->call].lane].rank != row) {
		v->other = v->call;
		v->call = MLV_NO_CALL;
	}
	v->reasons.len = 0;
	v->advice.len = 0;
	mlv_reason(v, "rank %" PRId64 " failed: %.160s", fact->rank, text.p);
	mlv_reason(v, "that others time out waiting for it, abort and are ended is a consequence");
	mlv_advise(v, "mend this failure first: the rest follows from it");
	mlv_blame(v, row);
	for (size_t i = 1; i < c->causes && c->unordered; i++) {
		uint32_t other = mlv_rank_row(e, e->facts.data[c->links.data[i].fact].rank);
		if (other == UINT32_MAX || other == row)
			continue;
		mlv_blame(v, other);
		v->ambiguous = true;
	}
	if (v->ambiguous)
		mlv_reason(v, "ranks failed in different logs: which came first cannot be known");
}
