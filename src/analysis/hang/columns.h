/* SPDX-License-Identifier: MIT */
#ifndef MLV_ANALYSIS_HANG_COLUMNS_H
#define MLV_ANALYSIS_HANG_COLUMNS_H
/*
 * The last calls of all ranks laid out for a picture. Columns are an order, not
 * a time: a call stands to the right of all that its rank issued before it, and
 * calls that are one collective stand in one column on all ranks.
 */
#include "analysis/hang/stand.h"

struct mlv_hang_cell {
	uint32_t call; /* the first of its slot */
	uint32_t node; /* cells of one node are one collective, or one send and its receive */
	uint32_t rank; /* row */
	uint32_t column;
};

struct mlv_columns {
	MLV_VEC(struct mlv_hang_cell) cells; /* by rank, in program order */
	uint32_t columns, nodes;
};

/* The last `window` calls of each of these ranks (rows, ascending). */
enum mlv_rc mlv_columns_init(struct mlv_columns *c, const struct mlv_waits *w,
			     const uint32_t *ranks, size_t count, uint32_t window,
			     struct mlv_err *err);
void mlv_columns_fini(struct mlv_columns *c);

#endif
