/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* MADV_HUGEPAGE */
#include "base/vec.h"

#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

/*
 * A table of millions of rows is touched page by page while it grows. On huge
 * pages that is a few dozen page faults instead of tens of thousands, which on
 * a virtual machine is a third of the time of reading a big snapshot. So large
 * tables lie on boundaries of huge pages and grow in few, wide steps: memory
 * that is never touched costs nothing. Where there are no huge pages, or
 * memory is short, tables grow just as well.
 */
enum { HUGE_PAGE = 2 << 20, LARGE = 512 << 10 };

static void hint_huge(void *p, size_t bytes)
{
#ifdef MADV_HUGEPAGE
	enum { PAGE = 4096 };
	uintptr_t from = (uintptr_t)p & ~(uintptr_t)(PAGE - 1);
	uintptr_t to = ((uintptr_t)p + bytes + PAGE - 1) & ~(uintptr_t)(PAGE - 1);
	(void)madvise((void *)from, to - from, MADV_HUGEPAGE);
#else
	(void)p;
	(void)bytes;
#endif
}

/* A larger place for a table, in whole huge pages. NULL if there is none. */
static void *move_large(void *old, size_t old_bytes, size_t bytes)
{
	if (bytes > SIZE_MAX / 2)
		return NULL;
	bytes = (bytes + HUGE_PAGE - 1) & ~(size_t)(HUGE_PAGE - 1);
	void *p = aligned_alloc(HUGE_PAGE, bytes);
	if (!p)
		return NULL;
	hint_huge(p, bytes);
	if (old_bytes)
		memcpy(p, old, old_bytes);
	free(old);
	return p;
}

bool mlv_vec_grow(void **data, size_t *cap, size_t size, size_t need)
{
	size_t most = SIZE_MAX / 2 / size;
	if (need > most)
		return false;
	size_t want = *cap + *cap / 2;
	if (want < need)
		want = need;
	if (want < 16)
		want = 16;
	if (want > most)
		want = most;
	void *p = NULL;
	if (want * size >= LARGE) {
		size_t wide = want <= most / 8 ? want * 8 : most;
		p = move_large(*data, *cap * size, wide * size);
		want = p ? wide : need;
	}
	if (!p)
		p = realloc(*data, want * size);
	if (!p)
		return false;
	*data = p;
	*cap = want;
	return true;
}

void *mlv_zeroed(size_t count, size_t size)
{
	void *p = calloc(count ? count : 1, size);
	if (p && count * size >= HUGE_PAGE)
		hint_huge(p, count * size);
	return p;
}
