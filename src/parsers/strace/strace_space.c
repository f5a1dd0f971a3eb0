/* SPDX-License-Identifier: MIT */
/*
 * Mappings are kept in a treap by address: a search tree whose shape is
 * decided by random numbers, so that neither a program nor a file can make it
 * deep. Row 0 of the table stands for "none".
 */
#include "parsers/strace/strace_space.h"

struct mlv_strace_mapping {
	uint64_t addr, end; /* pages */
	uint64_t bytes;     /* asked for */
	uint64_t serial;
	mlv_stackid stack;
	mlv_noteid note;
	uint32_t priority, left, right;
};

void mlv_strace_heap_fini(struct mlv_strace_heap *h)
{
	mlv_vec_free(&h->mappings);
}

static struct mlv_strace_mapping *row(struct mlv_strace_heap *h, uint32_t i)
{
	return &h->mappings.data[i];
}

static uint32_t next_random(struct mlv_strace_heap *h)
{
	if (!h->random)
		h->random = mlv_map_random() | 1;
	h->random ^= h->random << 13;
	h->random ^= h->random >> 7;
	h->random ^= h->random << 17;
	return (uint32_t)(h->random >> 32);
}

/* Those below `key` and the rest. */
static void split(struct mlv_strace_heap *h, uint32_t tree, uint64_t key, uint32_t *low,
		  uint32_t *high)
{
	if (!tree) {
		*low = *high = 0;
	} else if (row(h, tree)->addr < key) {
		*low = tree;
		split(h, row(h, tree)->right, key, &row(h, tree)->right, high);
	} else {
		*high = tree;
		split(h, row(h, tree)->left, key, low, &row(h, tree)->left);
	}
}

/* All of `low` lies below all of `high`. */
static uint32_t join(struct mlv_strace_heap *h, uint32_t low, uint32_t high)
{
	if (!low || !high)
		return low ? low : high;
	if (row(h, low)->priority > row(h, high)->priority) {
		uint32_t right = join(h, row(h, low)->right, high);
		row(h, low)->right = right;
		return low;
	}
	uint32_t left = join(h, low, row(h, high)->left);
	row(h, high)->left = left;
	return high;
}

static void release(struct mlv_strace_heap *h, uint32_t i)
{
	if (h->newest == i)
		h->newest = 0;
	row(h, i)->left = h->free;
	h->free = i;
}

static enum mlv_rc event(struct mlv_strace_heap *h, struct mlv_strace_space *s,
			 struct mlv_mem_event e, struct mlv_err *err)
{
	enum mlv_rc full = mlv_limits_room(h->limits, h->events, "memory events", err);
	if (full)
		return full;
	h->events++;
	return mlv_vec_push(&s->events, e) ? MLV_OK : mlv_err_nomem(err);
}

/* Put a mapping where nothing is, with the event that tells of it. */
static enum mlv_rc insert(struct mlv_strace_heap *h, struct mlv_strace_space *s, int64_t time,
			  struct mlv_strace_mapping m, struct mlv_err *err)
{
	uint32_t i = h->free, low, high;
	m.priority = next_random(h);
	m.left = m.right = 0;
	if (i) {
		h->free = row(h, i)->left;
		*row(h, i) = m;
	} else {
		struct mlv_strace_mapping none = { 0 };
		if ((!h->mappings.len && !mlv_vec_push(&h->mappings, none)) ||
		    h->mappings.len >= UINT32_MAX || !mlv_vec_push(&h->mappings, m))
			return mlv_err_nomem(err);
		i = (uint32_t)h->mappings.len - 1;
	}
	split(h, s->root, m.addr, &low, &high);
	s->root = join(h, join(h, low, i), high);
	h->newest = i;
	struct mlv_mem_event e = { .time_ns = time,
				   .addr = m.addr,
				   .bytes = m.bytes,
				   .stack = m.stack,
				   .note = m.note,
				   .action = MLV_MEM_ALLOC };
	return event(h, s, e, err);
}

/* Give a whole mapping back, and take again what of it lies outside start..end. */
static enum mlv_rc cut(struct mlv_strace_heap *h, struct mlv_strace_space *s, int64_t time,
		       uint32_t i, uint64_t start, uint64_t end, struct mlv_err *err)
{
	struct mlv_strace_mapping m = *row(h, i), piece = m;
	struct mlv_mem_event e = { .time_ns = time,
				   .addr = m.addr,
				   .bytes = m.bytes,
				   .note = m.note,
				   .action = MLV_MEM_FREE_COMPLETED };
	release(h, i);
	enum mlv_rc rc = event(h, s, e, err);
	if (!rc && m.addr < start) {
		piece.end = start;
		piece.bytes = start - m.addr;
		rc = insert(h, s, time, piece, err);
	}
	if (!rc && m.end > end) {
		piece = m;
		piece.addr = end;
		piece.bytes = m.bytes - (end - m.addr);
		rc = insert(h, s, time, piece, err);
	}
	return rc;
}

