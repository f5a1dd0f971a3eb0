/* SPDX-License-Identifier: MIT */
#include "render/term_chart.h"

#include <stdio.h>

#include "base/num.h"

enum { LABEL = 11 };

int mlv_term_chart_columns(int terminal_width)
{
	int n = terminal_width - LABEL - 3;
	return n < 20 ? 20 : n > 200 ? 200 : n;
}

/* Eighths of a cell that a value fills in the row whose lower edge is `low`. */
static int eighths(uint64_t value, double low, double high)
{
	double part = ((double)value - low) / (high - low) * 8;
	return part <= 0 ? 0 : part >= 8 ? 8 : (int)(part + 0.5);
}

static const char *cell(const struct mlv_term_chart *c, int x, double low, double high)
{
	static const char *const blocks[] = { " ",      "\u2581", "\u2582", "\u2583", "\u2584",
					      "\u2585", "\u2586", "\u2587", "\u2588" };
	int full = eighths(c->values[x].requested, low, high);
	bool pale = (double)c->values[x].reserved > (low + high) / 2;
	if (c->utf8)
		return full ? blocks[full] : pale ? "\u2591" : " ";
	return full >= 4 ? "#" : pale ? "." : " ";
}

void mlv_term_chart_draw(const struct mlv_term_chart *c, struct mlv_buf *out)
{
	char label[MLV_NUM_SIZE];
	for (int row = c->rows - 1; row >= 0; row--) {
		double low = (double)c->top * row / c->rows;
		double high = (double)c->top * (row + 1) / c->rows;
		bool named = row == c->rows - 1 || row == c->rows / 2;
		mlv_buf_printf(out, "%*s %s", LABEL,
			       named ? mlv_fmt_bytes(label, sizeof(label), (uint64_t)high) : "",
			       c->utf8 ? "\u2502" : "|");
		if (c->color)
			mlv_buf_puts(out, "\x1b[34m");
		for (int x = 0; x < c->columns; x++)
			mlv_buf_puts(out, cell(c, x, low, high));
		mlv_buf_puts(out, c->color ? "\x1b[0m\n" : "\n");
	}
	mlv_buf_printf(out, "%*s %s", LABEL, "0", c->utf8 ? "\u2514" : "+");
	for (int x = 0; x < c->columns; x++)
		mlv_buf_puts(out, c->utf8 ? "\u2500" : "-");
	mlv_buf_putc(out, '\n');
}
