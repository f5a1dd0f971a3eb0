/* SPDX-License-Identifier: MIT */
/* Tables of areas, sorted by where they begin. */
#include <stdlib.h>
#include <string.h>

#include "fake.h"

/* The first that begins at or behind `at`. */
static size_t from(const struct fake_areas *a, uint64_t at)
{
	size_t low = 0, high = a->len;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (a->rows[middle].at < at)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

struct fake_area *fake_areas_at(struct fake_areas *a, uint64_t at)
{
	size_t i = from(a, at);
	return i < a->len && a->rows[i].at == at ? &a->rows[i] : NULL;
}

struct fake_area *fake_areas_holding(struct fake_areas *a, uint64_t at)
{
	size_t i = from(a, at + 1);
	return i && at - a->rows[i - 1].at < a->rows[i - 1].bytes ? &a->rows[i - 1] : NULL;
}

bool fake_areas_touch(struct fake_areas *a, uint64_t at, uint64_t bytes)
{
	size_t i = from(a, at);
	return fake_areas_holding(a, at) || (i < a->len && a->rows[i].at - at < bytes);
}

void fake_areas_add(struct fake_areas *a, struct fake_area area)
{
	size_t i = from(a, area.at);
	a->rows = fake_grow(a->rows, &a->cap, sizeof(*a->rows), a->len);
	memmove(&a->rows[i + 1], &a->rows[i], (a->len - i) * sizeof(*a->rows));
	a->rows[i] = area;
	a->len++;
}

void fake_areas_remove(struct fake_areas *a, struct fake_area *area)
{
	size_t i = (size_t)(area - a->rows);
	memmove(area, area + 1, (a->len - i - 1) * sizeof(*area));
	a->len--;
}

void fake_areas_clear(struct fake_areas *a)
{
	free(a->rows);
	*a = (struct fake_areas){ 0 };
}
