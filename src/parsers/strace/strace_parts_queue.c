/* SPDX-License-Identifier: MIT */
/* Which of the files of strace -ff has the line that is due next: a heap of those with lines left.
 */
#include "parsers/strace/strace_parts.h"

static bool before(const struct mlv_strace_part *a, const struct mlv_strace_part *b)
{
	if (a->due != b->due)
		return a->due < b->due;
	/* A file whose process is known goes first: it may make the others known. */
	if (a->turn != b->turn)
		return a->turn < b->turn;
	return a < b;
}

static void place(struct mlv_strace_parts *m, size_t at, struct mlv_strace_part *p)
{
	m->heap[at] = p;
	p->at = at;
}

void mlv_strace_parts_rise(struct mlv_strace_parts *m, size_t at)
{
	struct mlv_strace_part *p = m->heap[at];
	for (; at && before(p, m->heap[(at - 1) / 2]); at = (at - 1) / 2)
		place(m, at, m->heap[(at - 1) / 2]);
	place(m, at, p);
}

static void sink(struct mlv_strace_parts *m, size_t at)
{
	struct mlv_strace_part *p = m->heap[at];
	for (;;) {
		size_t child = 2 * at + 1;
		if (child + 1 < m->waiting && before(m->heap[child + 1], m->heap[child]))
			child++;
		if (child >= m->waiting || !before(m->heap[child], p))
			break;
		place(m, at, m->heap[child]);
		at = child;
	}
	place(m, at, p);
}

void mlv_strace_parts_add(struct mlv_strace_parts *m, struct mlv_strace_part *p)
{
	place(m, m->waiting, p);
	mlv_strace_parts_rise(m, m->waiting++);
}

/* The first of the heap has another line, or none. */
void mlv_strace_parts_put_back(struct mlv_strace_parts *m)
{
	if (!m->heap[0]->more)
		place(m, 0, m->heap[--m->waiting]);
	if (m->waiting)
		sink(m, 0);
}

/* Whether another file has a line before `time`. */
bool mlv_strace_parts_others_before(const struct mlv_strace_parts *m, int64_t time)
{
	return (m->waiting > 1 && m->heap[1]->due < time) ||
	       (m->waiting > 2 && m->heap[2]->due < time);
}
