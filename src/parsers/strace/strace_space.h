/* SPDX-License-Identifier: MIT */
#ifndef MLV_PARSERS_STRACE_STRACE_SPACE_H
#define MLV_PARSERS_STRACE_STRACE_SPACE_H
/*
 * Address spaces of the traced processes: what mmap, mremap and brk mapped
 * and nobody unmapped yet, and the memory events that tell its history.
 *
 * munmap may cut a mapping: the history then gives the whole mapping back and
 * takes the pieces that remain again, at the same moment, so that allocations
 * and frees pair by address and the sum is right at all times.
 */
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/limits.h"
#include "model/run.h"

struct mlv_strace_mapping; /* in strace_space.c */

struct mlv_strace_space {
	uint32_t root;  /* mappings by address: a treap of rows of the heap's table; 0 = none */
	uint32_t owner; /* task whose number it has */
	uint32_t users; /* tasks that share it */
	uint64_t brk;   /* 0: not seen yet */
	bool inherited; /* it began as a copy of another, of which nothing is known here */
	MLV_VEC(struct mlv_mem_event) events;
};

/* What all address spaces of a log have in common. */
struct mlv_strace_heap {
	MLV_VEC(struct mlv_strace_mapping) mappings;
	uint32_t free;   /* unused rows, linked by their left ends; 0 = none */
	uint32_t newest; /* the mapping that was made last; 0 = none */
	uint64_t serial; /* counts mappings, in the order in which they were made */
	uint64_t random;
	const struct mlv_limits *limits;
	uint64_t events;            /* of all spaces */
	uint64_t unknown;           /* unmapped ranges that were not mapped in this log */
	uint64_t unknown_inherited; /* the same in the copy of a process */
	uint64_t *work;             /* see strace_files.h */
};

void mlv_strace_heap_fini(struct mlv_strace_heap *h);

/* `bytes` as asked for, in the pages up to `end`. What is there already gives way. */
enum mlv_rc mlv_strace_map(struct mlv_strace_heap *h, struct mlv_strace_space *s, int64_t time,
			   struct mlv_mem_event what, uint64_t end, struct mlv_err *err);

/* What was mapped in start..end and is older than `before`. */
enum mlv_rc mlv_strace_unmap(struct mlv_strace_heap *h, struct mlv_strace_space *s, int64_t time,
			     uint64_t start, uint64_t end, uint64_t before, struct mlv_err *err);

/* execve, or another process with the same number: all of it. */
enum mlv_rc mlv_strace_unmap_all(struct mlv_strace_heap *h, struct mlv_strace_space *s,
				 int64_t time, struct mlv_err *err);

/* The note of the mapping at `addr`. */
mlv_noteid mlv_strace_note_at(const struct mlv_strace_heap *h, const struct mlv_strace_space *s,
			      uint64_t addr);

/* Stack of the mapping that was made last. */
void mlv_strace_newest_stack(struct mlv_strace_heap *h, mlv_stackid stack);

/* The end of the last page that a range touches; 0 if there is no such range. Pages of 4 KiB: where
 * they are larger, the addresses of calls that succeeded are multiples of more. */
static inline uint64_t mlv_strace_page_end(uint64_t addr, uint64_t bytes)
{
	uint64_t end;
	if (!bytes || __builtin_add_overflow(addr, bytes, &end) || end > UINT64_MAX - 4096)
		return 0;
	return (end + 4095) & ~UINT64_C(4095);
}

#endif
