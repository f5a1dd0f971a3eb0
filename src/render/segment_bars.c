/* SPDX-License-Identifier: MIT */
/* The bars of a segment map: edges, blocks, and the labels within them. */
#include <stdio.h>

#include "base/num.h"
#include "render/palette.h"
#include "render/segment_map_chart.h"

/* Blocks narrower than this have no line at their edge: it would be all of them. */
enum { SEAM = 4, LABEL_HEIGHT = 13 };

struct drawing {
	struct mlv_canvas *c;
	const struct mlv_segment_map_chart *chart;
	const struct mlv_segment_flow *flow;
	const struct mlv_map_sites *sites;
	int32_t x, y; /* of the area */
	struct mlv_buf title;
	size_t labelled; /* the block that has its label already: it may go on in other rows */
};

static int32_t row_y(const struct drawing *d, size_t row)
{
	return d->y + d->flow->rows.data[row].y;
}

/* The ground of a bar, and lines around it; open where the segment goes on in another row. */
static void draw_bar(const struct drawing *d, const struct mlv_flow_bar *b)
{
	const struct mlv_theme *t = d->chart->theme;
	int32_t x0 = d->x + b->x0, x1 = d->x + b->x1, y = row_y(d, b->row);
	int32_t h = d->flow->bar_height, left = !b->from_left, right = !b->to_right;
	mlv_canvas_rect(d->c, x0 - left, y - 1, x1 - x0 + left + right, h + 2, t->reserved_line,
			NULL);
	mlv_canvas_rect(d->c, x0, y, x1 - x0, h, t->reserved_fill, NULL);
}

static void fill(const struct drawing *d, int32_t x0, int32_t x1, int32_t y0, int32_t y1,
		 struct mlv_color color, enum mlv_fill fill)
{
	struct mlv_strip strip = { x0, x1, y0, y1 };
	struct mlv_ribbon r = { .strips = &strip,
				.count = 1,
				.color = color,
				.fill = fill,
				.title = d->chart->hover ? d->title.data : NULL };
	if (x1 > x0 && y1 > y0)
		mlv_canvas_ribbon(d->c, &r);
}

/* Of a block, once. */
static void draw_label(struct drawing *d, const struct mlv_flow_cell *cell, int32_t x0, int32_t x1,
		       struct mlv_color ground, const char *text, bool bold)
{
	struct mlv_font font = { 10, bold };
	int32_t y = row_y(d, cell->row);
	if (d->labelled == cell->first || d->flow->bar_height < LABEL_HEIGHT ||
	    mlv_text_width(font, text) + 6 > x1 - x0)
		return;
	d->labelled = cell->first;
	mlv_canvas_text(d->c, (x0 + x1) / 2.0, y + d->flow->bar_height / 2.0 + 3.5, font,
			MLV_MIDDLE, mlv_color_text_on(ground), text);
}

/* Addresses without memory: no bar, only the thread that holds its ends together. */
static void draw_gap(struct drawing *d, int32_t x0, int32_t x1, int32_t y)
{
	const struct mlv_theme *t = d->chart->theme;
	int32_t h = d->flow->bar_height;
	fill(d, x0, x1, y - 1, y + h + 1, t->ground, MLV_FILL_SOLID);
	mlv_canvas_rect(d->c, x0, y + h - 1, x1 - x0, 1, t->reserved_line, NULL);
	mlv_canvas_rect(d->c, x0, y, 1, h, t->reserved_line, NULL);
	mlv_canvas_rect(d->c, x1 - 1, y, 1, h, t->reserved_line, NULL);
}

static void draw_single(struct drawing *d, const struct mlv_flow_cell *cell)
{
	const struct mlv_theme *t = d->chart->theme;
	const struct mlv_map_block *b = &d->chart->map->blocks.data[cell->first];
	int32_t x0 = d->x + cell->x0, x1 = d->x + cell->x1, used = d->x + cell->x_used;
	int32_t y = row_y(d, cell->row), y1 = y + d->flow->bar_height;
	struct mlv_color color = mlv_map_color(d->chart, d->sites, b), ground = color;
	char size[MLV_NUM_SIZE], text[80];
	if (b->state == MLV_CACHE_ALLOCATED) {
		fill(d, x0, used, y, y1, color, MLV_FILL_SOLID);
		fill(d, used, x1, y, y1, color, MLV_FILL_HATCH);
	} else if (b->state == MLV_CACHE_PENDING) {
		fill(d, x0, x1, y, y1, t->pending, MLV_FILL_HATCH);
		ground = t->ground;
	} else if (b->state == MLV_CACHE_UNMAPPED) {
		draw_gap(d, x0, x1, y);
		ground = t->ground;
	} else {
		fill(d, x0, x1, y, y1, t->reserved_fill, MLV_FILL_SOLID);
		ground = t->reserved_fill;
	}
	struct mlv_color seam = t->seam;
	seam.a = 150;
	if (x1 - x0 >= SEAM && b->state != MLV_CACHE_FREE && b->state != MLV_CACHE_UNMAPPED)
		mlv_canvas_rect(d->c, x0, y, 1, y1 - y, seam, NULL);
	mlv_fmt_bytes(size, sizeof(size), b->bytes);
	snprintf(text, sizeof(text), "%s%s", size,
		 b->state == MLV_CACHE_UNMAPPED ? " unmapped" : "");
	if (cell->first != d->chart->map->largest && b->state != MLV_CACHE_PENDING)
		draw_label(d, cell, x0, used, ground, text, false);
}

