/* SPDX-License-Identifier: MIT */
#ifndef MLV_RENDER_TERM_CHART_H
#define MLV_RENDER_TERM_CHART_H
/* A small chart in characters, for a terminal at the other end of ssh. */
#include <stdbool.h>
#include <stdint.h>

#include "analysis/view.h"
#include "base/buf.h"

struct mlv_term_chart {
	const struct mlv_instant *values; /* requested drawn solid, reserved pale above it */
	int columns, rows;
	uint64_t top; /* value of the upper edge */
	bool utf8, color;
};

void mlv_term_chart_draw(const struct mlv_term_chart *chart, struct mlv_buf *out);

/* Columns that remain for the data in a terminal of this width. */
int mlv_term_chart_columns(int terminal_width);

#endif