/* Cut each mapping of a subtree that is older than `before`, put the others back. */
static enum mlv_rc cut_all(struct mlv_strace_heap *h, struct mlv_strace_space *s, int64_t time,
			   uint32_t tree, uint64_t start, uint64_t end, uint64_t before,
			   uint64_t *cuts, struct mlv_err *err)
{
	if (!tree)
		return MLV_OK;
	uint32_t left = row(h, tree)->left, right = row(h, tree)->right;
	enum mlv_rc rc = cut_all(h, s, time, left, start, end, before, cuts, err);
	if (rc)
		return rc;
	if (row(h, tree)->serial < before) {
		++*cuts;
		rc = cut(h, s, time, tree, start, end, err);
	} else {
		uint32_t low, high;
		row(h, tree)->left = row(h, tree)->right = 0;
		split(h, s->root, row(h, tree)->addr, &low, &high);
		s->root = join(h, join(h, low, tree), high);
		*h->work -= *h->work > 0;
		/* Already given back: another task got the range before this call returned. */
		++*cuts;
	}
	return rc ? rc : cut_all(h, s, time, right, start, end, before, cuts, err);
}

static uint32_t rightmost(struct mlv_strace_heap *h, uint32_t tree)
{
	while (tree && row(h, tree)->right)
		tree = row(h, tree)->right;
	return tree;
}

static enum mlv_rc clear_range(struct mlv_strace_heap *h, struct mlv_strace_space *s, int64_t time,
			       uint64_t start, uint64_t end, uint64_t before, uint64_t *cuts,
			       struct mlv_err *err)
{
	uint32_t low, middle, high, rest;
	/* Without work left, what may be in the way stays: see strace_files.h. */
	if (before <= h->serial && !*h->work)
		return MLV_OK;
	split(h, s->root, start, &low, &rest);
	split(h, rest, end, &middle, &high);
	uint32_t across = rightmost(h, low);
	if (across && row(h, across)->end > start) {
		/* It begins before the range: the only one of `low` that reaches into it. */
		uint32_t only;
		split(h, low, row(h, across)->addr, &low, &only);
		middle = join(h, only, middle);
	}
	s->root = join(h, low, high);
	return cut_all(h, s, time, middle, start, end, before, cuts, err);
}

enum mlv_rc mlv_strace_map(struct mlv_strace_heap *h, struct mlv_strace_space *s, int64_t time,
			   struct mlv_mem_event what, uint64_t end, struct mlv_err *err)
{
	uint64_t cuts = 0;
	enum mlv_rc rc = clear_range(h, s, time, what.addr, end, UINT64_MAX, &cuts, err);
	if (rc)
		return rc;
	struct mlv_strace_mapping m = { .addr = what.addr,
					.end = end,
					.bytes = what.bytes,
					.serial = ++h->serial,
					.note = what.note };
	return insert(h, s, time, m, err);
}

enum mlv_rc mlv_strace_unmap(struct mlv_strace_heap *h, struct mlv_strace_space *s, int64_t time,
			     uint64_t start, uint64_t end, uint64_t before, struct mlv_err *err)
{
	uint64_t cuts = 0;
	enum mlv_rc rc = clear_range(h, s, time, start, end, before, &cuts, err);
	if (!cuts && s->inherited)
		h->unknown_inherited++;
	else if (!cuts)
		h->unknown++;
	return rc;
}

enum mlv_rc mlv_strace_unmap_all(struct mlv_strace_heap *h, struct mlv_strace_space *s,
				 int64_t time, struct mlv_err *err)
{
	uint64_t cuts = 0;
	uint32_t all = s->root;
	s->root = 0;
	s->brk = 0;
	s->inherited = false;
	return cut_all(h, s, time, all, 0, UINT64_MAX, UINT64_MAX, &cuts, err);
}

mlv_noteid mlv_strace_note_at(const struct mlv_strace_heap *h, const struct mlv_strace_space *s,
			      uint64_t addr)
{
	for (uint32_t i = s->root; i;) {
		const struct mlv_strace_mapping *m = &h->mappings.data[i];
		if (addr >= m->addr && addr < m->end)
			return m->note;
		i = addr < m->addr ? m->left : m->right;
	}
	return MLV_NOTE_NONE;
}

void mlv_strace_newest_stack(struct mlv_strace_heap *h, mlv_stackid stack)
{
	if (h->newest && row(h, h->newest)->serial == h->serial)
		row(h, h->newest)->stack = stack;
}
