/* SPDX-License-Identifier: MIT */
#include "render/pair_bars.h"

#include <math.h>
#include <stdio.h>

#include "render/diff_colors.h"
#include "render/page.h"

enum { LEFT = 84, NAMES = 200, VALUES = 90, HEADING = 74, ROW_MIN = 26, ROW_MAX = 58 };

static void draw_sides(struct mlv_canvas *c, const struct mlv_pair_bars *chart,
		       struct mlv_rect area)
{
	struct mlv_font bold = { 12, true }, font = { 12, false };
	for (unsigned s = 0; s < 2; s++) {
		double y = area.y + 34 + 18 * (double)s;
		char fitted[400];
		mlv_canvas_rect(c, area.x + LEFT, y - 9, 11, 11, mlv_diff_color(chart->theme, s),
				NULL);
		mlv_canvas_text(c, area.x + LEFT + 19, y, bold, MLV_START, chart->theme->text,
				s ? "B" : "A");
		mlv_text_fit(font, chart->side[s], area.w - LEFT - 40, true, fitted,
			     sizeof(fitted));
		mlv_canvas_text(c, area.x + LEFT + 36, y, font, MLV_START, chart->theme->text_dim,
				fitted);
	}
}

static void draw_pair(struct mlv_canvas *c, const struct mlv_pair_bars *chart,
		      const struct mlv_pair_bar *b, struct mlv_rect row, double most)
{
	struct mlv_font font = { 12, false }, small = { 11, false };
	double x = row.x + LEFT + NAMES, w = row.w - LEFT - NAMES - VALUES;
	double h = (row.h - 8) / 2;
	char fitted[300];
	mlv_text_fit(font, b->name, NAMES - 12, true, fitted, sizeof(fitted));
	mlv_canvas_text(c, x - 10, row.y + row.h / 2, font, MLV_END, chart->theme->text, fitted);
	for (unsigned s = 0; s < 2; s++) {
		double y = row.y + h * (double)s;
		double length = most > 0 && b->value[s] > 0 ? w * b->value[s] / most : 0;
		if (!b->present[s])
			continue;
		mlv_canvas_rect(c, x, y, length < 1 ? 1 : length, h - 1,
				mlv_diff_color(chart->theme, s), b->name);
		mlv_canvas_text(c, x + length + 7, y + h / 2 + 4, small, MLV_START,
				chart->theme->text_dim, b->text[s]);
	}
}

enum mlv_rc mlv_pair_bars_draw(struct mlv_canvas *c, const struct mlv_pair_bars *chart,
			       struct mlv_rect area, struct mlv_err *err)
{
	struct mlv_font heading = { 13, true }, small = { 11, false };
	double room = area.h - HEADING - 24, most = 0;
	size_t fits = room > 0 ? (size_t)(room / ROW_MIN) : 0;
	if (!fits || area.w < LEFT + NAMES + VALUES + 60)
		return mlv_err_set(err, MLV_E_USAGE,
				   "the picture is too small; choose a larger --size");
	size_t shown = chart->count < fits ? chart->count : fits;
	for (size_t i = 0; i < shown; i++) {
		for (unsigned s = 0; s < 2; s++)
			most = chart->bars[i].value[s] > most ? chart->bars[i].value[s] : most;
	}
	mlv_canvas_text(c, area.x + LEFT, area.y + 12, heading, MLV_START, chart->theme->text,
			chart->title);
	draw_sides(c, chart, area);
	double h = shown ? room / (double)shown : ROW_MAX;
	h = h > ROW_MAX ? ROW_MAX : h;
	for (size_t i = 0; i < shown; i++) {
		struct mlv_rect row = { area.x, area.y + HEADING + h * (double)i, area.w, h };
		draw_pair(c, chart, &chart->bars[i], row, most);
	}
	if (chart->count > shown) {
		char more[80];
		snprintf(more, sizeof(more), "and %zu more", chart->count - shown);
		mlv_canvas_text(c, area.x + LEFT + NAMES, area.y + area.h - 8, small, MLV_START,
				chart->theme->text_dim, more);
	}
	return MLV_OK;
}
