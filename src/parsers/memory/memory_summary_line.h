/* SPDX-License-Identifier: MIT */
#ifndef MLV_PARSERS_MEMORY_MEMORY_SUMMARY_LINE_H
#define MLV_PARSERS_MEMORY_MEMORY_SUMMARY_LINE_H
/* The lines of torch.cuda.memory_summary(), each on its own. Texts are parts of the line. */
#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"
#include "model/decimal.h"

enum { MLV_SUMMARY_COLUMNS = 4, MLV_SUMMARY_CELLS = 8 };

/* A line of the box, between its bars. */
struct mlv_summary_cells {
	uint32_t count;
	struct {
		struct mlv_str text; /* trimmed */
		bool closed;         /* a bar follows */
	} c[MLV_SUMMARY_CELLS];
};
void mlv_summary_split(struct mlv_str line, struct mlv_summary_cells *cells);

/* "|=====|" or "|-----|" */
bool mlv_summary_is_rule(const struct mlv_summary_cells *cells, char of);
/* "PyTorch CUDA memory summary, device ID 0", anywhere in the line */
bool mlv_summary_is_title(struct mlv_str s, struct mlv_str *title);
/* "Metric", "Cur Usage", … */
bool mlv_summary_is_header(const struct mlv_summary_cells *cells);
/* A name that a row may have: lines of other tables may stand between those of the box. */
bool mlv_summary_is_name(struct mlv_str name);
/* "%6d KiB" for memory, "%7d K" for counts, whose K is a thousand. `closed`: a bar follows. */
bool mlv_summary_value(struct mlv_str cell, bool memory, bool closed, struct mlv_decimal *d);

#endif
