/* SPDX-License-Identifier: MIT */
#ifndef MLV_ANALYSIS_BANDS_H
#define MLV_ANALYSIS_BANDS_H
/*
 * What is smaller than a pixel shares the pixels of one column among
 * neighbours: each row goes to the class that holds most of it, and
 * neighbouring rows of one class are a band. Used from the bottom up.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"

/* Rows r0..r1 (exclusive, from the bottom) of one class. */
struct mlv_band {
	int32_t r0, r1;
	uint32_t cls;
	uint32_t allocs;
	uint64_t bytes;
};

struct mlv_bands {
	double rows_per_byte;
	int32_t bottom;                /* row above what was drawn last */
	int32_t row;                   /* being filled */
	uint32_t row_allocs;           /* in it */
	uint64_t *row_bytes;           /* in it, for each class */
	MLV_VEC(uint32_t) row_classes; /* those that have any */
	MLV_VEC(struct mlv_band) list; /* finished rows above `bottom` */
};

/* False when memory runs out, here and below. */
bool mlv_bands_init(struct mlv_bands *b, size_t classes, double rows_per_byte);
void mlv_bands_fini(struct mlv_bands *b);

/* Begin a column, or go on above something that was drawn on its own up to `row`. */
void mlv_bands_start(struct mlv_bands *b, int32_t row);

/* `bytes` of one class that lie `bottom` bytes above the ground. */
bool mlv_bands_add(struct mlv_bands *b, uint64_t bottom, uint64_t bytes, uint32_t cls,
		   uint32_t allocs);

/*
 * Nothing small follows below row `top`: `list` now holds the bands from
 * `bottom` to there, of which those with r0 < r1 can be seen.
 */
bool mlv_bands_end(struct mlv_bands *b, int32_t top);

#endif
