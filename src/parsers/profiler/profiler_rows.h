/* SPDX-License-Identifier: MIT */
#ifndef MLV_PARSERS_PROFILER_PROFILER_ROWS_H
#define MLV_PARSERS_PROFILER_PROFILER_ROWS_H
/*
 * Rows of a torch.profiler table whose columns are known. Each figure becomes
 * a metric of its operator. Operators of one name differ by what the table
 * was grouped by, so that is made part of the subject: "aten::add.Tensor",
 * "aten::mm [[2, 3], [3, 4]]", "aten::mm at a.py(3): f".
 */
#include "base/buf.h"
#include "parsers/profiler/profiler_columns.h"
#include "parsers/text/text.h"

struct mlv_profiler_rows {
	struct mlv_columns columns;
	uint32_t section, row;
	/* How many metrics there were behind a figure that its line may end within; 0: none. If the
	 * file ends there too, it was cut. */
	size_t doubtful;
	struct mlv_buf subject; /* being built; owned */
};

/* Whether the line is a row, or more of a row's stack; its figures are added. */
enum mlv_rc mlv_profiler_row(struct mlv_profiler_rows *s, struct mlv_text *t, struct mlv_str text,
			     uint32_t number, bool *mine, struct mlv_err *err);

#endif
