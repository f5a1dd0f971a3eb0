/* SPDX-License-Identifier: MIT */
#include "render/page.h"

#include "base/num.h"
#include "model/run.h"
#include "render/axis.h"

enum { LEFT = 84, RIGHT = 28 };

double mlv_page_headings(struct mlv_canvas *c, const struct mlv_page *page)
{
	const struct mlv_theme *t = page->theme;
	struct mlv_font title = { 22, true }, sub = { 13, false };
	double room = page->width - LEFT - RIGHT;
	char fitted[512];
	mlv_text_fit(title, page->title, room, true, fitted, sizeof(fitted));
	mlv_canvas_text(c, LEFT, 42, title, MLV_START, t->text, fitted);
	mlv_text_fit(sub, page->subtitle, room, false, fitted, sizeof(fitted));
	mlv_canvas_text(c, LEFT, 66, sub, MLV_START, t->text_dim, fitted);
	if (!page->notice)
		return 76;
	mlv_text_fit(sub, page->notice, room, false, fitted, sizeof(fitted));
	mlv_canvas_text(c, LEFT, 86, sub, MLV_START, t->warning, fitted);
	return 96;
}

void mlv_page_time_axis(struct mlv_canvas *c, const struct mlv_theme *theme, double x,
			int32_t columns, double base, double grid_top, int64_t zero, int64_t t0,
			int64_t t1, const char *label)
{
	struct mlv_font font = { 12, false };
	int64_t from = mlv_time_between(zero, t0), to = mlv_time_between(zero, t1);
	mlv_canvas_rect(c, x, base, columns, 1, theme->axis, NULL);
	mlv_canvas_text(c, x + columns / 2.0, base + 37, font, MLV_MIDDLE, theme->text_dim, label);
	/* A range of centuries has no ticks worth showing. */
	if (to <= from || to > INT64_MAX / 4 || from < INT64_MIN / 4)
		return;
	int64_t step = mlv_axis_time_step(to - from, columns > 500 ? 8 : 4);
	int64_t first = from >= 0 ? (from + step - 1) / step * step : from / step * step;
	for (int64_t tick = first; tick <= to; tick += step) {
		char text[MLV_NUM_SIZE];
		double at = x + (double)(tick - from) * columns / (double)(to - from);
		mlv_axis_time_label(tick, step, text, sizeof(text));
		if (grid_top >= 0)
			mlv_canvas_rect(c, (int32_t)at, grid_top, 1, base - grid_top, theme->grid,
					NULL);
		mlv_canvas_rect(c, (int32_t)at, base, 1, 5, theme->axis, NULL);
		mlv_canvas_text(c, at, base + 19, font, MLV_MIDDLE, theme->text_dim, text);
	}
}

double mlv_page_legend_heading(struct mlv_canvas *c, const struct mlv_theme *theme, double x,
			       double y, const char *text)
{
	struct mlv_font font = { 13, true };
	mlv_canvas_text(c, x, y + 12, font, MLV_START, theme->text, text);
	return y + 40;
}

double mlv_page_legend_note(struct mlv_canvas *c, const struct mlv_theme *theme, double x, double y,
			    const char *text)
{
	struct mlv_font font = { 11, false };
	mlv_canvas_text(c, x, y, font, MLV_START, theme->text_dim, text);
	return y + 15;
}

void mlv_page_event_ticks(struct mlv_canvas *c, const struct mlv_theme *theme, double x,
			  int32_t columns, double base, uint32_t first, uint32_t last)
{
	struct mlv_font font = { 12, false };
	uint64_t from = first, n = (uint64_t)last - from + 1;
	uint64_t step = mlv_axis_count_step(n, columns > 500 ? 8 : 4);
	for (uint64_t tick = (from + step - 1) / step * step; tick < from + n; tick += step) {
		char label[MLV_NUM_SIZE];
		double at = x + (double)(tick - from) * columns / (double)n;
		mlv_canvas_rect(c, (int32_t)at, base, 1, 5, theme->axis, NULL);
		mlv_canvas_text(c, at, base + 19, font, MLV_MIDDLE, theme->text_dim,
				mlv_fmt_count(label, sizeof(label), tick));
	}
}

double mlv_page_bytes_y(int32_t y, int32_t rows, uint64_t top_bytes, uint64_t bytes)
{
	if (bytes >= top_bytes)
		return y;
	return y + rows - (double)bytes * rows / (double)top_bytes;
}

void mlv_page_bytes_axis(struct mlv_canvas *c, const struct mlv_theme *theme, int32_t x, int32_t y,
			 int32_t columns, int32_t rows, uint64_t top_bytes)
{
	struct mlv_font font = { 12, false };
	uint64_t step = mlv_axis_bytes_step(top_bytes, rows > 300 ? 8 : 4);
	for (uint64_t tick = 0; tick <= top_bytes; tick += step) {
		char label[MLV_NUM_SIZE];
		double at = mlv_page_bytes_y(y, rows, top_bytes, tick);
		mlv_axis_bytes_label(tick, label, sizeof(label));
		if (tick)
			mlv_canvas_rect(c, x, (int32_t)at, columns, 1, theme->grid, NULL);
		mlv_canvas_text(c, x - 10, at + 4, font, MLV_END, theme->text_dim, label);
		if (tick > UINT64_MAX - step)
			break;
	}
}

double mlv_page_legend_row(struct mlv_canvas *c, const struct mlv_theme *theme, double x, double w,
			   double y, const struct mlv_legend_row *row)
{
	struct mlv_font bold = { 12, true }, plain = { 12, false }, small = { 11, false };
	char fitted[512];
	double value = row->value ? mlv_text_width(plain, row->value) + 12 : 0, next = y + 15;
	mlv_canvas_rect(c, x, y - 10, 11, 11, row->color, NULL);
	mlv_text_fit(bold, row->name, w - 19 - value, false, fitted, sizeof(fitted));
	mlv_canvas_text(c, x + 19, y, bold, MLV_START, theme->text, fitted);
	if (row->value)
		mlv_canvas_text(c, x + w, y, plain, MLV_END, theme->text, row->value);
	if (row->place && *row->place) {
		mlv_text_fit(small, row->place, w - 19, true, fitted, sizeof(fitted));
		mlv_canvas_text(c, x + 19, next, small, MLV_START, theme->text_dim, fitted);
		next += 14;
	}
	if (row->share >= 0) {
		struct mlv_color bar = row->color;
		double length = (w - 19) * (row->share > 1 ? 1 : row->share);
		bar.a = 170;
		mlv_canvas_rect(c, x + 19, next - 8, length < 1 ? 1 : length, 3, bar, NULL);
	}
	return next + 14;
}
