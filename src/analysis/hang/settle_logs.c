/* SPDX-License-Identifier: MIT */
/*
 * What the watchdog wrote into logs, as words about ranks in groups: the call
 * that timed out, how far a rank came, which ranks the desync report found
 * behind. They stand in for the dump of a rank that wrote none.
 */
#include <string.h>

#include "analysis/hang/gather.h"
#include "base/buf.h"

/* OpType of the watchdog as the recorder names it. */
static struct mlv_str op_name(struct mlv_str op)
{
	static const struct mlv_str names[][2] = {
		{ MLV_STR_INIT("ALLREDUCE"), MLV_STR_INIT("all_reduce") },
		{ MLV_STR_INIT("BROADCAST"), MLV_STR_INIT("broadcast") },
		{ MLV_STR_INIT("_BROADCAST_OOP"), MLV_STR_INIT("_broadcast_oop") },
		{ MLV_STR_INIT("ALLGATHER"), MLV_STR_INIT("all_gather") },
		{ MLV_STR_INIT("_ALLGATHER_BASE"), MLV_STR_INIT("_all_gather_base") },
		{ MLV_STR_INIT("ALLGATHER_COALESCED"), MLV_STR_INIT("ALLGATHER_coalesced") },
		{ MLV_STR_INIT("REDUCE"), MLV_STR_INIT("reduce") },
		{ MLV_STR_INIT("_REDUCE_OOP"), MLV_STR_INIT("_reduce_oop") },
		{ MLV_STR_INIT("REDUCE_SCATTER"), MLV_STR_INIT("reduce_scatter") },
		{ MLV_STR_INIT("_REDUCE_SCATTER_BASE"), MLV_STR_INIT("_reduce_scatter_base") },
		{ MLV_STR_INIT("ALLTOALL"), MLV_STR_INIT("all_to_all") },
		{ MLV_STR_INIT("ALLTOALL_BASE"), MLV_STR_INIT("all_to_all") },
		{ MLV_STR_INIT("ALLREDUCE_COALESCED"), MLV_STR_INIT("allreduce_coalesced") },
		{ MLV_STR_INIT("GATHER"), MLV_STR_INIT("gather") },
		{ MLV_STR_INIT("SCATTER"), MLV_STR_INIT("scatter") },
		{ MLV_STR_INIT("BARRIER"), MLV_STR_INIT("barrier") },
		{ MLV_STR_INIT("SEND"), MLV_STR_INIT("send") },
		{ MLV_STR_INIT("RECV"), MLV_STR_INIT("recv") },
		{ MLV_STR_INIT("COALESCED"), MLV_STR_INIT("coalesced") },
	};
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (mlv_str_eq(names[i][0], op))
			return names[i][1];
	}
	return op;
}

static bool is(const struct mlv_evidence *e, const struct mlv_finding *f, const char *code)
{
	return strcmp(mlv_evidence_str(e, f->code).p, code) == 0;
}

/* The group of that name that has this rank, or one whose members nobody tells. */
static bool find_group(struct mlv_evidence *e, mlv_strid name, mlv_strid desc, uint32_t rank,
		       uint32_t *row)
{
	struct mlv_job_group g = { .name = name, .description = desc };
	for (uint32_t i = 0; i < e->groups.len; i++) {
		const struct mlv_job_group *o = &e->groups.data[i];
		if (o->name.i != name.i)
			continue;
		struct mlv_str list = mlv_evidence_str(e, o->members_text);
		int64_t n;
		*row = i;
		while (mlv_next_number(&list, &n)) {
			if (n == e->ranks.data[rank].rank)
				return true;
		}
		if (!o->members_known)
			return true;
	}
	*row = (uint32_t)e->groups.len;
	return mlv_vec_push(&e->groups, g);
}

static bool add(struct mlv_evidence *e, const struct mlv_raw_word *w)
{
	struct mlv_raw_member m = { w->group, UINT32_MAX, w->rank };
	if (!e->groups.data[w->group].members_known && !mlv_vec_push(&e->raw->members, m))
		return false;
	return mlv_vec_push(&e->raw->words, *w);
}

/* Which group a statement without one is about: what the same rank says beside it. */
static void group_beside(const struct mlv_evidence *e, size_t fact, mlv_strid *name,
			 mlv_strid *desc)
{
	int64_t rank = e->facts.data[fact].rank;
	size_t from = fact > 64 ? fact - 64 : 0;
	for (size_t i = from; i < e->facts.len && i < fact + 64; i++) {
		const struct mlv_finding *f = &e->store.findings.data[e->facts.data[i].finding];
		mlv_strid group = mlv_attr_text(&e->store, f->attrs, "process_group");
		if (e->facts.data[i].rank != rank || !group.i ||
		    e->facts.data[i].file.i != e->facts.data[fact].file.i)
			continue;
		*name = group;
		*desc = mlv_attr_text(&e->store, f->attrs, "group_description");
		if (i >= fact)
			return;
	}
}

/* "[[4096]]" of a count of elements. */
static bool sizes(struct mlv_evidence *e, int64_t numel, mlv_strid *id)
{
	struct mlv_buf b = { 0 };
	mlv_buf_printf(&b, "[[%lld]]", (long long)numel);
	bool ok = !b.failed && mlv_intern(&e->store.strings, b.data, b.len, id);
	mlv_buf_fini(&b);
	return ok;
}

