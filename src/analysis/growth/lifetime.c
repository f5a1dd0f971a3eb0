/* SPDX-License-Identifier: MIT */
#include "analysis/growth/lifetime.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/growth/growers.h"
#include "base/map.h"

/* Where the backward pass and the optimizer of each step begin. */
struct parts {
	uint32_t forward;               /* the first pass of all: what comes before sets up */
	uint32_t *backward, *optimizer; /* of each step, and of what follows the last */
};

static enum mlv_part frames_part(const struct mlv_lifetimes *l, mlv_stackid stack, bool has_python)
{
	uint8_t marks = l->marks.of[stack.i];
	if (marks & MLV_MARK_OPTIMIZER)
		return MLV_PART_OPTIMIZER;
	/* Autograd's own threads have no Python frame on their stacks. */
	if ((marks & MLV_MARK_BACKWARD) || (has_python && !(marks & MLV_MARK_PYTHON)))
		return MLV_PART_BACKWARD;
	return marks & MLV_MARK_MODULE_CALL ? MLV_PART_FORWARD : MLV_PART_SETUP;
}

static bool any_python(const struct mlv_lifetimes *l)
{
	for (size_t i = 0; i < l->h->run->stacks.nodes.len; i++) {
		if (l->marks.of[i] & MLV_MARK_PYTHON)
			return true;
	}
	return false;
}

static void find_parts(const struct mlv_lifetimes *l, struct parts *p, bool python)
{
	const struct mlv_history *h = l->h;
	p->forward = MLV_NEVER;
	for (size_t i = 0; i <= l->steps.count; i++)
		p->backward[i] = p->optimizer[i] = MLV_NEVER;
	for (size_t i = h->initial; i < h->alloc_count; i++) {
		const struct mlv_alloc *a = &h->allocs[i];
		enum mlv_part part = frames_part(l, a->stack, python);
		size_t step = mlv_step_of(&l->steps, a->born);
		if (part != MLV_PART_SETUP && a->born < p->forward)
			p->forward = a->born;
		if (part == MLV_PART_BACKWARD && a->born < p->backward[step])
			p->backward[step] = a->born;
		if (part == MLV_PART_OPTIMIZER && a->born < p->optimizer[step])
			p->optimizer[step] = a->born;
	}
}

/* The part of a step that is under way at an event. */
static enum mlv_part part_at(const struct mlv_lifetimes *l, const struct parts *p, uint32_t event)
{
	size_t step = mlv_step_of(&l->steps, event);
	if (event < p->forward)
		return MLV_PART_SETUP;
	if (event >= p->optimizer[step])
		return MLV_PART_OPTIMIZER;
	return event >= p->backward[step] ? MLV_PART_BACKWARD : MLV_PART_FORWARD;
}

/* What was given back: within a phase, within a step (or the next one), or later. */
static enum mlv_life ended(const struct mlv_lifetimes *l, const struct parts *p,
			   const struct mlv_alloc *a, uint32_t released)
{
	size_t from = mlv_step_of(&l->steps, a->born), to = mlv_step_of(&l->steps, released);
	if (to > from + 1)
		return MLV_LIFE_PERSISTENT;
	if (to == from && part_at(l, p, a->born) == part_at(l, p, released))
		return MLV_LIFE_PHASE;
	return MLV_LIFE_STEP;
}

enum { RETURNED = 1, KEPT = 2 };

/* Allocations of one stack and size are alike. */
static uint64_t kind_of(const struct mlv_alloc *a)
{
	return a->bytes * UINT64_C(0x9e3779b97f4a7c15) ^ a->stack.i;
}

/* What has become of those of each kind that came before the last step. */
static bool mark_returning(const struct mlv_lifetimes *l, struct mlv_map *kinds)
{
	const struct mlv_history *h = l->h;
	bool ok = true;
	for (size_t i = h->initial; ok && i < h->alloc_count; i++) {
		const struct mlv_alloc *a = &h->allocs[i];
		struct mlv_map_slot *slot = mlv_map_find(kinds, kind_of(a));
		uint32_t fate = slot ? slot->value : 0, before = fate;
		if (l->life[i] == MLV_LIFE_PHASE || l->life[i] == MLV_LIFE_STEP)
			fate |= RETURNED;
		else if (mlv_step_of(&l->steps, a->born) + 1 < l->steps.count)
			fate |= KEPT;
		ok = fate == before || mlv_map_set(kinds, kind_of(a), fate);
	}
	return ok;
}

