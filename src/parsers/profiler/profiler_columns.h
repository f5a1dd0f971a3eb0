/* SPDX-License-Identifier: MIT */
#ifndef MLV_PARSERS_PROFILER_PROFILER_COLUMNS_H
#define MLV_PARSERS_PROFILER_PROFILER_COLUMNS_H
/*
 * The columns of torch.profiler's tables. A rule of dashes shows where they
 * stand; names hold blanks, so cells are never told apart by blanks alone. A
 * text wider than its column pushes what follows to the right, and widths
 * are counted in characters, as Python does, not in bytes.
 */
#include <stdbool.h>
#include <stdint.h>

#include "base/intern.h"
#include "model/decimal.h"

enum { MLV_COLUMNS = 48 };

enum mlv_column_kind {
	MLV_COLUMN_NAME,
	MLV_COLUMN_OVERLOAD,
	MLV_COLUMN_TIME,
	MLV_COLUMN_SHARE,
	MLV_COLUMN_MEMORY,
	MLV_COLUMN_COUNT,
	MLV_COLUMN_FLOPS,
	MLV_COLUMN_SHAPES,
	MLV_COLUMN_SOURCE,
	MLV_COLUMN_OTHER, /* of a fork: read if it is a number */
};

struct mlv_column {
	uint32_t width, gap; /* characters; the gap behind it */
	enum mlv_column_kind kind;
	int power;       /* FLOPS: of ten, "Total MFLOPs" = 6 */
	bool right;      /* its title ends where it ends */
	mlv_strid title; /* as it is called in all versions */
};

struct mlv_columns {
	uint32_t indent, count;
	struct mlv_column c[MLV_COLUMNS];
};

struct mlv_cell {
	struct mlv_str text; /* trimmed */
	bool flush;          /* ends where its column ends */
};

/* The columns that a line of dash runs shows; false if it is no such line. */
bool mlv_columns_rule(struct mlv_str line, struct mlv_columns *columns);

/* Whether a line is the row of titles, by its words. */
bool mlv_columns_is_header(struct mlv_str line);

/*
 * Split a line at the columns; `cells` has one for each, empty where nothing
 * stands. False if the line does not fit into them.
 */
bool mlv_columns_split(const struct mlv_columns *columns, struct mlv_str line,
		       struct mlv_cell *cells);

/* Learn kinds and titles from the header row. False if it does not fit, or when memory runs out. */
bool mlv_columns_header(struct mlv_columns *columns, struct mlv_str line,
			struct mlv_interner *strings);

/* The figure in a cell of this column; false if it holds none. */
bool mlv_column_value(const struct mlv_column *column, struct mlv_str cell, struct mlv_decimal *d);

#endif
