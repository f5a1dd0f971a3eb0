/* SPDX-License-Identifier: MIT */
/* The life of the evidence, the copies from runs into it, and looking things up in it. */
#include <stdlib.h>
#include <string.h>

#include "analysis/hang/gather.h"

enum mlv_rc mlv_evidence_init(struct mlv_evidence *e, struct mlv_err *err)
{
	memset(e, 0, sizeof(*e));
	if (!mlv_run_init(&e->store, "the evidence"))
		return mlv_err_nomem(err);
	e->raw = calloc(1, sizeof(*e->raw));
	return e->raw ? MLV_OK : mlv_err_nomem(err);
}

static void raw_fini(struct mlv_evidence *e)
{
	if (!e->raw)
		return;
	mlv_vec_free(&e->raw->members);
	mlv_vec_free(&e->raw->words);
	mlv_vec_free(&e->raw->groups);
	mlv_vec_free(&e->raw->dumps);
	mlv_vec_free(&e->raw->speakers);
	free(e->raw);
	e->raw = NULL;
}

void mlv_evidence_fini(struct mlv_evidence *e)
{
	raw_fini(e);
	mlv_run_fini(&e->store);
	mlv_vec_free(&e->ranks);
	mlv_vec_free(&e->groups);
	mlv_vec_free(&e->lanes);
	mlv_vec_free(&e->calls);
	mlv_vec_free(&e->lane_calls);
	mlv_vec_free(&e->slots);
	mlv_vec_free(&e->kernels);
	mlv_vec_free(&e->facts);
	mlv_map_fini(&e->lane_ids);
	mlv_diags_fini(&e->notes);
}

bool mlv_copy_init(struct mlv_copy *c, struct mlv_evidence *e, const struct mlv_run *run)
{
	memset(c, 0, sizeof(*c));
	c->e = e;
	c->run = run;
	c->strings = calloc(run->strings.strings.len + 1, sizeof(*c->strings));
	c->stacks = calloc(run->stacks.nodes.len + 1, sizeof(*c->stacks));
	return c->strings && c->stacks;
}

void mlv_copy_fini(struct mlv_copy *c)
{
	free(c->strings);
	free(c->stacks);
	mlv_vec_free(&c->frames);
}

mlv_strid mlv_copy_str(struct mlv_copy *c, mlv_strid id)
{
	mlv_strid copy = MLV_STR_NONE;
	if (!id.i)
		return copy;
	if (c->strings[id.i])
		return (mlv_strid){ c->strings[id.i] - 1 };
	if (!mlv_run_intern(&c->e->store, mlv_run_str(c->run, id), &copy))
		c->failed = true;
	c->strings[id.i] = copy.i + 1;
	return copy;
}

mlv_strid mlv_copy_text(struct mlv_copy *c, const char *text)
{
	mlv_strid id = MLV_STR_NONE;
	if (!mlv_run_intern(&c->e->store, (struct mlv_str){ text, strlen(text) }, &id))
		c->failed = true;
	return id;
}

mlv_stackid mlv_copy_stack(struct mlv_copy *c, mlv_stackid id)
{
	struct mlv_stacks *store = &c->e->store.stacks;
	if (!mlv_stack_has_frame(id))
		return id;
	if (c->stacks[id.i])
		return (mlv_stackid){ c->stacks[id.i] - 1 };
	c->frames.len = 0;
	for (mlv_stackid s = id; mlv_stack_has_frame(s); s = mlv_stack_caller(&c->run->stacks, s)) {
		struct mlv_frame f = *mlv_stack_frame(&c->run->stacks, s);
		mlv_frameid frame;
		f.function = mlv_copy_str(c, f.function);
		f.file = mlv_copy_str(c, f.file);
		if (!mlv_frame_intern(store, f, &frame) || !mlv_vec_push(&c->frames, frame)) {
			c->failed = true;
			return MLV_STACK_NONE;
		}
	}
	mlv_stackid copy = MLV_STACK_NONE;
	if (!mlv_stack_intern(store, c->frames.data, c->frames.len, &copy))
		c->failed = true;
	c->stacks[id.i] = copy.i + 1;
	return copy;
}

enum mlv_rc mlv_evidence_add(struct mlv_evidence *e, const struct mlv_run *run, struct mlv_err *err)
{
	struct mlv_copy c;
	enum mlv_rc rc = mlv_copy_init(&c, e, run) ? MLV_OK : mlv_err_nomem(err);
	if (!rc)
		rc = mlv_gather_dump(&c, err);
	if (!rc)
		rc = mlv_gather_facts(&c, err);
	if (!rc)
		rc = mlv_gather_kernels(&c, err);
	if (!rc && c.failed)
		rc = mlv_err_nomem(err);
	mlv_copy_fini(&c);
	return rc;
}

enum mlv_rc mlv_evidence_finish(struct mlv_evidence *e, struct mlv_err *err)
{
	enum mlv_rc rc = mlv_settle_ranks(e, err);
	if (!rc)
		rc = mlv_settle_groups(e, err);
	if (!rc)
		rc = mlv_settle_logs(e, err);
	if (!rc)
		rc = mlv_settle_lanes(e, err);
	raw_fini(e);
	return rc;
}

uint32_t mlv_lane_of(const struct mlv_evidence *e, uint32_t group, uint32_t rank)
{
	const struct mlv_map_slot *s = mlv_map_find(&e->lane_ids, (uint64_t)group << 32 | rank);
	return s ? s->value : UINT32_MAX;
}

uint32_t mlv_rank_row(const struct mlv_evidence *e, int64_t rank)
{
	size_t low = 0, high = e->ranks.len;
	while (low < high) {
		size_t mid = low + (high - low) / 2;
		if (e->ranks.data[mid].rank < rank)
			low = mid + 1;
		else
			high = mid;
	}
	return low < e->ranks.len && e->ranks.data[low].rank == rank ? (uint32_t)low : UINT32_MAX;
}

const struct mlv_slot *mlv_slot_of(const struct mlv_evidence *e, const struct mlv_job_lane *lane,
				   int64_t seq)
{
	const struct mlv_slot *slots = e->slots.data + lane->first_slot;
	size_t low = 0, high = lane->slots;
	while (low < high) {
		size_t mid = low + (high - low) / 2;
		if (slots[mid].seq < seq)
			low = mid + 1;
		else
			high = mid;
	}
	return low < lane->slots && slots[low].seq == seq ? &slots[low] : NULL;
}
