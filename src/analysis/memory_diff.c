/* SPDX-License-Identifier: MIT */
#include "analysis/memory_diff.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"

/* Keys of what has no stack of its making; stacks have hashes. */
enum { KEY_BEFORE = 2 };

/* ------------------------------------------------------------------ one entry for each stack */

struct gathering {
	struct mlv_memory_diff *d;
	struct mlv_map ids; /* strict key to entry */
};

/* The stack of an orphan is that of its free, and tells nothing of its making. */
static bool is_before(const struct mlv_alloc *a)
{
	return a->origin == MLV_ALLOC_ORPHAN_FREE || a->origin == MLV_ALLOC_COUNTED ||
	       (a->origin == MLV_ALLOC_FINAL_BLOCK && !mlv_stack_has_frame(a->stack));
}

static struct mlv_stack_diff *entry_of(struct gathering *g, unsigned side,
				       const struct mlv_alloc *a)
{
	struct mlv_memory_diff *d = g->d;
	bool before = is_before(a);
	uint64_t key =
		before ? KEY_BEFORE : mlv_stack_key(d->side[side].keys, a->stack, MLV_LEVEL_LINES);
	struct mlv_map_slot *slot = mlv_map_find(&g->ids, key);
	if (!slot) {
		struct mlv_stack_diff fresh = { .key = key, .before = before };
		if (!mlv_vec_push(&d->stacks, fresh) ||
		    !mlv_map_set(&g->ids, key, (uint32_t)d->stacks.len - 1))
			return NULL;
		slot = mlv_map_find(&g->ids, key);
	}
	struct mlv_stack_diff *s = &d->stacks.data[slot->value];
	if (!s->present[side]) {
		s->present[side] = true;
		s->stack[side] = before ? MLV_STACK_NONE : a->stack;
	}
	return s;
}

static void add(struct mlv_amount *to, uint64_t bytes)
{
	to->bytes += bytes;
	to->count++;
}

static bool gather(struct gathering *g, unsigned side)
{
	const struct mlv_history *h = g->d->side[side].history;
	int64_t peak = h->requested.peak_event;
	for (size_t i = 0; i < h->alloc_count; i++) {
		const struct mlv_alloc *a = &h->allocs[i];
		struct mlv_stack_diff *s = entry_of(g, side, a);
		if (!s)
			return false;
		if ((a->born == MLV_NEVER || (int64_t)a->born <= peak) &&
		    (a->died == MLV_NEVER || (int64_t)a->died > peak))
			add(&s->amount[side][MLV_AMOUNT_PEAK], a->bytes);
		if (a->died == MLV_NEVER)
			add(&s->amount[side][MLV_AMOUNT_END], a->bytes);
		if (a->born != MLV_NEVER)
			add(&s->amount[side][MLV_AMOUNT_TRAFFIC], a->bytes);
	}
	return true;
}

/* Those stacks that a verdict found growing have an entry: they allocated. */
static void take_growth(struct gathering *g, unsigned side)
{
	const struct mlv_verdict *v = g->d->side[side].verdict;
	for (size_t i = 0; v && i < v->leaks.len; i++) {
		uint64_t key = mlv_stack_key(g->d->side[side].keys, v->leaks.data[i].stack,
					     MLV_LEVEL_LINES);
		const struct mlv_map_slot *slot = mlv_map_find(&g->ids, key);
		if (slot)
			g->d->stacks.data[slot->value].growth[side] +=
				v->leaks.data[i].bytes_per_step;
	}
}

static unsigned wrappers_of(const struct mlv_memory_diff *d, const struct mlv_stack_diff *s,
			    unsigned side)
{
	return s->present[side] && !s->before
		       ? mlv_stack_wrappers(d->side[side].keys, s->stack[side])
		       : 0;
}

static void count_wrappers(struct mlv_memory_diff *d)
{
	for (size_t i = 0; i < d->stacks.len; i++) {
		const struct mlv_stack_diff *s = &d->stacks.data[i];
		for (unsigned side = 0; side < 2; side++) {
			unsigned bits = wrappers_of(d, s, side);
			for (unsigned w = 0; w < MLV_WRAPPERS; w++) {
				if (!(bits >> w & 1))
					continue;
				d->wrappers[side][w].stacks++;
				d->wrappers[side][w].allocations +=
					s->amount[side][MLV_AMOUNT_TRAFFIC].count;
			}
		}
	}
}

