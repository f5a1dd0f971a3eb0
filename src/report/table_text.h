/* SPDX-License-Identifier: MIT */
#ifndef MLV_REPORT_TABLE_TEXT_H
#define MLV_REPORT_TABLE_TEXT_H
/* Rankings as text and as JSON. */
#include "analysis/table.h"
#include "base/buf.h"
#include "base/json_write.h"

/*
 * Columns that fit `width` characters, the ranking one first; subjects last. A
 * table of one long row lists all its figures.
 */
void mlv_table_text(const struct mlv_table *t, size_t top, int width, struct mlv_buf *out);
void mlv_table_json(const struct mlv_table *t, size_t top, struct mlv_json *j);

/* "Self CPU time total 49.722 ms, …": what the report states for all rows. */
void mlv_totals_text(const struct mlv_table *t, struct mlv_buf *out);

/* A value for people: sums get a handy unit, what a report printed keeps its digits. */
void mlv_cell_text(struct mlv_cell cell, bool change, char *buf, size_t size);

/* Keys "value" and, where it has one, "unit". */
void mlv_value_json(struct mlv_decimal v, struct mlv_json *j);

#endif
