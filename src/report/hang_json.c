/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <string.h>

#include "analysis/hang/judge.h"
#include "report/findings.h"
#include "report/hang.h"

static void text_key(struct mlv_json *j, const char *key, struct mlv_str s)
{
	mlv_json_key(j, key);
	if (s.n)
		mlv_json_str(j, s);
	else
		mlv_json_null(j);
}

static void place_keys(struct mlv_hang *h, const struct mlv_call *c, struct mlv_json *j)
{
	const struct mlv_evidence *e = h->evidence;
	uint32_t site;
	struct mlv_str function = { "", 0 }, file = { "", 0 };
	int64_t line = -1;
	if (mlv_stack_has_frame(c->stack) && mlv_site_of(&h->sites, c->stack, &site)) {
		const struct mlv_site *s = &h->sites.list.data[site];
		const struct mlv_frame *f = &e->store.stacks.frames.data[s->user.i];
		function = mlv_evidence_str(e, f->function);
		file = mlv_evidence_str(e, f->file);
		line = f->line;
	}
	text_key(j, "function", function);
	text_key(j, "file", file);
	mlv_json_key(j, "line");
	if (line >= 0)
		mlv_json_int(j, line);
	else
		mlv_json_null(j);
}

/* The key with an object, or null. */
static void call_json(struct mlv_hang *h, const char *key, uint32_t call, struct mlv_json *j)
{
	const struct mlv_evidence *e = h->evidence;
	mlv_json_key(j, key);
	if (call == MLV_NO_CALL) {
		mlv_json_null(j);
		return;
	}
	const struct mlv_call *c = &e->calls.data[call];
	const struct mlv_job_lane *l = &e->lanes.data[c->lane];
	mlv_json_object(j);
	mlv_json_key_int(j, "rank", e->ranks.data[l->rank].rank);
	text_key(j, "name", mlv_evidence_str(e, c->name));
	mlv_json_key(j, "group");
	mlv_json_str(j, mlv_evidence_str(e, e->groups.data[l->group].name));
	mlv_json_key(j, "collective_seq_id");
	if (c->seq >= 0)
		mlv_json_int(j, c->seq);
	else
		mlv_json_null(j);
	text_key(j, "sizes", mlv_evidence_str(e, c->in_sizes));
	text_key(j, "output_sizes", mlv_evidence_str(e, c->out_sizes));
	text_key(j, "dtype", mlv_evidence_str(e, c->in_dtypes));
	mlv_json_key_text(j, "state", c->done ? "completed" : c->started ? "started" : "scheduled");
	place_keys(h, c, j);
	mlv_stack_json(&e->store, c->stack, j);
	mlv_json_object_end(j);
}

static void rank_numbers(const struct mlv_evidence *e, const uint32_t *rows, size_t n,
			 struct mlv_json *j)
{
	for (size_t i = 0; i < n; i++)
		mlv_json_int(j, e->ranks.data[rows[i]].rank);
}

static void group_keys(const struct mlv_evidence *e, uint32_t group, struct mlv_json *j)
{
	const struct mlv_job_group *g = &e->groups.data[group];
	mlv_json_key(j, "name");
	mlv_json_str(j, mlv_evidence_str(e, g->name));
	text_key(j, "description", mlv_evidence_str(e, g->description));
}

static void verdict_json(struct mlv_hang *h, struct mlv_json *j)
{
	const struct mlv_evidence *e = h->evidence;
	const struct mlv_hang_verdict *v = &h->verdict;
	static const char *const stuck[] = { NULL, "host", "device" };
	mlv_json_key_text(j, "verdict", mlv_hang_verdict_name(v->kind));
	mlv_json_key_array(j, "culprit_ranks");
	rank_numbers(e, v->culprits.data, v->culprits.len, j);
	mlv_json_array_end(j);
	mlv_json_key_bool(j, "ambiguous", v->ambiguous);
	mlv_json_key_text(j, "stuck", stuck[v->stuck]);
	mlv_json_key(j, "group");
	if (v->group != UINT32_MAX) {
		mlv_json_object(j);
		group_keys(e, v->group, j);
		mlv_json_object_end(j);
	} else {
		mlv_json_null(j);
	}
	mlv_json_key(j, "collective_seq_id");
	if (v->seq >= 0)
		mlv_json_int(j, v->seq);
	else
		mlv_json_null(j);
	call_json(h, "call", v->call, j);
	call_json(h, "others", v->other, j);
}

