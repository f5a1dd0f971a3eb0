/* SPDX-License-Identifier: MIT */
#include "render/bars_chart.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/num.h"
#include "render/palette.h"

enum { LEFT = 84, NAMES = 420, VALUES = 110, RIGHT = 40, HEADING = 34, ROW_MIN = 12, ROW_MAX = 26 };

static double value_of(const struct mlv_table *t, size_t row)
{
	const struct mlv_cell *c = &t->cells.data[t->rows.data[row].first_cell + t->by];
	return c->present ? mlv_decimal_value(c->value) : 0;
}

static void value_text(const struct mlv_table *t, size_t row, char *buf, size_t size)
{
	const struct mlv_cell *c = &t->cells.data[t->rows.data[row].first_cell + t->by];
	if (c->present && c->value.unit == MLV_UNIT_NS && !c->value.exponent)
		mlv_fmt_duration(buf, size, c->value.mantissa);
	else if (c->present && c->value.unit == MLV_UNIT_BYTES && !c->value.exponent &&
		 c->value.mantissa >= 0)
		mlv_fmt_bytes(buf, size, (uint64_t)c->value.mantissa);
	else
		mlv_decimal_text(c->value, buf, size);
}

static void draw_row(struct mlv_canvas *c, const struct mlv_bars_chart *chart,
		     const struct mlv_table *t, size_t row, double y, double h, double most)
{
	const struct mlv_page *page = &chart->page;
	struct mlv_font font = { h < 14 ? 10 : 12, false };
	struct mlv_str subject = t->rows.data[row].subject;
	char whole[512], fitted[512], value[64];
	double x = LEFT + NAMES, w = page->width - x - VALUES - RIGHT, v = value_of(t, row);
	snprintf(whole, sizeof(whole), "%.500s", subject.p);
	mlv_text_fit(font, whole, NAMES - 14, true, fitted, sizeof(fitted));
	mlv_canvas_text(c, x - 10, y + h / 2 + 4, font, MLV_END, page->theme->text, fitted);
	double length = isfinite(v) && v > 0 && most > 0 ? w * v / most : 0;
	struct mlv_color color =
		mlv_palette_color(mlv_palette_index(XXH3_64bits(subject.p, subject.n), 0));
	if (length > 0)
		mlv_canvas_rect(c, x, (int32_t)(y + 2), length < 1 ? 1 : (int32_t)length,
				(int32_t)h - 4, color, whole);
	value_text(t, row, value, sizeof(value));
	mlv_canvas_text(c, x + length + 8, y + h / 2 + 4, font, MLV_START, page->theme->text_dim,
			value);
}

static void draw_table(struct mlv_canvas *c, const struct mlv_bars_chart *chart,
		       const struct mlv_table *t, double y, double height)
{
	const struct mlv_theme *theme = chart->page.theme;
	struct mlv_font heading = { 13, true }, small = { 11, false };
	char text[400], fitted[400];
	size_t rows = t->rows.len, most_rows = (size_t)((height - HEADING - 16) / ROW_MIN);
	double most = 0;
	snprintf(text, sizeof(text), "%s, by %s", t->title,
		 t->columns.len ? t->columns.data[t->by].name : "");
	mlv_text_fit(heading, text, chart->page.width - LEFT - RIGHT, true, fitted, sizeof(fitted));
	mlv_canvas_text(c, LEFT, y + 16, heading, MLV_START, theme->text, fitted);
	for (size_t i = 0; i < rows; i++) {
		double v = value_of(t, i);
		most = isfinite(v) && v > most ? v : most;
	}
	size_t shown = rows < chart->top ? rows : chart->top;
	shown = shown < most_rows ? shown : most_rows;
	double h = shown ? (height - HEADING - 16) / (double)shown : ROW_MAX, at = y + HEADING;
	h = h > ROW_MAX ? ROW_MAX : h;
	for (size_t i = 0; i < shown; i++) {
		draw_row(c, chart, t, i, at, h, most);
		at += h;
	}
	if (rows > shown) {
		snprintf(text, sizeof(text), "and %zu more rows", rows - shown);
		mlv_canvas_text(c, LEFT + NAMES, at + 12, small, MLV_START, theme->text_dim, text);
	}
}

enum mlv_rc mlv_bars_chart_draw(struct mlv_canvas *c, const struct mlv_bars_chart *chart,
				struct mlv_err *err)
{
	double top = mlv_page_headings(c, &chart->page) + 10;
	double each = (chart->page.height - top - 20) / (double)(chart->count ? chart->count : 1);
	if (each < HEADING + 3 * ROW_MIN || chart->page.width < LEFT + NAMES + VALUES + RIGHT + 40)
		return mlv_err_set(err, MLV_E_USAGE,
				   "the picture is too small; choose a larger --size");
	for (size_t i = 0; i < chart->count; i++)
		draw_table(c, chart, chart->tables[i], top + each * (double)i, each);
	return MLV_OK;
}
