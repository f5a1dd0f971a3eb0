/* SPDX-License-Identifier: MIT */
/* The entries of one flight-recorder dump as calls, and its groups. */
#include <stdlib.h>
#include <string.h>

#include "analysis/hang/gather.h"

/* The attributes that are wanted of an entry. */
#define KEYS(X)                                                                                    \
	X(RECORD_ID, "record_id")                                                                  \
	X(COLLECTIVE_SEQ_ID, "collective_seq_id")                                                  \
	X(P2P_SEQ_ID, "p2p_seq_id")                                                                \
	X(OP_ID, "op_id")                                                                          \
	X(IS_P2P, "is_p2p")                                                                        \
	X(TIMEOUT_MS, "timeout_ms")                                                                \
	X(DURATION_MS, "duration_ms")                                                              \
	X(INPUT_SIZES, "input_sizes")                                                              \
	X(OUTPUT_SIZES, "output_sizes")                                                            \
	X(INPUT_DTYPES, "input_dtypes")                                                            \
	X(OUTPUT_DTYPES, "output_dtypes")                                                          \
	X(PROCESS_GROUP, "process_group")                                                          \
	X(GROUP_DESCRIPTION, "group_description")

enum key {
	K_OTHER,
#define X(id, text) K_##id,
	KEYS(X)
#undef X
		K_COUNT,
};

/* Which key each string of the run is; a run has few, and many attributes. */
struct keys {
	uint8_t *of; /* 0: not asked yet, else key + 1 */
	const struct mlv_run *run;
};

static enum key key_of(struct keys *k, mlv_strid id)
{
	static const struct mlv_str names[] = {
#define X(id, text) MLV_STR_INIT(text),
		KEYS(X)
#undef X
	};
	if (k->of[id.i])
		return (enum key)(k->of[id.i] - 1);
	unsigned key = K_OTHER;
	for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (mlv_str_eq(names[i], mlv_run_str(k->run, id)))
			key = i + 1;
	}
	k->of[id.i] = (uint8_t)(key + 1);
	return (enum key)key;
}

static void attrs_of(struct keys *k, const struct mlv_span *s,
		     const struct mlv_attr *found[K_COUNT])
{
	memset(found, 0, K_COUNT * sizeof(*found));
	for (uint32_t i = 0; i < s->attrs.count; i++) {
		const struct mlv_attr *a = &k->run->attrs.data[s->attrs.first + i];
		found[key_of(k, a->key)] = a;
	}
}

static int64_t number(const struct mlv_attr *a, int64_t otherwise)
{
	return a && !a->is_text ? a->number : otherwise;
}

static mlv_strid text(struct mlv_copy *c, const struct mlv_attr *a)
{
	return a && a->is_text ? mlv_copy_str(c, a->text) : MLV_STR_NONE;
}

/* Milliseconds as the entry prints them. */
static int64_t duration(const struct mlv_run *run, const struct mlv_attr *a)
{
	if (!a || !a->is_text)
		return -1;
	double ms = strtod(mlv_run_str(run, a->text).p, NULL);
	return ms >= 0 && ms < 1e12 ? (int64_t)(ms * 1e6 + 0.5) : -1;
}

/* "send 0->3", "recv 3<-0": the peer is the second number. */
static void point_to_point(struct mlv_str name, struct mlv_call *call)
{
	int64_t me, peer;
	struct mlv_str s = name;
	call->peer = -1;
	if (mlv_str_has_prefix(name, MLV_STR("send")))
		call->kind = MLV_CALL_SEND;
	else if (mlv_str_has_prefix(name, MLV_STR("recv")))
		call->kind = MLV_CALL_RECV;
	else
		return;
	if (mlv_next_number(&s, &me) && mlv_next_number(&s, &peer) && peer <= INT32_MAX)
		call->peer = (int32_t)peer;
}

static enum mlv_call_kind kind_of(const struct mlv_run *run, const struct mlv_span *s)
{
	return mlv_str_eq(mlv_run_str(run, s->category), MLV_STR("coalesced"))
		       ? MLV_CALL_COALESCED
		       : MLV_CALL_COLLECTIVE;
}

/* The row of the dump's group of that name, which it adds if only the entries name it. */
static uint32_t group_of(struct mlv_copy *c, struct mlv_map *rows, mlv_strid name, mlv_strid desc)
{
	struct mlv_map_slot *slot = mlv_map_find(rows, name.i);
	struct mlv_raw_group g = { .name = name,
				   .description = desc,
				   .last_enqueued = -1,
				   .last_started = -1,
				   .last_completed = -1 };
	uint32_t row = (uint32_t)c->e->raw->groups.len;
	if (slot)
		return slot->value;
	if (!mlv_vec_push(&c->e->raw->groups, g) || !mlv_map_set(rows, name.i, row))
		c->failed = true;
	return row;
}