static bool timeout_word(struct mlv_evidence *e, const struct mlv_finding *f,
			 struct mlv_raw_word *w)
{
	const struct mlv_run *run = &e->store;
	int64_t in = mlv_attr_int(run, f->attrs, "numel_in", -1);
	int64_t out = mlv_attr_int(run, f->attrs, "numel_out", -1);
	struct mlv_str op = op_name(mlv_run_str(run, mlv_attr_text(run, f->attrs, "op")));
	w->call = true;
	w->work = (struct mlv_call){
		.seq = mlv_attr_int(run, f->attrs, "seq", -1),
		.p2p_seq = -1,
		.op_id = -1,
		.start_ns = MLV_NO_TIME,
		.end_ns = MLV_NO_TIME,
		.duration_ns = mlv_attr_int(run, f->attrs, "ran_ms", 0) * 1000000,
		.timeout_ms = mlv_attr_int(run, f->attrs, "timeout_ms", 0),
		.stack = f->stack,
		.peer = -1,
		.sized = in >= 0 && out >= 0,
		.started = true,
		.from_log = true,
	};
	return mlv_intern(&e->store.strings, op.p, op.n, &w->work.name) &&
	       (in < 0 || sizes(e, in, &w->work.in_sizes)) &&
	       (out < 0 || sizes(e, out, &w->work.out_sizes));
}

/* The ranks of a list in the desync report, which counts within the group. */
static bool listed(struct mlv_evidence *e, struct mlv_raw_word w, const struct mlv_finding *f,
		   const char *key)
{
	struct mlv_str list = mlv_evidence_str(e, mlv_attr_text(&e->store, f->attrs, key));
	int64_t n, rank;
	while (mlv_next_number(&list, &n)) {
		struct mlv_str members = mlv_evidence_str(e, e->groups.data[w.group].members_text);
		rank = n;
		for (int64_t k = 0; members.n && k <= n; k++) {
			if (!mlv_next_number(&members, &rank))
				break;
		}
		w.rank = mlv_rank_row(e, rank);
		if (w.rank != UINT32_MAX && !add(e, &w))
			return false;
	}
	return true;
}

static bool desync_words(struct mlv_evidence *e, struct mlv_raw_word w, const struct mlv_finding *f)
{
	int64_t seq = mlv_attr_int(&e->store, f->attrs, "lag_seq", -1);
	/* "[0] Timeout at collective: ALLREDUCE, #5" is what that rank issued last. */
	w.enqueued = mlv_attr_int(&e->store, f->attrs, "seq", -1);
	if (w.enqueued >= 0 && !add(e, &w))
		return false;
	w.enqueued = w.completed = seq;
	if (!listed(e, w, f, "unjoined_ranks"))
		return false;
	/* What it joined last; it may stand in an earlier one. */
	w.completed = -1;
	if (!listed(e, w, f, "unfinished_ranks"))
		return false;
	w.enqueued = w.completed = 0;
	return listed(e, w, f, "never_joined_ranks");
}

static bool word(struct mlv_evidence *e, size_t i)
{
	const struct mlv_finding f = e->store.findings.data[e->facts.data[i].finding];
	struct mlv_raw_word w = { .enqueued = -1, .started = -1, .completed = -1 };
	mlv_strid name = mlv_attr_text(&e->store, f.attrs, "process_group");
	mlv_strid desc = mlv_attr_text(&e->store, f.attrs, "group_description");
	bool timeout = is(e, &f, "nccl-watchdog-timeout"), desync = is(e, &f, "nccl-desync");
	if (e->facts.data[i].rank < 0 ||
	    !(timeout || desync || is(e, &f, "nccl-watchdog-exception") ||
	      is(e, &f, "nccl-dump-signal")))
		return true;
	w.rank = mlv_rank_row(e, e->facts.data[i].rank);
	if (!name.i)
		group_beside(e, i, &name, &desc);
	if (!find_group(e, name, desc, w.rank, &w.group))
		return false;
	if (desync)
		return desync_words(e, w, &f);
	w.enqueued = mlv_attr_int(&e->store, f.attrs, "last_enqueued", -1);
	w.started = mlv_attr_int(&e->store, f.attrs, "last_started", -1);
	w.completed = mlv_attr_int(&e->store, f.attrs, "last_completed", -1);
	return (!timeout || timeout_word(e, &f, &w)) && add(e, &w);
}

/* Whether the log holds lines of that rank. */
static bool speaks(const struct mlv_evidence *e, mlv_strid file, int64_t rank)
{
	for (size_t i = 0; i < e->raw->speakers.len; i++) {
		const struct mlv_raw_speaker *s = &e->raw->speakers.data[i];
		if (s->file.i == file.i && s->rank == rank)
			return true;
	}
	return false;
}

/*
 * The launcher lists every process of its host that did not end well. A rank
 * whose lines stand in the same log, and that is not in the list, has finished.
 */
static void fates(struct mlv_evidence *e)
{
	mlv_strid table = MLV_STR_NONE;
	for (size_t i = 0; i < e->facts.len; i++) {
		const struct mlv_finding *f = &e->store.findings.data[e->facts.data[i].finding];
		uint32_t row = mlv_rank_row(e, e->facts.data[i].rank);
		if (!is(e, f, "child-failed") || row == UINT32_MAX)
			continue;
		table = e->facts.data[i].file;
		bool term = mlv_attr_int(&e->store, f->attrs, "signal", 0) == 15;
		e->ranks.data[row].fate = term ? MLV_FATE_TERMINATED : MLV_FATE_FAILED;
	}
	for (size_t i = 0; table.i && i < e->ranks.len; i++) {
		struct mlv_job_rank *r = &e->ranks.data[i];
		if (r->fate == MLV_FATE_UNKNOWN && speaks(e, table, r->rank))
			r->fate = MLV_FATE_FINISHED;
	}
}

enum mlv_rc mlv_settle_logs(struct mlv_evidence *e, struct mlv_err *err)
{
	size_t count = e->facts.len;
	for (size_t i = 0; i < count; i++) {
		if (!word(e, i))
			return mlv_err_nomem(err);
	}
	fates(e);
	return MLV_OK;
}
