/* SPDX-License-Identifier: MIT */
#ifndef MLV_ANALYSIS_TABLE_DIFF_H
#define MLV_ANALYSIS_TABLE_DIFF_H
/*
 * Two rankings side by side: rows are matched by their subject (the second of
 * one name with the second), columns by their name. A change is B - A; of a
 * row that one side lacks it is all of the other one's.
 */
#include "analysis/table.h"

/* Whether a change is more than what repeated runs of the same thing differ by. */
enum mlv_noise {
	MLV_NOISE_UNKNOWN, /* nothing was repeated */
	MLV_NOISE_WITHIN,
	MLV_NOISE_EXCEEDED,
};

struct mlv_cell_diff {
	struct mlv_cell side[2], change;
	double ratio; /* B / A; NAN where there is none */
	enum mlv_noise noise;
	double spread; /* of both runs together, in the unit of mlv_decimal_value; noise only */
};

struct mlv_row_diff {
	struct mlv_str subject;
	uint32_t line[2];
	bool present[2];
	size_t first_cell;
};

struct mlv_total_diff {
	struct mlv_str name;
	struct mlv_cell_diff cell;
};

struct mlv_table_diff {
	struct mlv_arena texts;
	const char *title;
	MLV_VEC(struct mlv_column) columns; /* those that both have */
	MLV_VEC(struct mlv_row_diff) rows;  /* that differ; the largest change of `by` first */
	MLV_VEC(struct mlv_cell_diff) cells;
	MLV_VEC(struct mlv_total_diff) totals; /* that differ */
	size_t by;
	uint64_t same_rows, ignored_rows;
	unsigned columns_only[2]; /* how many one side alone has */
};

/* `ignore` may be NULL; see mlv_ignores. MLV_E_NOMEM only. */
enum mlv_rc mlv_table_diff_init(struct mlv_table_diff *d, const struct mlv_table *a,
				const struct mlv_table *b, const char *ignore, struct mlv_err *err);
void mlv_table_diff_fini(struct mlv_table_diff *d);

/* Whether the two have a column in common. */
bool mlv_tables_share(const struct mlv_table *a, const struct mlv_table *b);

static inline const struct mlv_cell_diff *mlv_cell_diff_at(const struct mlv_table_diff *d,
							   size_t row, size_t column)
{
	return &d->cells.data[d->rows.data[row].first_cell + column];
}

/* Whether one of the texts of a list ("time,mean") occurs in the name; NULL: none. */
bool mlv_ignores(const char *list, struct mlv_str name);

#endif
