/* SPDX-License-Identifier: MIT */
#ifndef MLV_BASE_VEC_H
#define MLV_BASE_VEC_H
/*
 * Typed growable arrays, for tables that grow row by row. `MLV_VEC(T)` names
 * the type; a zeroed one is empty and ready. Elements move when it grows, so
 * keep indices, not pointers. Every growing call says by its bool whether
 * memory was there.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

#define MLV_VEC(T)                                                                                 \
	struct {                                                                                   \
		T *data;                                                                           \
		size_t len, cap;                                                                   \
	}

/* Grow `*data` (elements of `size` bytes) to room for at least `need`, by half its size at least.
 */
bool mlv_vec_grow(void **data, size_t *cap, size_t size, size_t need);

/* As calloc, for large arrays of a fixed size; free with free(). NULL when memory runs out. */
void *mlv_zeroed(size_t count, size_t size);

/* Room for `n` more elements. */
#define mlv_vec_room(v, n)                                                                         \
	((v)->len + (n) <= (v)->cap ||                                                             \
	 mlv_vec_grow((void **)&(v)->data, &(v)->cap, sizeof(*(v)->data), (v)->len + (n)))

#define mlv_vec_push(v, x) (mlv_vec_room(v, 1) ? ((v)->data[(v)->len++] = (x), true) : false)

#define mlv_vec_free(v) (free((v)->data), (v)->data = NULL, (v)->len = (v)->cap = 0)

#endif
