/* SPDX-License-Identifier: MIT */
#ifndef MLV_BASE_ARENA_H
#define MLV_BASE_ARENA_H
/*
 * Memory that dies together. Blocks of 64 KiB doubling to 4 MiB; what is
 * allocated stays at its address until the arena is finished. One arena
 * belongs to one run and lives exactly as long.
 */
#include <stdarg.h>
#include <stddef.h>

struct mlv_arena_block;

struct mlv_arena {
	struct mlv_arena_block *head;
	char *free, *end;
	size_t bytes; /* that its blocks take */
};

/* A zeroed arena is ready to use. */
void mlv_arena_fini(struct mlv_arena *a);

/* All that `from` holds lives as long as `a` from now on; `from` is empty then. */
void mlv_arena_adopt(struct mlv_arena *a, struct mlv_arena *from);

/* `n` bytes aligned to 8, not zeroed; NULL when memory runs out. */
void *mlv_arena_alloc(struct mlv_arena *a, size_t n);

/* A NUL-terminated copy of `n` bytes. */
char *mlv_arena_strndup(struct mlv_arena *a, const char *s, size_t n);

char *mlv_arena_vprintf(struct mlv_arena *a, const char *fmt, va_list ap)
	__attribute__((format(printf, 2, 0)));

#endif
