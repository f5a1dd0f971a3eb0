/* SPDX-License-Identifier: MIT */
/*
 * Which ranks there are. A rank counts once, though several files may be dumps
 * of it (the pickle and the JSON form of one, an older one): the one that goes
 * furthest is taken, and of equal ones that with stacks.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/hang/gather.h"

static int better_first(const void *pa, const void *pb)
{
	const struct mlv_raw_dump *a = pa, *b = pb;
	if (a->rank != b->rank)
		return a->rank < b->rank ? -1 : 1;
	if (a->last_entry != b->last_entry)
		return a->last_entry > b->last_entry ? -1 : 1;
	if (a->stacks != b->stacks)
		return a->stacks > b->stacks ? -1 : 1;
	if (a->calls != b->calls)
		return a->calls > b->calls ? -1 : 1;
	return (a->first_call > b->first_call) - (a->first_call < b->first_call);
}

static void keep_greater(int64_t *a, int64_t b)
{
	if (b > *a)
		*a = b;
}

/* The other form of the same dump may have been written later, when more had been seen to end. */
static void merge_status(struct mlv_raw *raw, const struct mlv_raw_dump *d,
			 const struct mlv_raw_dump *other)
{
	for (uint32_t i = 0; i < d->groups; i++) {
		struct mlv_raw_group *g = &raw->groups.data[d->first_group + i];
		for (uint32_t k = 0; k < other->groups; k++) {
			const struct mlv_raw_group *o = &raw->groups.data[other->first_group + k];
			if (o->name.i != g->name.i || !o->status)
				continue;
			g->status = true;
			keep_greater(&g->last_enqueued, o->last_enqueued);
			keep_greater(&g->last_started, o->last_started);
			keep_greater(&g->last_completed, o->last_completed);
		}
	}
}

enum { SAME_CALL_NS = 1000000000 };

/*
 * Entries are numbered through the life of a process, and one was created
 * once: two dumps that tell two times of one number are of two processes.
 */
static bool of_two_runs(const struct mlv_evidence *e, const struct mlv_raw_dump *a,
			const struct mlv_raw_dump *b)
{
	int64_t last = a->last_entry < b->last_entry ? a->last_entry : b->last_entry;
	int64_t i = (int64_t)a->calls - 1 - (a->last_entry - last);
	int64_t k = (int64_t)b->calls - 1 - (b->last_entry - last);
	if (last < 0 || i < 0 || k < 0)
		return false;
	int64_t x = e->calls.data[a->first_call + (uint32_t)i].start_ns;
	int64_t y = e->calls.data[b->first_call + (uint32_t)k].start_ns;
	return x != MLV_NO_TIME && y != MLV_NO_TIME &&
	       (x > y ? (uint64_t)x - (uint64_t)y : (uint64_t)y - (uint64_t)x) > SAME_CALL_NS;
}

static void drop(struct mlv_evidence *e, const struct mlv_raw_dump *kept,
		 const struct mlv_raw_dump *d)
{
	for (uint32_t i = 0; i < d->calls; i++)
		e->calls.data[d->first_call + i].lane = UINT32_MAX;
	if (of_two_runs(e, kept, d)) {
		mlv_diag_add(&e->notes, MLV_WARNING, "hang-two-runs", MLV_NO_OFFSET,
			     "%s and %s are dumps of rank %" PRId64 " in two runs: the verdict may "
			     "mix them; give the files of one run",
			     mlv_evidence_str(e, kept->file).p, mlv_evidence_str(e, d->file).p,
			     d->rank);
		e->mixed_runs = true;
		return;
	}
	if (kept->last_entry == d->last_entry)
		merge_status(e->raw, kept, d);
	mlv_diag_add(&e->notes, MLV_NOTE, "hang-two-dumps", MLV_NO_OFFSET,
		     "rank %" PRId64 " has two dumps: %s is used, %s is not", d->rank,
		     mlv_evidence_str(e, kept->file).p, mlv_evidence_str(e, d->file).p);
}

