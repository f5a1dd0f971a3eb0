/* SPDX-License-Identifier: MIT */
#ifndef MLV_ANALYSIS_TABLE_H
#define MLV_ANALYSIS_TABLE_H
/*
 * Rankings: what a run holds, summed up into tables of one subject a row,
 * whatever format it came from. `top` prints them, charts draw them. Those of
 * metrics are made in metric_tables.h.
 */
#include "base/arena.h"
#include "base/buf.h"
#include "model/run.h"

/* One cell; a subject that has no such value has none. */
struct mlv_cell {
	bool present;
	struct mlv_decimal value;
};

struct mlv_column {
	const char *name; /* owned by the table */
	bool change;      /* a difference: shown with its sign */
};

struct mlv_table_row {
	struct mlv_str subject;
	uint32_t first_line; /* in the file; 0 = none */
	size_t first_cell;   /* columns cells in the table's cells */
};

/* A figure that stands for all rows, as the report itself states it. */
struct mlv_table_total {
	struct mlv_str name; /* of the run */
	struct mlv_decimal value;
};

struct mlv_table {
	struct mlv_arena texts; /* names made for this table */
	const char *title;      /* "system calls", "operators (table at line 12)" */
	MLV_VEC(struct mlv_column) columns;
	MLV_VEC(struct mlv_table_row) rows; /* sorted by the column `by`, largest first */
	MLV_VEC(struct mlv_cell) cells;
	MLV_VEC(struct mlv_table_total) totals;
	size_t by;
	uint64_t total_rows; /* before --grep and --top */
};

/* What to make, and how. */
struct mlv_table_options {
	/* Name of a column, or the beginning of one; NULL: the table's own choice. A table without
	 * it is MLV_E_USAGE. */
	const char *by;
	const char *grep;       /* only subjects that contain it; NULL: all */
	struct mlv_buf *others; /* the columns of tables without `by` are added here; NULL */
};

/* Spans by name: count, total, mean, max, errors, bytes. */
enum mlv_rc mlv_table_spans(struct mlv_table *t, const struct mlv_run *run,
			    const struct mlv_table_options *o, struct mlv_err *err);
/* Spans that failed, by name, status and path. */
enum mlv_rc mlv_table_errors(struct mlv_table *t, const struct mlv_run *run,
			     const struct mlv_table_options *o, struct mlv_err *err);
/* Samples by track, metric and phase: first, last, least, most, growth. */
enum mlv_rc mlv_table_samples(struct mlv_table *t, const struct mlv_run *run,
			      const struct mlv_table_options *o, struct mlv_err *err);
void mlv_table_fini(struct mlv_table *t);

/* Whether a call ended with an errno. */
bool mlv_span_failed(const struct mlv_run *run, const struct mlv_span *s);

#endif
