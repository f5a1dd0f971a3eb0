/* SPDX-License-Identifier: MIT */
#ifndef MLV_PARSERS_STRACE_STRACE_SUMMARY_H
#define MLV_PARSERS_STRACE_STRACE_SUMMARY_H
/*
 * Tables of counts by strace -c, also at the end of a log (-C): a line of
 * names, dashes that tell the columns, rows, dashes, totals.
 */
#include "parsers/text/text.h"

enum { MLV_STRACE_COLUMNS = 16 };

struct mlv_strace_table {
	enum { MLV_TABLE_NONE, MLV_TABLE_NAMES, MLV_TABLE_ROWS, MLV_TABLE_TOTAL } state;
	struct {
		mlv_strid name;
		size_t from, to; /* columns of text, by the dashes */
		uint8_t unit;
		bool is_call, is_errors;
	} columns[MLV_STRACE_COLUMNS];
	unsigned count;
	uint32_t section, row;
	uint32_t line;   /* of the names */
	char names[256]; /* that line */
	size_t names_len;
	bool bits32; /* the next table is of 32-bit calls */
};

/* A line that may be of a table. */
enum mlv_rc mlv_strace_table_line(struct mlv_strace_table *table, struct mlv_text *t,
				  struct mlv_str s, uint32_t line, enum mlv_take *take,
				  struct mlv_err *err);

/* No more lines. */
void mlv_strace_table_finish(struct mlv_strace_table *table, struct mlv_text *t);

/* Whether it is the line of names. */
bool mlv_strace_table_names(struct mlv_str s);

#endif
