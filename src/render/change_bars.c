/* SPDX-License-Identifier: MIT */
#include "render/change_bars.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "render/diff_colors.h"
#include "render/page.h"

enum { HEADING = 34, ROW = 36, FOOT = 40, BAR = 12, GAP = 14 };

static double most_of(const struct mlv_change_bars *chart, size_t shown, bool less)
{
	double most = 0;
	for (size_t i = 0; i < shown; i++) {
		double v = less ? -chart->bars[i].change : chart->bars[i].change;
		most = isfinite(v) && v > most ? v : most;
	}
	return most;
}

struct layout {
	double zero, per; /* x of no change, pixels of one */
	double x, w;
};

/* A name says more than the two values behind a change. Returns the room that the value takes. */
static double value_of(const struct mlv_change_bar *b, double room, struct mlv_font font, char *buf,
		       size_t size)
{
	const char *rest = strstr(b->value, "  (");
	bool all = !rest || mlv_text_width(font, b->value) < room * 0.45 ||
		   mlv_text_width(font, b->name) + mlv_text_width(font, b->value) + GAP < room;
	const char *end = rest ? strchr(rest, ')') : NULL;
	if (all)
		snprintf(buf, size, "%s", b->value);
	else
		snprintf(buf, size, "%.*s%s", (int)(rest - b->value), b->value, end ? end + 1 : "");
	return mlv_text_width(font, buf) + GAP;
}

static void draw_bar(struct mlv_canvas *c, const struct mlv_change_bars *chart,
		     const struct mlv_change_bar *b, const struct layout *l, double y)
{
	const struct mlv_theme *t = chart->theme;
	struct mlv_font font = { 12, false };
	char fitted[512], said[256];
	double value = value_of(b, l->w, font, said, sizeof(said));
	double length = isfinite(b->change) ? fabs(b->change) * l->per : 0;
	bool less = b->change < 0;
	mlv_text_fit(font, b->name, l->w - value, false, fitted, sizeof(fitted));
	mlv_canvas_text(c, l->x, y + 12, font, MLV_START, t->text, fitted);
	mlv_canvas_text(c, l->x + l->w, y + 12, font, MLV_END, t->text_dim, said);
	/* Names are wider than their half: the line runs between them. */
	mlv_canvas_rect(c, (int32_t)l->zero, y + 15, 1, BAR + 4, t->axis, NULL);
	if (length > 0 && length < 1)
		length = 1;
	if (length > 0)
		mlv_canvas_rect(c, less ? l->zero - length : l->zero, y + 17, length, BAR,
				mlv_diff_color(t, !less), b->name);
}

enum mlv_rc mlv_change_bars_draw(struct mlv_canvas *c, const struct mlv_change_bars *chart,
				 struct mlv_rect area, struct mlv_err *err)
{
	const struct mlv_theme *t = chart->theme;
	struct mlv_font small = { 11, false };
	double room = area.h - HEADING - FOOT;
	size_t shown = room < 3 * ROW ? 0 : (size_t)(room / ROW);
	char more[80], title[256];
	if (!shown || area.w < 200)
		return mlv_err_set(err, MLV_E_USAGE,
				   "the picture is too small; choose a larger --size");
	shown = shown < chart->count ? shown : chart->count;
	double less = most_of(chart, shown, true), rise = most_of(chart, shown, false);
	struct layout l = { .x = area.x, .w = area.w };
	l.per = less + rise > 0 ? (area.w - 2) / (less + rise) : 0;
	l.zero = area.x + less * l.per;
	mlv_text_fit((struct mlv_font){ 13, true }, chart->title, area.w, false, title,
		     sizeof(title));
	double y = mlv_page_legend_heading(c, t, area.x, area.y, title) - 8;
	for (size_t i = 0; i < shown; i++)
		draw_bar(c, chart, &chart->bars[i], &l, y + (double)i * ROW);
	y += (double)shown * ROW + 16;
	if (chart->count > shown) {
		snprintf(more, sizeof(more), "and %zu more", chart->count - shown);
		mlv_canvas_text(c, area.x, y, small, MLV_START, t->text_dim, more);
		y += 15;
	}
	if (chart->note)
		mlv_page_legend_note(c, t, area.x, y, chart->note);
	return MLV_OK;
}