static void sentences(const char *key, const char *const *list, size_t n, struct mlv_json *j)
{
	mlv_json_key_array(j, key);
	for (size_t i = 0; i < n; i++)
		mlv_json_text(j, list[i]);
	mlv_json_array_end(j);
}

static void votes_json(const struct mlv_hang *h, struct mlv_json *j)
{
	const struct mlv_hang_verdict *v = &h->verdict;
	mlv_json_key_array(j, "votes");
	for (size_t i = 0; i < v->votes.len; i++) {
		mlv_json_object(j);
		mlv_json_key_int(j, "rank", h->evidence->ranks.data[v->votes.data[i].rank].rank);
		mlv_json_key_uint(j, "half_votes", v->votes.data[i].halves);
		mlv_json_object_end(j);
	}
	mlv_json_array_end(j);
}

static void ranks_json(struct mlv_hang *h, struct mlv_json *j)
{
	const struct mlv_evidence *e = h->evidence;
	static const char *const fates[] = { NULL, "finished", "terminated", "failed" };
	mlv_json_key_array(j, "ranks");
	for (uint32_t i = 0; i < e->ranks.len; i++) {
		const struct mlv_job_rank *r = &e->ranks.data[i];
		const struct mlv_rank_state *s = &h->states[i];
		mlv_json_object(j);
		mlv_json_key_int(j, "rank", r->rank);
		mlv_json_key_bool(j, "dump", r->dump);
		text_key(j, "file", mlv_evidence_str(e, r->file));
		text_key(j, "version", mlv_evidence_str(e, r->version));
		mlv_json_key_uint(j, "entries", r->entries);
		mlv_json_key_text(j, "fate", fates[r->fate]);
		call_json(h, "last_completed", s->ended, j);
		call_json(h, "stands_in", s->stands, j);
		mlv_json_key(j, "waiting_ns");
		if (s->waiting_ns >= 0)
			mlv_json_int(j, s->waiting_ns);
		else
			mlv_json_null(j);
		mlv_json_key_bool(j, "waiting_is_exact", s->exactly);
		mlv_json_object_end(j);
	}
	mlv_json_array_end(j);
}

static void lane_int(struct mlv_json *j, const char *key, int64_t n)
{
	mlv_json_key(j, key);
	if (n >= 0)
		mlv_json_int(j, n);
	else
		mlv_json_null(j);
}

static void groups_json(const struct mlv_hang *h, struct mlv_json *j)
{
	const struct mlv_evidence *e = h->evidence;
	mlv_json_key_array(j, "groups");
	for (uint32_t i = 0; i < e->groups.len; i++) {
		const struct mlv_job_group *g = &e->groups.data[i];
		mlv_json_object(j);
		group_keys(e, i, j);
		mlv_json_key_array(j, "members");
		for (uint32_t k = 0; k < g->lanes; k++) {
			const struct mlv_job_lane *l = &e->lanes.data[g->first_lane + k];
			mlv_json_object(j);
			mlv_json_key_int(j, "rank", e->ranks.data[l->rank].rank);
			lane_int(j, "enqueued", l->enqueued);
			lane_int(j, "completed", l->completed);
			mlv_json_object_end(j);
		}
		mlv_json_array_end(j);
		mlv_json_object_end(j);
	}
	mlv_json_array_end(j);
}