/* ------------------------------------------------------------------ more lenient matches */

static bool is_single(const struct mlv_stack_diff *s)
{
	return !s->before && s->present[0] != s->present[1];
}

static uint64_t key_on(const struct mlv_memory_diff *d, const struct mlv_stack_diff *s,
		       enum mlv_stack_level level)
{
	unsigned side = s->present[1];
	return mlv_stack_key(d->side[side].keys, s->stack[side], level);
}

static void merge(struct mlv_memory_diff *d, struct mlv_stack_diff *to,
		  const struct mlv_stack_diff *from)
{
	unsigned side = from->present[1];
	to->wrappers[side] |= wrappers_of(d, from, side);
	to->growth[side] += from->growth[side];
	to->key = from->key < to->key ? from->key : to->key;
	for (unsigned k = 0; k < MLV_AMOUNTS; k++) {
		to->amount[side][k].bytes += from->amount[side][k].bytes;
		to->amount[side][k].count += from->amount[side][k].count;
	}
	if (!to->present[side]) {
		to->present[side] = true;
		to->stack[side] = from->stack[side];
	}
}

/* A stack that has no partner yet. */
struct candidate {
	uint64_t key;
	uint32_t entry;
	unsigned side;
	const struct mlv_memory_diff *d;
	bool bare;
};

typedef MLV_VEC(struct candidate) candidates;

static bool find_candidates(const struct mlv_memory_diff *d, enum mlv_stack_level level,
			    candidates *list)
{
	for (size_t i = 0; i < d->stacks.len; i++) {
		const struct mlv_stack_diff *s = &d->stacks.data[i];
		if (!is_single(s))
			continue;
		struct candidate c = { key_on(d, s, level), (uint32_t)i, s->present[1], d,
				       mlv_level_is_bare(level) };
		if (!mlv_vec_push(list, c))
			return false;
	}
	return true;
}

/* By key; then those of A; then by lines, and what has the same lines by the whole stack. */
static int by_lines(const void *pa, const void *pb)
{
	const struct candidate *a = pa, *b = pb;
	if (a->key != b->key)
		return a->key < b->key ? -1 : 1;
	if (a->side != b->side)
		return a->side < b->side ? -1 : 1;
	const struct mlv_stack_diff *x = &a->d->stacks.data[a->entry];
	const struct mlv_stack_diff *y = &b->d->stacks.data[b->entry];
	const struct mlv_stack_keys *keys = a->d->side[a->side].keys;
	int c = mlv_stack_lines_cmp(keys, x->stack[a->side], keys, y->stack[a->side], a->bare);
	return c ? c : (x->key > y->key) - (x->key < y->key);
}

/* The candidates [first, middle) are of A and [middle, end) of B: all become one entry of A. */
static void merge_range(struct mlv_memory_diff *d, enum mlv_stack_level level,
			const struct candidate *list, size_t n)
{
	struct mlv_stack_diff *to = &d->stacks.data[list[0].entry];
	to->level = level;
	to->wrappers[list[0].side] = wrappers_of(d, to, list[0].side);
	for (size_t i = 1; i < n; i++) {
		struct mlv_stack_diff *from = &d->stacks.data[list[i].entry];
		merge(d, to, from);
		from->present[0] = from->present[1] = false;
	}
}

/* One key: as many on both sides are matched in their order, else all of them are one. */
static void merge_group(struct mlv_memory_diff *d, enum mlv_stack_level level,
			const struct candidate *list, size_t n)
{
	size_t of_a = 0;
	while (of_a < n && list[of_a].side == 0)
		of_a++;
	if (!of_a || of_a == n)
		return;
	if (of_a * 2 != n) {
		merge_range(d, level, list, n);
		return;
	}
	for (size_t i = 0; i < of_a; i++) {
		struct candidate two[2] = { list[i], list[of_a + i] };
		merge_range(d, level, two, 2);
	}
}

static void drop_merged(struct mlv_memory_diff *d)
{
	size_t kept = 0;
	for (size_t i = 0; i < d->stacks.len; i++) {
		struct mlv_stack_diff s = d->stacks.data[i];
		if (s.present[0] || s.present[1])
			d->stacks.data[kept++] = s;
	}
	d->stacks.len = kept;
}

