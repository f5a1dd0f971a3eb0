/* SPDX-License-Identifier: MIT */
#include "base/map.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void mlv_map_fini(struct mlv_map *m)
{
	free(m->slots);
	memset(m, 0, sizeof(*m));
}

uint64_t mlv_map_random(void)
{
	uint64_t n = UINT64_C(0x9e3779b97f4a7c15);
#ifndef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION /* a fuzzer wants the same path each time */
	(void)getentropy(&n, sizeof(n));
#endif
	return n;
}

static struct mlv_map_slot *free_slot(const struct mlv_map *m, uint64_t key)
{
	size_t i = mlv_map_home(m, key);
	while (m->slots[i].used)
		i = (i + 1) & m->mask;
	return &m->slots[i];
}

static bool grow(struct mlv_map *m)
{
	struct mlv_map bigger = { .mask = m->slots ? m->mask * 2 + 1 : 63,
				  .secret = { m->secret[0], m->secret[1] } };
	if (!m->slots) {
		bigger.secret[0] = mlv_map_random();
		bigger.secret[1] = mlv_map_random() | 1;
	}
	bigger.slots = calloc(bigger.mask + 1, sizeof(*bigger.slots));
	if (!bigger.slots)
		return false;
	for (size_t i = 0; m->slots && i <= m->mask; i++) {
		if (m->slots[i].used)
			*free_slot(&bigger, m->slots[i].key) = m->slots[i];
	}
	bigger.len = m->len;
	free(m->slots);
	*m = bigger;
	return true;
}

bool mlv_map_set(struct mlv_map *m, uint64_t key, uint32_t value)
{
	struct mlv_map_slot *s = mlv_map_find(m, key);
	if (s) {
		s->value = value;
		return true;
	}
	/* At most half full: probes stay short. */
	if ((!m->slots || m->len * 2 >= m->mask) && !grow(m))
		return false;
	*free_slot(m, key) = (struct mlv_map_slot){ key, value, 1 };
	m->len++;
	return true;
}

void mlv_map_remove(struct mlv_map *m, struct mlv_map_slot *slot)
{
	size_t hole = (size_t)(slot - m->slots);
	for (size_t i = (hole + 1) & m->mask; m->slots[i].used; i = (i + 1) & m->mask) {
		size_t home = mlv_map_home(m, m->slots[i].key);
		/* Leave it where it is if its home lies cyclically in (hole, i]. */
		if (((i - home) & m->mask) < ((i - hole) & m->mask))
			continue;
		m->slots[hole] = m->slots[i];
		hole = i;
	}
	m->slots[hole].used = 0;
	m->len--;
}