static void chain_json(struct mlv_hang *h, struct mlv_json *j)
{
	const struct mlv_evidence *e = h->evidence;
	mlv_json_key_array(j, "chain");
	for (size_t i = 0; i < h->chain.links.len; i++) {
		const struct mlv_link *l = &h->chain.links.data[i];
		const struct mlv_fact *fact = &e->facts.data[l->fact];
		const struct mlv_finding *f = &e->store.findings.data[fact->finding];
		struct mlv_call where = { .stack = f->stack };
		mlv_json_object(j);
		mlv_json_key_text(j, "role", mlv_link_role_name(l->role));
		lane_int(j, "rank", fact->rank);
		text_key(j, "code", mlv_evidence_str(e, f->code));
		text_key(j, "text", mlv_evidence_str(e, f->text));
		text_key(j, "log", mlv_evidence_str(e, fact->file));
		mlv_json_key_uint(j, "log_line", f->line);
		place_keys(h, &where, j);
		mlv_json_object_end(j);
	}
	mlv_json_array_end(j);
}

static void stacks_json(struct mlv_hang *h, struct mlv_json *j)
{
	mlv_json_key_array(j, "main_threads");
	for (size_t i = 0; i < h->stacks.list.len; i++) {
		const struct mlv_stack_class *c = &h->stacks.list.data[i];
		mlv_json_object(j);
		mlv_json_key_array(j, "ranks");
		rank_numbers(h->evidence, c->ranks.data, c->ranks.len, j);
		mlv_json_array_end(j);
		mlv_stack_json(&h->evidence->store, c->stack, j);
		mlv_json_object_end(j);
	}
	mlv_json_array_end(j);
}

static void stragglers_json(const struct mlv_hang *h, struct mlv_json *j)
{
	const struct mlv_stragglers *s = &h->stragglers;
	mlv_json_key_object(j, "stragglers");
	mlv_json_key_text(j, "undetermined", s->why_not);
	mlv_json_key(j, "straggler");
	if (mlv_stragglers_clear(s))
		mlv_json_int(j, h->evidence->ranks.data[s->list.data[0].rank].rank);
	else
		mlv_json_null(j);
	mlv_json_key_text(j, "source", s->why_not ? NULL : s->from_traces ? "traces" : "dumps");
	mlv_json_key_uint(j, "collectives", s->collectives);
	mlv_json_key_uint(j, "left_out", s->left_out);
	mlv_json_key_array(j, "ranks");
	for (size_t i = 0; i < s->list.len; i++) {
		const struct mlv_straggler *t = &s->list.data[i];
		mlv_json_object(j);
		mlv_json_key_int(j, "rank", h->evidence->ranks.data[t->rank].rank);
		mlv_json_key_uint(j, "last", t->last);
		mlv_json_key_int(j, "caused_ns", t->caused_ns);
		mlv_json_key_int(j, "longest_ns", t->longest_ns);
		mlv_json_key_int(j, "waited_ns", t->waited_ns);
		mlv_json_object_end(j);
	}
	mlv_json_array_end(j);
	mlv_json_object_end(j);
}

void mlv_hang_json(struct mlv_hang *h, struct mlv_json *j)
{
	const struct mlv_evidence *e = h->evidence;
	verdict_json(h, j);
	sentences("reasons", h->verdict.reasons.data, h->verdict.reasons.len, j);
	sentences("advice", h->verdict.advice.data, h->verdict.advice.len, j);
	votes_json(h, j);
	ranks_json(h, j);
	groups_json(h, j);
	mlv_json_key_array(j, "missing_dumps");
	for (uint32_t i = 0; i < e->ranks.len; i++) {
		if (!e->ranks.data[i].dump)
			mlv_json_int(j, e->ranks.data[i].rank);
	}
	mlv_json_array_end(j);
	chain_json(h, j);
	stacks_json(h, j);
	stragglers_json(h, j);
}
