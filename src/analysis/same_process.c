/* SPDX-License-Identifier: MIT */
#include "analysis/same_process.h"

#include <stdlib.h>

#include "base/map.h"

enum { KEY_BEFORE = 2 };

struct matching {
	struct mlv_process_diff *p;
	const struct mlv_memory_side *side; /* of A and B */
	struct mlv_map at;     /* address to allocation of A that is alive at its end */
	struct mlv_map stacks; /* key to entry */
	bool *found;           /* of A's: alive in B, too */
};

const char *mlv_fate_name(enum mlv_fate f)
{
	static const char *const names[MLV_FATES] = { "still", "new", "gone" };
	return names[f];
}

/* What only the recorder's counter knows has no address. */
static bool is_alive(const struct mlv_alloc *a)
{
	return a->died == MLV_NEVER && a->origin != MLV_ALLOC_COUNTED;
}

static bool note_alive(struct matching *m)
{
	const struct mlv_history *h = m->side[0].history;
	bool ok = true;
	for (size_t i = 0; ok && i < h->alloc_count; i++) {
		if (is_alive(&h->allocs[i]))
			ok = mlv_map_set(&m->at, h->allocs[i].addr, (uint32_t)i);
	}
	return ok;
}

static int64_t born_at(const struct mlv_history *h, const struct mlv_alloc *a)
{
	return a->born == MLV_NEVER ? MLV_NO_TIME : h->events[a->born].time_ns;
}

/* Whether an allocation of A and one of B at the same address are one. */
static bool is_same(const struct matching *m, const struct mlv_alloc *a, const struct mlv_alloc *b)
{
	const struct mlv_history *x = m->side[0].history, *y = m->side[1].history;
	int64_t s = born_at(x, a), t = born_at(y, b);
	if (a->bytes != b->bytes)
		return false;
	if (s != MLV_NO_TIME && t != MLV_NO_TIME)
		return s == t;
	/* B saw it made, and A had not when it ended. */
	if (t != MLV_NO_TIME && x->count && x->events[x->count - 1].time_ns != MLV_NO_TIME &&
	    t > x->events[x->count - 1].time_ns)
		return false;
	if (!mlv_stack_has_frame(a->stack) || !mlv_stack_has_frame(b->stack))
		return true;
	return mlv_stack_key(m->side[0].keys, a->stack, MLV_LEVEL_LINES) ==
	       mlv_stack_key(m->side[1].keys, b->stack, MLV_LEVEL_LINES);
}

static bool count(struct matching *m, unsigned side, const struct mlv_alloc *a, enum mlv_fate fate)
{
	struct mlv_process_diff *p = m->p;
	bool before = a->born == MLV_NEVER && !mlv_stack_has_frame(a->stack);
	uint64_t key =
		before ? KEY_BEFORE : mlv_stack_key(m->side[side].keys, a->stack, MLV_LEVEL_LINES);
	struct mlv_map_slot *slot = mlv_map_find(&m->stacks, key);
	if (!slot) {
		struct mlv_fate_stack fresh = {
			.key = key, .stack = a->stack, .side = side, .before = before
		};
		if (!mlv_vec_push(&p->stacks, fresh) ||
		    !mlv_map_set(&m->stacks, key, (uint32_t)p->stacks.len - 1))
			return false;
		slot = mlv_map_find(&m->stacks, key);
	}
	struct mlv_amount *to[2] = { &p->stacks.data[slot->value].amount[fate], &p->total[fate] };
	for (unsigned i = 0; i < 2; i++) {
		to[i]->bytes += a->bytes;
		to[i]->count++;
	}
	return true;
}

static bool match_alive(struct matching *m)
{
	const struct mlv_history *x = m->side[0].history, *y = m->side[1].history;
	bool ok = true;
	for (size_t i = 0; ok && i < y->alloc_count; i++) {
		const struct mlv_alloc *b = &y->allocs[i];
		if (!is_alive(b))
			continue;
		const struct mlv_map_slot *slot = mlv_map_find(&m->at, b->addr);
		bool same =
			slot && !m->found[slot->value] && is_same(m, &x->allocs[slot->value], b);
		if (same)
			m->found[slot->value] = true;
		m->p->reused += slot && !same;
		ok = count(m, 1, b, same ? MLV_FATE_STILL : MLV_FATE_NEW);
	}
	for (size_t i = 0; ok && i < x->alloc_count; i++) {
		if (is_alive(&x->allocs[i]) && !m->found[i])
			ok = count(m, 0, &x->allocs[i], MLV_FATE_GONE);
	}
	return ok;
}

static bool count_segments(struct matching *m)
{
	const struct mlv_history *x = m->side[0].history, *y = m->side[1].history;
	struct mlv_map at = { 0 };
	bool ok = true;
	for (size_t i = 0; ok && i < y->device->segments; i++)
		ok = mlv_map_set(&at, y->run->segments.data[y->device->first_segment + i].addr, 1);
	for (size_t i = 0; ok && i < x->device->segments; i++) {
		uint64_t addr = x->run->segments.data[x->device->first_segment + i].addr;
		m->p->shared_segments += mlv_map_find(&at, addr) != NULL;
	}
	mlv_map_fini(&at);
	return ok;
}

static int by_change(const void *pa, const void *pb)
{
	const struct mlv_fate_stack *a = pa, *b = pb;
	uint64_t x = a->amount[MLV_FATE_NEW].bytes + a->amount[MLV_FATE_GONE].bytes;
	uint64_t y = b->amount[MLV_FATE_NEW].bytes + b->amount[MLV_FATE_GONE].bytes;
	if (x != y)
		return x > y ? -1 : 1;
	return (a->key > b->key) - (a->key < b->key);
}

enum mlv_rc mlv_process_diff_init(struct mlv_process_diff *p, const struct mlv_memory_diff *d,
				  struct mlv_err *err)
{
	struct matching m = { .p = p, .side = d->side };
	*p = (struct mlv_process_diff){ .reused = 0 };
	m.found = mlv_zeroed(d->side[0].history->alloc_count + 1, sizeof(*m.found));
	bool ok = m.found && note_alive(&m) && match_alive(&m) && count_segments(&m);
	if (ok && p->stacks.len)
		qsort(p->stacks.data, p->stacks.len, sizeof(*p->stacks.data), by_change);
	mlv_map_fini(&m.at);
	mlv_map_fini(&m.stacks);
	free(m.found);
	if (ok)
		return MLV_OK;
	mlv_process_diff_fini(p);
	return mlv_err_nomem(err);
}

void mlv_process_diff_fini(struct mlv_process_diff *p)
{
	mlv_vec_free(&p->stacks);
}