static void read_groups(struct mlv_copy *c, struct mlv_map *rows)
{
	for (size_t i = 0; i < c->run->groups.len && !c->failed; i++) {
		const struct mlv_group *g = &c->run->groups.data[i];
		uint32_t row = group_of(c, rows, mlv_copy_str(c, g->name),
					mlv_copy_str(c, g->description));
		if (c->failed)
			return;
		struct mlv_raw_group *raw = &c->e->raw->groups.data[row];
		raw->members = mlv_copy_str(c, g->members);
		raw->status = g->has_status;
		raw->last_enqueued = g->last_enqueued;
		raw->last_started = g->last_started;
		raw->last_completed = g->last_completed;
	}
}

static void latest(int64_t *last, int64_t t)
{
	if (t != MLV_NO_TIME && t > *last)
		*last = t;
}

static void read_call(struct mlv_copy *c, struct keys *k, struct mlv_map *rows,
		      const struct mlv_span *s, struct mlv_raw_dump *d)
{
	const struct mlv_attr *a[K_COUNT];
	struct mlv_str status = mlv_run_str(c->run, s->status);
	attrs_of(k, s, a);
	struct mlv_call call = {
		.seq = number(a[K_COLLECTIVE_SEQ_ID], -1),
		.p2p_seq = number(a[K_P2P_SEQ_ID], -1),
		.op_id = number(a[K_OP_ID], -1),
		.start_ns = s->start_ns,
		.end_ns = s->end_ns,
		.duration_ns = duration(c->run, a[K_DURATION_MS]),
		.timeout_ms = number(a[K_TIMEOUT_MS], 0),
		.name = mlv_copy_str(c, s->name),
		.in_sizes = text(c, a[K_INPUT_SIZES]),
		.out_sizes = text(c, a[K_OUTPUT_SIZES]),
		.in_dtypes = text(c, a[K_INPUT_DTYPES]),
		.out_dtypes = text(c, a[K_OUTPUT_DTYPES]),
		.stack = mlv_copy_stack(c, s->stack),
		.peer = -1,
		.kind = (uint8_t)kind_of(c->run, s),
		.done = mlv_str_eq(status, MLV_STR("completed")),
		.started = mlv_str_eq(status, MLV_STR("started")),
		.sized = a[K_INPUT_SIZES] || a[K_OUTPUT_SIZES],
	};
	if (call.kind == MLV_CALL_COLLECTIVE)
		point_to_point(mlv_run_str(c->run, s->name), &call);
	call.lane = group_of(c, rows, text(c, a[K_PROCESS_GROUP]), text(c, a[K_GROUP_DESCRIPTION]));
	int64_t record = number(a[K_RECORD_ID], -1);
	if (!d->calls)
		d->whole = record == 0;
	if (record > d->last_entry)
		d->last_entry = record;
	d->stacks += mlv_stack_has_frame(call.stack);
	d->calls++;
	latest(&d->last_ns, call.start_ns);
	latest(&d->last_ns, call.end_ns);
	if (!mlv_vec_push(&c->e->calls, call))
		c->failed = true;
}

/* Calls and groups of no rank would stand among those of others: nothing of it is taken. */
static void leave_out(struct mlv_evidence *e, const struct mlv_run *run)
{
	e->nameless++;
	mlv_diag_add(&e->notes, MLV_WARNING, "hang-no-rank", MLV_NO_OFFSET,
		     "%s: a flight-recorder dump does not say of which rank it is, and its "
		     "name does not either: it is left out (give it a name that ends in "
		     "the rank, or --rank)",
		     run->file);
}

enum mlv_rc mlv_gather_dump(struct mlv_copy *c, struct mlv_err *err)
{
	const struct mlv_run *run = c->run;
	struct mlv_evidence *e = c->e;
	if (run->recorder != MLV_RECORDER_COLLECTIVES)
		return MLV_OK;
	if (run->rank < 0) {
		leave_out(e, run);
		return MLV_OK;
	}
	struct mlv_map rows = { 0 };
	struct keys k = { calloc(run->strings.strings.len + 1, 1), run };
	struct mlv_raw_dump d = { .rank = run->rank,
				  .file = mlv_copy_text(c, run->file),
				  .first_group = (uint32_t)e->raw->groups.len,
				  .first_call = (uint32_t)e->calls.len,
				  .last_entry = -1,
				  .last_ns = MLV_NO_TIME };
	const struct mlv_property *p = mlv_run_property(run, "flight-recorder", "version");
	if (p && p->kind == MLV_PROP_TEXT)
		d.version = mlv_copy_str(c, p->text);
	if (!k.of || e->calls.len + run->spans.len >= UINT32_MAX)
		c->failed = true;
	if (!c->failed)
		read_groups(c, &rows);
	for (size_t i = 0; i < run->spans.len && !c->failed; i++)
		read_call(c, &k, &rows, &run->spans.data[i], &d);
	d.groups = (uint32_t)e->raw->groups.len - d.first_group;
	free(k.of);
	mlv_map_fini(&rows);
	if (!c->failed && !mlv_vec_push(&e->raw->dumps, d))
		c->failed = true;
	return c->failed ? mlv_err_nomem(err) : MLV_OK;
}