/* Rows of dumps in the order of their ranks, one for each. */
static void choose_dumps(struct mlv_evidence *e)
{
	struct mlv_raw *raw = e->raw;
	size_t kept = 0;
	if (raw->dumps.len)
		qsort(raw->dumps.data, raw->dumps.len, sizeof(*raw->dumps.data), better_first);
	for (size_t i = 0; i < raw->dumps.len; i++) {
		if (kept && raw->dumps.data[kept - 1].rank == raw->dumps.data[i].rank)
			drop(e, &raw->dumps.data[kept - 1], &raw->dumps.data[i]);
		else
			raw->dumps.data[kept++] = raw->dumps.data[i];
	}
	raw->dumps.len = kept;
	e->dumps = kept;
}

typedef MLV_VEC(int64_t) numbers;

static bool add_list(numbers *n, struct mlv_str list)
{
	int64_t rank;
	while (mlv_next_number(&list, &rank)) {
		if (!mlv_vec_push(n, rank))
			return false;
	}
	return true;
}

/* The ranks that a log speaks of without their own lines. */
static bool add_named(numbers *n, const struct mlv_evidence *e, const struct mlv_finding *f)
{
	mlv_strid lagging = mlv_attr_text(&e->store, f->attrs, "lagging_ranks");
	mlv_strid never = mlv_attr_text(&e->store, f->attrs, "never_joined_ranks");
	int64_t mine = mlv_attr_int(&e->store, f->attrs, "this_rank", -1);
	int64_t other = mlv_attr_int(&e->store, f->attrs, "other_rank", -1);
	return add_list(n, mlv_evidence_str(e, lagging)) &&
	       add_list(n, mlv_evidence_str(e, never)) && (mine < 0 || mlv_vec_push(n, mine)) &&
	       (other < 0 || mlv_vec_push(n, other));
}

static bool collect(const struct mlv_evidence *e, numbers *n)
{
	const struct mlv_raw *raw = e->raw;
	bool ok = true;
	mlv_strid last = MLV_STR_NONE;
	for (size_t i = 0; ok && i < raw->dumps.len; i++) {
		const struct mlv_raw_dump *d = &raw->dumps.data[i];
		ok = mlv_vec_push(n, d->rank);
		for (uint32_t k = 0; ok && k < d->groups; k++) {
			mlv_strid members = raw->groups.data[d->first_group + k].members;
			/* Ranks of one group name the same list, one after the other. */
			if (members.i != last.i)
				ok = add_list(n, mlv_evidence_str(e, members));
			last = members;
		}
	}
	for (size_t i = 0; ok && i < e->facts.len; i++) {
		if (e->facts.data[i].rank >= 0)
			ok = mlv_vec_push(n, e->facts.data[i].rank);
		ok = ok && add_named(n, e, &e->store.findings.data[e->facts.data[i].finding]);
	}
	for (size_t i = 0; ok && i < raw->speakers.len; i++)
		ok = mlv_vec_push(n, raw->speakers.data[i].rank);
	for (size_t i = 0; ok && i < e->kernels.len; i++) {
		if (e->kernels.data[i].rank >= 0 &&
		    (!i || e->kernels.data[i].rank != e->kernels.data[i - 1].rank))
			ok = mlv_vec_push(n, e->kernels.data[i].rank);
	}
	return ok;
}

static int ascending(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
	return (x > y) - (x < y);
}

static void fill(struct mlv_evidence *e, const struct mlv_raw_dump *d)
{
	struct mlv_job_rank *r = &e->ranks.data[mlv_rank_row(e, d->rank)];
	r->dump = true;
	r->file = d->file;
	r->version = d->version;
	r->first_call = d->first_call;
	r->calls = d->calls;
	r->entries = d->calls;
	r->whole = d->whole;
	r->last_ns = d->last_ns;
}

enum mlv_rc mlv_settle_ranks(struct mlv_evidence *e, struct mlv_err *err)
{
	numbers n = { 0 };
	choose_dumps(e);
	bool ok = collect(e, &n);
	if (ok && n.len)
		qsort(n.data, n.len, sizeof(*n.data), ascending);
	for (size_t i = 0; ok && i < n.len; i++) {
		struct mlv_job_rank r = { .rank = n.data[i], .last_ns = MLV_NO_TIME };
		if (!i || n.data[i] != n.data[i - 1])
			ok = mlv_vec_push(&e->ranks, r);
	}
	for (size_t i = 0; ok && i < e->raw->dumps.len; i++)
		fill(e, &e->raw->dumps.data[i]);
	mlv_vec_free(&n);
	return ok ? MLV_OK : mlv_err_nomem(err);
}
