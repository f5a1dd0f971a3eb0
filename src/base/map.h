/* SPDX-License-Identifier: MIT */
#ifndef MLV_BASE_MAP_H
#define MLV_BASE_MAP_H
/*
 * A hash map from 64-bit keys to 32-bit values: addresses to allocations,
 * (frame, caller) to stack nodes. Open addressing with linear probing;
 * removal moves the followers up, so there are no tombstones and the cost of
 * a map that lives through millions of allocations and frees stays flat.
 *
 * Keys come from files, so each map hashes in its own way: nobody can write a
 * file whose addresses all want the same slot. Nothing depends on the order of
 * slots.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct mlv_map_slot {
	uint64_t key;
	uint32_t value;
	uint32_t used;
};

/* A zeroed map is empty and ready. */
struct mlv_map {
	struct mlv_map_slot *slots;
	size_t mask, len;
	uint64_t secret[2];
};

void mlv_map_fini(struct mlv_map *m);

/* A number that the writer of an input cannot know. */
uint64_t mlv_map_random(void);

/* Both halves of the product: addresses share their low bits and their high ones. */
static inline size_t mlv_map_home(const struct mlv_map *m, uint64_t key)
{
	__extension__ unsigned __int128 product =
		(unsigned __int128)(key ^ m->secret[0]) * m->secret[1];
	return (size_t)((uint64_t)product ^ (uint64_t)(product >> 64)) & m->mask;
}

/* The slot of `key`, or NULL. Valid until the next change. */
static inline struct mlv_map_slot *mlv_map_find(const struct mlv_map *m, uint64_t key)
{
	if (!m->len)
		return NULL;
	for (size_t i = mlv_map_home(m, key);; i = (i + 1) & m->mask) {
		struct mlv_map_slot *s = &m->slots[i];
		if (!s->used)
			return NULL;
		if (s->key == key)
			return s;
	}
}

/* Set `key` to `value`, replacing what was there. False when memory runs out. */
bool mlv_map_set(struct mlv_map *m, uint64_t key, uint32_t value);

/* Remove a slot returned by mlv_map_find. */
void mlv_map_remove(struct mlv_map *m, struct mlv_map_slot *slot);

#endif