/* Whose colour stands for blocks that share their pixels: of those that hold most there. */
static struct mlv_color main_color(const struct drawing *d, const struct mlv_flow_cell *cell)
{
	const struct mlv_map_block *most = NULL;
	for (size_t i = 0; i < cell->blocks; i++) {
		const struct mlv_map_block *b = &d->chart->map->blocks.data[cell->first + i];
		if (b->state == MLV_CACHE_ALLOCATED && (!most || b->bytes > most->bytes))
			most = b;
	}
	return most ? mlv_map_color(d->chart, d->sites, most) : d->chart->theme->other;
}

/* Shares of the height: in use at the bottom, free on top. */
static void draw_together(const struct drawing *d, const struct mlv_flow_cell *cell)
{
	const struct mlv_theme *t = d->chart->theme;
	const struct mlv_map_sums *s = &cell->sums;
	const uint64_t parts[] = { s->requested, s->rounding, s->pending };
	struct mlv_color color = main_color(d, cell);
	const struct mlv_color colors[] = { color, color, t->pending };
	int32_t x0 = d->x + cell->x0, x1 = d->x + cell->x1, h = d->flow->bar_height;
	int32_t base = row_y(d, cell->row) + h, bottom = base;
	uint64_t all = s->requested + s->rounding + s->pending + s->free_bytes + s->unmapped;
	uint64_t sum = 0;
	for (size_t i = 0; i < 3; i++) {
		sum += parts[i];
		int32_t top = base - (int32_t)((double)sum / (double)all * h + 0.5);
		fill(d, x0, x1, top, bottom, colors[i], i ? MLV_FILL_HATCH : MLV_FILL_SOLID);
		bottom = top;
	}
	fill(d, x0, x1, base - h, bottom, t->reserved_fill, MLV_FILL_SOLID);
}

void mlv_segment_largest_frame(struct mlv_canvas *c, const struct mlv_theme *theme, int32_t x0,
			       int32_t x1, int32_t y, int32_t height)
{
	const int32_t line = 2;
	mlv_canvas_rect(c, x0, y, x1 - x0, line, theme->good, NULL);
	mlv_canvas_rect(c, x0, y + height - line, x1 - x0, line, theme->good, NULL);
	mlv_canvas_rect(c, x0, y, line, height, theme->good, NULL);
	mlv_canvas_rect(c, x1 - line, y, line, height, theme->good, NULL);
}

static void mark_largest(struct drawing *d, const struct mlv_flow_cell *cell)
{
	const struct mlv_theme *t = d->chart->theme;
	int32_t x0 = d->x + cell->x0, x1 = d->x + cell->x1, y = row_y(d, cell->row);
	char size[MLV_NUM_SIZE], text[80];
	mlv_fmt_bytes(size, sizeof(size), d->chart->map->blocks.data[cell->first].bytes);
	snprintf(text, sizeof(text), "largest free: %s", size);
	mlv_segment_largest_frame(d->c, t, x0, x1, y, d->flow->bar_height);
	struct mlv_font font = { 10, true };
	draw_label(d, cell, x0, x1, t->reserved_fill,
		   mlv_text_width(font, text) + 6 > x1 - x0 ? size : text, true);
}

void mlv_segment_bars_draw(struct mlv_canvas *c, const struct mlv_segment_map_chart *chart,
			   const struct mlv_segment_flow *flow, const struct mlv_map_sites *sites,
			   int32_t x, int32_t y)
{
	struct drawing d = { c, chart, flow, sites, x, y, { 0 }, SIZE_MAX };
	for (size_t i = 0; i < flow->bars.len; i++)
		draw_bar(&d, &flow->bars.data[i]);
	for (size_t i = 0; i < flow->cells.len; i++) {
		const struct mlv_flow_cell *cell = &flow->cells.data[i];
		if (cell->x1 <= cell->x0)
			continue;
		if (chart->hover)
			mlv_segment_hover(chart, cell, &d.title);
		if (cell->single)
			draw_single(&d, cell);
		else
			draw_together(&d, cell);
		if (cell->single && cell->first == chart->map->largest)
			mark_largest(&d, cell);
	}
	mlv_buf_fini(&d.title);
}
