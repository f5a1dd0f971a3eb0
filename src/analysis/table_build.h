/* SPDX-License-Identifier: MIT */
#ifndef MLV_ANALYSIS_TABLE_BUILD_H
#define MLV_ANALYSIS_TABLE_BUILD_H
/* How tables are filled: rows are found by a key, cells added to, and the whole sorted at the end.
 */
#include "analysis/table.h"
#include "base/map.h"

struct mlv_table_builder {
	struct mlv_table *t;
	const struct mlv_table_options *o;
	struct mlv_map ids;
};

/* Columns may be added later by mlv_table_column, before the first row. */
enum mlv_rc mlv_table_begin(struct mlv_table_builder *b, struct mlv_table *t, const char *title,
			    const char *const *columns, size_t count,
			    const struct mlv_table_options *o, struct mlv_err *err);
bool mlv_table_column(struct mlv_table_builder *b, const char *name, bool change);

bool mlv_table_has(const struct mlv_table_builder *b, uint64_t key);
/* The cells of a key's row; it is added, with a copy of the subject, when it is new. NULL when
 * memory runs out. */
struct mlv_cell *mlv_table_row(struct mlv_table_builder *b, uint64_t key, const char *subject,
			       uint32_t line);

void mlv_cell_add(struct mlv_cell *c, int64_t n, enum mlv_unit unit);
void mlv_cell_raise(struct mlv_cell *c, int64_t n, enum mlv_unit unit);

/*
 * Sort by the wanted column, or by `otherwise`. With !ok (memory ran out while
 * filling) and on errors the table is finished. MLV_E_USAGE for a column that is none.
 */
enum mlv_rc mlv_table_end(struct mlv_table_builder *b, bool ok, size_t otherwise,
			  struct mlv_err *err);

#endif
