/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* MADV_HUGEPAGE */
#include "base/vec.h"

#include <stdint.h>
#include <sys/mman.h>

enum { LARGE = 2 << 20 };

/*
 * A table of millions of rows is touched page by page while it grows; huge
 * pages make that a few hundred page faults instead of tens of thousands,
 * which on a virtual machine is a quarter of the time of reading a big
 * snapshot. Only a hint: where there are none, nothing changes.
 */
static void hint_huge(void *p, size_t bytes)
{
#ifdef MADV_HUGEPAGE
	enum { PAGE = 4096 };
	if (bytes < LARGE)
		return;
	/* Whole pages at both ends: a mapping of malloc's that is split could no longer be moved.
	 */
	uintptr_t from = (uintptr_t)p & ~(uintptr_t)(PAGE - 1);
	uintptr_t to = ((uintptr_t)p + bytes + PAGE - 1) & ~(uintptr_t)(PAGE - 1);
	(void)madvise((void *)from, to - from, MADV_HUGEPAGE);
#else
	(void)p;
	(void)bytes;
#endif
}

bool mlv_vec_grow(void **data, size_t *cap, size_t size, size_t need)
{
	size_t most = SIZE_MAX / 2 / size;
	if (need > most)
		return false;
	/*
	 * Memory that is not touched costs nothing, but every move of a large
	 * table breaks huge pages up: large ones grow in few, wide steps.
	 */
	size_t want = *cap * size >= LARGE ? *cap * 4 : *cap + *cap / 2;
	if (want < need)
		want = need;
	if (want < 16)
		want = 16;
	if (want > most)
		want = most;
	void *p = realloc(*data, want * size);
	if (!p && want > need) {
		want = need;
		p = realloc(*data, want * size);
	}
	if (!p)
		return false;
	hint_huge(p, want * size);
	*data = p;
	*cap = want;
	return true;
}

void *mlv_zeroed(size_t count, size_t size)
{
	void *p = calloc(count ? count : 1, size);
	if (p)
		hint_huge(p, count * size);
	return p;
}
