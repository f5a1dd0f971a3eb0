/* SPDX-License-Identifier: MIT */
#ifndef MLV_BASE_INTERN_H
#define MLV_BASE_INTERN_H
/*
 * Interned strings: every distinct byte string is stored once and known by a
 * 32-bit id, so that rows are small and equality is a comparison of numbers.
 * Id 0 is the empty string. Bytes are kept as they came (any encoding, also
 * NUL); output escapes them. The interner owns its copies, which stay where
 * they are, each with a NUL behind it, until it ends.
 */
#include "base/arena.h"
#include "base/str.h"
#include "base/vec.h"

typedef struct {
	uint32_t i;
} mlv_strid;

#define MLV_STR_NONE ((mlv_strid){ 0 })

struct mlv_interner {
	struct mlv_arena arena;
	MLV_VEC(struct mlv_str) strings;
	uint64_t *slots; /* upper half hash, lower half id + 1; 0 = free */
	size_t mask;
	uint64_t seed; /* of the hash: nobody can write a file whose strings all collide */
	struct {
		uint64_t bytes;
		uint32_t len, id;
	} recent[16]; /* short strings come again and again: one compare instead of a hash */
};

/* Returns false when memory runs out. */
bool mlv_interner_init(struct mlv_interner *in);
void mlv_interner_fini(struct mlv_interner *in);

/* The id of the string, which is added if it is new. False when memory (or 2^32 ids) runs out. */
bool mlv_intern(struct mlv_interner *in, const char *p, size_t n, mlv_strid *id);

static inline struct mlv_str mlv_str_get(const struct mlv_interner *in, mlv_strid id)
{
	return in->strings.data[id.i];
}

#endif
