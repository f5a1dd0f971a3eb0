/* SPDX-License-Identifier: MIT */
/* What is what in a segment map, how much of it there is, and the scale. */
#include <stdio.h>

#include "base/num.h"
#include "render/page.h"
#include "render/palette.h"
#include "render/segment_map_chart.h"

enum { ROW = 20, CHIP = 14 };

struct legend {
	struct mlv_canvas *c;
	const struct mlv_segment_map_chart *chart;
	double x, w, y;
};

static void row_text(struct legend *l, const char *name, uint64_t bytes)
{
	const struct mlv_theme *t = l->chart->theme;
	struct mlv_font font = { 12, false };
	char value[MLV_NUM_SIZE], fitted[160];
	mlv_fmt_bytes(value, sizeof(value), bytes);
	double room = l->w - 22 - mlv_text_width(font, value) - 8;
	mlv_text_fit(font, name, room, false, fitted, sizeof(fitted));
	mlv_canvas_text(l->c, l->x + 22, l->y, font, MLV_START, t->text, fitted);
	mlv_canvas_text(l->c, l->x + l->w, l->y, font, MLV_END, t->text, value);
	l->y += ROW;
}

static void chip(const struct legend *l, struct mlv_color color, enum mlv_fill fill)
{
	int32_t x = (int32_t)l->x, y = (int32_t)l->y;
	struct mlv_strip strip = { x, x + CHIP, y - 10, y + 1 };
	struct mlv_ribbon r = { .strips = &strip, .count = 1, .color = color, .fill = fill };
	mlv_canvas_ribbon(l->c, &r);
}

static void framed_chip(const struct legend *l, bool largest)
{
	const struct mlv_theme *t = l->chart->theme;
	int32_t x = (int32_t)l->x, y = (int32_t)l->y;
	if (!largest)
		mlv_canvas_rect(l->c, x, y - 10, CHIP, 11, t->reserved_line, NULL);
	mlv_canvas_rect(l->c, x + 1, y - 9, CHIP - 2, 9, t->reserved_fill, NULL);
	if (largest)
		mlv_segment_largest_frame(l->c, t, x, x + CHIP, y - 10, 11);
}

/* Of what there is something. */
static void draw_states(struct legend *l)
{
	const struct mlv_segment_map *m = l->chart->map;
	const struct mlv_map_sums *s = &m->sums;
	const struct mlv_theme *t = l->chart->theme;
	struct mlv_color used = l->chart->by_site ? t->other : mlv_palette_color(0);
	char name[120], count[MLV_NUM_SIZE];
	chip(l, used, MLV_FILL_SOLID);
	snprintf(name, sizeof(name), "in use, %s",
		 mlv_fmt_count_of(count, sizeof(count), m->live_blocks, "block", "blocks"));
	row_text(l, name, s->requested);
	chip(l, used, MLV_FILL_HATCH);
	row_text(l, "lost to rounding within them", s->rounding);
	if (s->pending) {
		chip(l, t->pending, MLV_FILL_HATCH);
		row_text(l, "freed, awaiting a stream", s->pending);
	}
	framed_chip(l, false);
	snprintf(name, sizeof(name), "free, %s",
		 mlv_fmt_count_of(count, sizeof(count), m->free_blocks, "block", "blocks"));
	row_text(l, name, s->free_bytes);
	if (s->free_bytes) {
		framed_chip(l, true);
		row_text(l, "the largest of them", m->blocks.data[m->largest].bytes);
	}
	row_text(l, "reserved together", s->requested + s->rounding + s->pending + s->free_bytes);
	if (s->unmapped) {
		mlv_canvas_rect(l->c, l->x, l->y, CHIP, 1, t->reserved_line, NULL);
		row_text(l, "unmapped in between", s->unmapped);
	}
}

/* One line: the name, the place as far as there is room, and the bytes. */
static void site_row(struct legend *l, const struct mlv_map_site *s)
{
	const struct mlv_theme *t = l->chart->theme;
	struct mlv_font bold = { 12, true }, plain = { 12, false }, small = { 11, false };
	char name[256], place[512], value[MLV_NUM_SIZE], fitted[512];
	mlv_class_name(l->chart->classes, s->cls, name, sizeof(name), place, sizeof(place));
	mlv_fmt_bytes(value, sizeof(value), s->bytes);
	double right = l->x + l->w, x = l->x + 22;
	double room = right - x - mlv_text_width(plain, value) - 8;
	chip(l, s->color, MLV_FILL_SOLID);
	mlv_canvas_text(l->c, right, l->y, plain, MLV_END, t->text, value);
	double used = mlv_text_fit(bold, name, *place ? room * 0.55 : room, false, fitted,
				   sizeof(fitted));
	mlv_canvas_text(l->c, x, l->y, bold, MLV_START, t->text, fitted);
	mlv_text_fit(small, place, room - used - 8, false, fitted, sizeof(fitted));
	mlv_canvas_text(l->c, x + used + 8, l->y, small, MLV_START, t->text_dim, fitted);
	l->y += ROW;
}

static void draw_sites(struct legend *l, const struct mlv_map_sites *sites, double bottom)
{
	const struct mlv_theme *t = l->chart->theme;
	size_t i = 0;
	uint64_t rest = 0;
	if (!sites->count || l->y + 30 + 2 * ROW > bottom)
		return;
	l->y = mlv_page_legend_heading(l->c, t, l->x, l->y + 6, "In use by");
	for (; i < sites->named && l->y + 2 * ROW <= bottom; i++)
		site_row(l, &sites->list[i]);
	for (size_t k = i; k < sites->count; k++)
		rest += sites->list[k].bytes;
	if (i < sites->count) {
		char count[MLV_NUM_SIZE];
		chip(l, t->other, MLV_FILL_SOLID);
		mlv_fmt_count_of(count, sizeof(count), sites->count - i, "other call site",
				 "other call sites");
		row_text(l, count, rest);
	}
}

static void draw_notes(struct legend *l, const struct mlv_segment_flow *flow, double bottom)
{
	const struct mlv_theme *t = l->chart->theme;
	char text[160], count[MLV_NUM_SIZE];
	uint64_t together = 0;
	for (size_t i = 0; i < flow->cells.len; i++)
		together += flow->cells.data[i].single ? 0 : flow->cells.data[i].blocks;
	if (together && l->y + 14 <= bottom) {
		snprintf(text, sizeof(text), "%s narrower than a pixel share",
			 mlv_fmt_count_of(count, sizeof(count), together, "block", "blocks"));
		l->y = mlv_page_legend_note(l->c, t, l->x, l->y, text);
		l->y = mlv_page_legend_note(l->c, t, l->x, l->y,
					    "its height: in use below, free above");
	}
	if (flow->joined && l->y + 14 <= bottom) {
		snprintf(text, sizeof(text), "%s stand without gaps",
			 mlv_fmt_count_of(count, sizeof(count), flow->joined, "narrow segment",
					  "narrow segments"));
		l->y = mlv_page_legend_note(l->c, t, l->x, l->y, text);
	}
}

void mlv_segment_legend_draw(struct mlv_canvas *c, const struct mlv_segment_map_chart *chart,
			     const struct mlv_segment_flow *flow, const struct mlv_map_sites *sites,
			     struct mlv_rect side)
{
	struct legend l = { c, chart, side.x, side.w, side.y };
	double bottom = side.y + side.h;
	l.y = mlv_page_legend_heading(c, chart->theme, side.x, side.y + 12, "The map");
	draw_states(&l);
	draw_notes(&l, flow, bottom);
	draw_sites(&l, sites, bottom);
}
