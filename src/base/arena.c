/* SPDX-License-Identifier: MIT */
#include "base/arena.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_BLOCK = 64 * 1024, LARGEST_BLOCK = 4 * 1024 * 1024 };

struct mlv_arena_block {
	struct mlv_arena_block *next;
	size_t size;
};

void mlv_arena_fini(struct mlv_arena *a)
{
	struct mlv_arena_block *b = a->head;
	while (b) {
		struct mlv_arena_block *next = b->next;
		free(b);
		b = next;
	}
	memset(a, 0, sizeof(*a));
}

void mlv_arena_adopt(struct mlv_arena *a, struct mlv_arena *from)
{
	struct mlv_arena_block *last = from->head;
	while (last && last->next)
		last = last->next;
	if (!a->head) {
		*a = *from;
	} else if (last) {
		/* Behind the block that is being filled. */
		last->next = a->head->next;
		a->head->next = from->head;
		a->bytes += from->bytes;
	}
	memset(from, 0, sizeof(*from));
}

void *mlv_arena_alloc(struct mlv_arena *a, size_t n)
{
	if (n > SIZE_MAX / 2)
		return NULL;
	/* Nothing gets its own address too: NULL would read as a failure. */
	n = n ? (n + 7) & ~(size_t)7 : 8;
	if (n <= (size_t)(a->end - a->free)) {
		void *p = a->free;
		a->free += n;
		return p;
	}
	size_t size = a->head ? a->head->size * 2 : FIRST_BLOCK;
	if (size > LARGEST_BLOCK)
		size = LARGEST_BLOCK;
	size_t head = sizeof(struct mlv_arena_block);
	size_t bytes = n + head > size ? n + head : size;
	struct mlv_arena_block *b = malloc(bytes);
	if (!b)
		return NULL;
	b->next = a->head;
	b->size = size;
	a->head = b;
	a->bytes += bytes;
	char *p = (char *)b + head;
	/* A request larger than a block gets its own and leaves the current one in use. */
	if (bytes > size)
		return p;
	a->free = p + n;
	a->end = (char *)b + bytes;
	return p;
}

char *mlv_arena_strndup(struct mlv_arena *a, const char *s, size_t n)
{
	char *p = mlv_arena_alloc(a, n + 1);
	if (!p)
		return NULL;
	if (n)
		memcpy(p, s, n);
	p[n] = '\0';
	return p;
}

char *mlv_arena_vprintf(struct mlv_arena *a, const char *fmt, va_list ap)
{
	va_list again;
	va_copy(again, ap);
	int n = vsnprintf(NULL, 0, fmt, again);
	va_end(again);
	if (n < 0)
		return NULL;
	char *p = mlv_arena_alloc(a, (size_t)n + 1);
	if (p)
		vsnprintf(p, (size_t)n + 1, fmt, ap);
	return p;
}