/* What is still there at the end, and came with the last step or behind it, may go yet. */
static bool settle_last(struct mlv_lifetimes *l)
{
	const struct mlv_history *h = l->h;
	struct mlv_map kinds = { 0 };
	if (!l->steps.count)
		return true;
	bool ok = mark_returning(l, &kinds);
	for (size_t i = h->initial; ok && i < h->alloc_count; i++) {
		const struct mlv_alloc *a = &h->allocs[i];
		if (l->life[i] != MLV_LIFE_PERSISTENT || mlv_alloc_released(a) != MLV_NEVER ||
		    mlv_step_of(&l->steps, a->born) + 1 < l->steps.count)
			continue;
		struct mlv_map_slot *slot = mlv_map_find(&kinds, kind_of(a));
		if (slot && slot->value == RETURNED)
			l->life[i] = MLV_LIFE_STEP;
	}
	mlv_map_fini(&kinds);
	return ok;
}

static void mark_growing(struct mlv_lifetimes *l, uint8_t *growing)
{
	for (size_t i = 0; i < l->growers.len; i++)
		growing[l->growers.data[i].stack.i] = 4;
	for (size_t i = l->h->initial; i < l->h->alloc_count; i++) {
		if (l->life[i] == MLV_LIFE_PERSISTENT && growing[l->h->allocs[i].stack.i] & 4 &&
		    mlv_alloc_released(&l->h->allocs[i]) == MLV_NEVER)
			l->life[i] = MLV_LIFE_CUMULATIVE;
	}
}

static bool classify(struct mlv_lifetimes *l)
{
	const struct mlv_history *h = l->h;
	bool python = any_python(l);
	struct parts p = { .backward = calloc(2 * (l->steps.count + 1), sizeof(uint32_t)) };
	uint8_t *stacks = calloc(h->run->stacks.nodes.len + 2, 1);
	bool ok = p.backward && stacks;
	if (ok) {
		p.optimizer = p.backward + l->steps.count + 1;
		find_parts(l, &p, python);
		for (size_t i = h->initial; i < h->alloc_count; i++) {
			const struct mlv_alloc *a = &h->allocs[i];
			uint32_t released = mlv_alloc_released(a);
			l->part[i] = (uint8_t)part_at(l, &p, a->born);
			l->life[i] = (uint8_t)(released == MLV_NEVER ? MLV_LIFE_PERSISTENT
								     : ended(l, &p, a, released));
		}
		ok = settle_last(l);
		mark_growing(l, stacks);
	}
	free(p.backward);
	free(stacks);
	return ok;
}

enum mlv_rc mlv_lifetimes_init(struct mlv_lifetimes *l, const struct mlv_history *h,
			       struct mlv_err *err)
{
	memset(l, 0, sizeof(*l));
	l->h = h;
	l->life = mlv_zeroed(h->alloc_count + 1, 1);
	l->part = mlv_zeroed(h->alloc_count + 1, 1);
	if (l->life && l->part && !mlv_stack_marks_init(&l->marks, h->run, err) &&
	    !mlv_steps_init(&l->steps, h, &l->marks, err) && mlv_growers_find(l) && classify(l))
		return MLV_OK;
	mlv_lifetimes_fini(l);
	return mlv_err_nomem(err);
}

void mlv_lifetimes_fini(struct mlv_lifetimes *l)
{
	free(l->life);
	free(l->part);
	free(l->at);
	free(l->total);
	mlv_vec_free(&l->growers);
	mlv_steps_fini(&l->steps);
	mlv_stack_marks_fini(&l->marks);
	l->life = l->part = NULL;
	l->at = NULL;
	l->total = NULL;
}

const char *mlv_life_name(enum mlv_life life)
{
	static const char *const names[MLV_LIVES] = { "alive before recording", "within a phase",
						      "within a step", "persistent", "cumulative" };
	return names[life];
}

const char *mlv_part_name_of(enum mlv_part part)
{
	static const char *const names[MLV_PARTS] = { "setup", "forward", "backward", "optimizer" };
	return names[part];
}
