/* SPDX-License-Identifier: MIT */
#include "analysis/bands.h"

#include <stdlib.h>
#include <string.h>

bool mlv_bands_init(struct mlv_bands *b, size_t classes, double rows_per_byte)
{
	memset(b, 0, sizeof(*b));
	b->rows_per_byte = rows_per_byte;
	b->row_bytes = calloc(classes + 1, sizeof(*b->row_bytes));
	return b->row_bytes != NULL;
}

void mlv_bands_fini(struct mlv_bands *b)
{
	free(b->row_bytes);
	mlv_vec_free(&b->row_classes);
	mlv_vec_free(&b->list);
}

void mlv_bands_start(struct mlv_bands *b, int32_t row)
{
	b->bottom = b->row = row;
	b->list.len = 0;
}

/* The class that holds most of the current row gets it. */
static bool end_row(struct mlv_bands *b)
{
	if (!b->row_classes.len)
		return true;
	struct mlv_band row = { b->bottom, b->row + 1, 0, b->row_allocs, 0 };
	uint64_t most = 0;
	for (size_t i = 0; i < b->row_classes.len; i++) {
		uint32_t cls = b->row_classes.data[i];
		if (b->row_bytes[cls] >= most) {
			most = b->row_bytes[cls];
			row.cls = cls;
		}
		row.bytes += b->row_bytes[cls];
		b->row_bytes[cls] = 0;
	}
	b->row_classes.len = 0;
	b->row_allocs = 0;
	if (!b->list.len)
		return mlv_vec_push(&b->list, row);
	struct mlv_band *last = &b->list.data[b->list.len - 1];
	if (last->cls == row.cls) {
		last->r1 = row.r1;
		last->allocs += row.allocs;
		last->bytes += row.bytes;
		return true;
	}
	/* A row that nothing has its middle in belongs to what lies above. */
	row.r0 = last->r1;
	return mlv_vec_push(&b->list, row);
}

bool mlv_bands_add(struct mlv_bands *b, uint64_t bottom, uint64_t bytes, uint32_t cls,
		   uint32_t allocs)
{
	double middle = ((double)bottom + (double)bytes / 2) * b->rows_per_byte;
	int32_t row = middle < INT32_MAX ? (int32_t)middle : INT32_MAX - 1;
	if (row < b->bottom)
		row = b->bottom;
	if (row != b->row) {
		if (!end_row(b))
			return false;
		b->row = row;
	}
	if (!b->row_bytes[cls] && !mlv_vec_push(&b->row_classes, cls))
		return false;
	b->row_bytes[cls] += bytes;
	b->row_allocs += allocs;
	return true;
}

bool mlv_bands_end(struct mlv_bands *b, int32_t top)
{
	if (!end_row(b))
		return false;
	for (size_t i = 0; i < b->list.len; i++) {
		struct mlv_band *band = &b->list.data[i];
		if (band->r1 > top || i + 1 == b->list.len)
			band->r1 = top;
	}
	return true;
}