static bool match(struct mlv_memory_diff *d, enum mlv_stack_level level)
{
	candidates list = { 0 };
	bool ok = find_candidates(d, level, &list);
	if (ok && list.len) {
		qsort(list.data, list.len, sizeof(*list.data), by_lines);
		for (size_t i = 0, end; i < list.len; i = end) {
			for (end = i + 1; end < list.len && list.data[end].key == list.data[i].key;)
				end++;
			merge_group(d, level, list.data + i, end - i);
		}
		drop_merged(d);
	}
	mlv_vec_free(&list);
	return ok;
}

/* What stands on both sides explains nothing. */
static void part_wrappers(struct mlv_memory_diff *d)
{
	for (size_t i = 0; i < d->stacks.len; i++) {
		struct mlv_stack_diff *s = &d->stacks.data[i];
		unsigned both = s->wrappers[0] & s->wrappers[1];
		s->wrappers[0] &= ~both;
		s->wrappers[1] &= ~both;
	}
}

/* ------------------------------------------------------------------ order */

static bool differs(const struct mlv_stack_diff *s)
{
	return memcmp(s->amount[0], s->amount[1], sizeof(s->amount[0])) != 0;
}

static uint64_t size_of(int64_t change)
{
	return change < 0 ? 0 - (uint64_t)change : (uint64_t)change;
}

static int by_change(const void *pa, const void *pb)
{
	const struct mlv_stack_diff *a = pa, *b = pb;
	if (differs(a) != differs(b))
		return differs(a) ? -1 : 1;
	for (unsigned k = 0; k < MLV_AMOUNTS; k++) {
		uint64_t x = size_of(mlv_stack_change(a, k)), y = size_of(mlv_stack_change(b, k));
		if (x != y)
			return x > y ? -1 : 1;
	}
	return (a->key > b->key) - (a->key < b->key);
}

static void sort(struct mlv_memory_diff *d)
{
	if (d->stacks.len)
		qsort(d->stacks.data, d->stacks.len, sizeof(*d->stacks.data), by_change);
	while (d->differing < d->stacks.len && differs(&d->stacks.data[d->differing]))
		d->differing++;
}

const char *mlv_stack_diff_kind(const struct mlv_stack_diff *s, enum mlv_amount_of what)
{
	if (!s->present[0])
		return "new";
	if (!s->present[1])
		return "gone";
	int64_t change = mlv_stack_change(s, what);
	return change > 0 ? "grown" : change < 0 ? "shrunk" : "equal";
}

size_t mlv_memory_diff_growers(const struct mlv_memory_diff *d, const struct mlv_stack_diff **list,
			       size_t most)
{
	size_t n = 0, found = 0;
	for (size_t i = 0; i < d->stacks.len; i++) {
		const struct mlv_stack_diff *s = &d->stacks.data[i];
		double change = fabs(mlv_stack_growth_change(s));
		if (!(change > 0))
			continue;
		found++;
		size_t at = n;
		while (at > 0 && fabs(mlv_stack_growth_change(list[at - 1])) < change)
			at--;
		if (at == most)
			continue;
		n += n < most;
		for (size_t k = n - 1; k > at; k--)
			list[k] = list[k - 1];
		list[at] = s;
	}
	return found;
}

/* ------------------------------------------------------------------ the whole */

enum mlv_rc mlv_memory_diff_init(struct mlv_memory_diff *d, const struct mlv_memory_side *a,
				 const struct mlv_memory_side *b, struct mlv_err *err)
{
	struct gathering g = { .d = d };
	*d = (struct mlv_memory_diff){ .side = { *a, *b } };
	bool ok = gather(&g, 0) && gather(&g, 1);
	for (unsigned side = 0; ok && side < 2; side++)
		take_growth(&g, side);
	mlv_map_fini(&g.ids);
	if (ok)
		count_wrappers(d);
	for (enum mlv_stack_level l = MLV_LEVEL_INNER; ok && l < MLV_LEVELS; l++)
		ok = match(d, l);
	if (ok) {
		part_wrappers(d);
		sort(d);
		ok = mlv_memory_figures(d);
	}
	if (ok)
		return MLV_OK;
	mlv_memory_diff_fini(d);
	return mlv_err_nomem(err);
}

void mlv_memory_diff_fini(struct mlv_memory_diff *d)
{
	mlv_vec_free(&d->figures);
	mlv_vec_free(&d->stacks);
	*d = (struct mlv_memory_diff){ 0 };
}
