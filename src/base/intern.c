/* SPDX-License-Identifier: MIT */
#include "base/intern.h"

#include <string.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/map.h"

static const uint64_t HASH_BITS = UINT64_C(0xffffffff00000000);

bool mlv_interner_init(struct mlv_interner *in)
{
	memset(in, 0, sizeof(*in));
	in->mask = 1023;
	in->seed = mlv_map_random();
	in->slots = calloc(in->mask + 1, sizeof(*in->slots));
	mlv_strid id;
	if (in->slots && mlv_intern(in, "", 0, &id))
		return true;
	mlv_interner_fini(in);
	return false;
}

void mlv_interner_fini(struct mlv_interner *in)
{
	mlv_arena_fini(&in->arena);
	mlv_vec_free(&in->strings);
	free(in->slots);
	memset(in, 0, sizeof(*in));
}

static bool rehash(struct mlv_interner *in)
{
	size_t mask = in->mask * 2 + 1;
	uint64_t *slots = calloc(mask + 1, sizeof(*slots));
	if (!slots)
		return false;
	for (size_t id = 0; id < in->strings.len; id++) {
		struct mlv_str s = in->strings.data[id];
		uint64_t h = XXH3_64bits_withSeed(s.p, s.n, in->seed);
		size_t i = h & mask;
		while (slots[i])
			i = (i + 1) & mask;
		slots[i] = (h & HASH_BITS) | (uint32_t)(id + 1);
	}
	free(in->slots);
	in->slots = slots;
	in->mask = mask;
	return true;
}

static bool intern_hashed(struct mlv_interner *in, const char *p, size_t n, mlv_strid *id)
{
	uint64_t h = XXH3_64bits_withSeed(p, n, in->seed);
	size_t i = h & in->mask;
	for (; in->slots[i]; i = (i + 1) & in->mask) {
		if ((in->slots[i] ^ h) & HASH_BITS)
			continue;
		uint32_t known = (uint32_t)in->slots[i] - 1;
		struct mlv_str s = in->strings.data[known];
		if (s.n == n && (!n || memcmp(s.p, p, n) == 0)) {
			id->i = known;
			return true;
		}
	}
	if (in->strings.len >= UINT32_MAX - 1)
		return false;
	char *copy = mlv_arena_strndup(&in->arena, p, n);
	struct mlv_str s = { copy, n };
	if (!copy || !mlv_vec_push(&in->strings, s))
		return false;
	in->slots[i] = (h & HASH_BITS) | (uint32_t)in->strings.len;
	id->i = (uint32_t)in->strings.len - 1;
	/* At most half full: probes stay short. */
	return in->strings.len * 2 <= in->mask || rehash(in);
}

bool mlv_intern(struct mlv_interner *in, const char *p, size_t n, mlv_strid *id)
{
	if (n > 8 || n == 0)
		return intern_hashed(in, p, n, id);
	uint64_t bytes = 0;
	memcpy(&bytes, p, n);
	size_t k = (bytes ^ (bytes >> 8) ^ n) & 15;
	if (in->recent[k].len == n && in->recent[k].bytes == bytes) {
		id->i = in->recent[k].id;
		return true;
	}
	if (!intern_hashed(in, p, n, id))
		return false;
	in->recent[k].bytes = bytes;
	in->recent[k].len = (uint32_t)n;
	in->recent[k].id = id->i;
	return true;
}
