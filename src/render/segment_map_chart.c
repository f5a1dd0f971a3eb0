/* SPDX-License-Identifier: MIT */
#include "render/segment_map_chart.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/num.h"
#include "render/axis.h"

/* The gutter holds the address of each row. */
enum { LEFT = 128, RIGHT = 20, TOP = 26, ADDRESS = 11, SCALE = 20 };

static void pool_name(const struct mlv_segment_map_chart *chart, const struct mlv_map_group *g,
		      char *buf, size_t size)
{
	const struct mlv_run *run = chart->history->run;
	char pool[80], stream[40];
	if (g->pool == MLV_POOL_DEFAULT || g->pool >= run->pools.len)
		snprintf(pool, sizeof(pool), "default pool");
	else
		snprintf(pool, sizeof(pool), "private pool (%" PRId64 ", %" PRId64 ")",
			 run->pools.data[g->pool].owner, run->pools.data[g->pool].id);
	if (g->stream)
		snprintf(stream, sizeof(stream), "stream 0x%" PRIx64, g->stream);
	else
		snprintf(stream, sizeof(stream), "default stream");
	snprintf(buf, size, "%s, %s blocks, %s", pool, g->small ? "small" : "large", stream);
}

/* Groups that share a part are named by their number. */
static void part_name(const struct mlv_segment_map_chart *chart,
		      const struct mlv_segment_flow *flow, const struct mlv_flow_part *p, char *buf,
		      size_t size)
{
	if (p->groups == 1)
		pool_name(chart, &chart->map->groups.data[flow->order[p->first]], buf, size);
	else
		snprintf(buf, size, "%zu more pools and streams", p->groups);
}

static void part_figures(const struct mlv_segment_map_chart *chart,
			 const struct mlv_segment_flow *flow, const struct mlv_flow_part *p,
			 char *buf, size_t size)
{
	struct mlv_map_group sum = { 0 };
	char count[MLV_NUM_SIZE], mapped[MLV_NUM_SIZE], rest[MLV_NUM_SIZE], pieces[MLV_NUM_SIZE],
		largest[MLV_NUM_SIZE];
	for (size_t i = 0; i < p->groups; i++) {
		const struct mlv_map_group *g = &chart->map->groups.data[flow->order[p->first + i]];
		sum.segments += g->segments;
		sum.mapped += g->mapped;
		sum.free_bytes += g->free_bytes;
		sum.free_blocks += g->free_blocks;
		sum.largest = g->largest > sum.largest ? g->largest : sum.largest;
	}
	mlv_fmt_count_of(count, sizeof(count), sum.segments, "segment", "segments");
	mlv_fmt_bytes(mapped, sizeof(mapped), sum.mapped);
	if (!sum.free_blocks) {
		snprintf(buf, size, "%s, %s, nothing free", count, mapped);
		return;
	}
	snprintf(buf, size, "%s, %s; %s free in %s, the largest %s", count, mapped,
		 mlv_fmt_bytes(rest, sizeof(rest), sum.free_bytes),
		 mlv_fmt_count_of(pieces, sizeof(pieces), sum.free_blocks, "block", "blocks"),
		 mlv_fmt_bytes(largest, sizeof(largest), sum.largest));
}

static void draw_headings(struct mlv_canvas *c, const struct mlv_segment_map_chart *chart,
			  const struct mlv_segment_flow *flow, int32_t x, int32_t y)
{
	const struct mlv_theme *t = chart->theme;
	struct mlv_font bold = { 12, true }, plain = { 12, false };
	for (size_t i = 0; i < flow->parts.len; i++) {
		const struct mlv_flow_part *p = &flow->parts.data[i];
		char name[200], figures[300], fitted[300];
		double base = y + p->y + MLV_FLOW_HEADING - 6;
		part_name(chart, flow, p, name, sizeof(name));
		part_figures(chart, flow, p, figures, sizeof(figures));
		double w = mlv_text_fit(bold, name, flow->width, true, fitted, sizeof(fitted));
		mlv_canvas_text(c, x, base, bold, MLV_START, t->text, fitted);
		mlv_text_fit(plain, figures, flow->width - w - 12, false, fitted, sizeof(fitted));
		mlv_canvas_text(c, x + w + 12, base, plain, MLV_START, t->text_dim, fitted);
	}
}

/* The address that each row begins with; of narrow rows, as many as can be read. */
static void draw_addresses(struct mlv_canvas *c, const struct mlv_segment_map_chart *chart,
			   const struct mlv_segment_flow *flow, int32_t x, int32_t y)
{
	struct mlv_font font = { 10, false };
	double free_from = -1;
	for (size_t i = 0; i < flow->rows.len; i++) {
		char text[40], fitted[40];
		double middle = y + flow->rows.data[i].y + flow->bar_height / 2.0 + 3.5;
		if (middle < free_from)
			continue;
		free_from = middle + ADDRESS;
		snprintf(text, sizeof(text), "0x%" PRIx64, flow->rows.data[i].addr);
		mlv_text_fit(font, text, LEFT - 12, true, fitted, sizeof(fitted));
		mlv_canvas_text(c, x - 8, middle, font, MLV_END, chart->theme->text_dim, fitted);
	}
}

/* A length in the scale of the map, with words behind it, or on it where it is too long. */
static void draw_length(struct mlv_canvas *c, const struct mlv_segment_flow *flow, int32_t x,
			int32_t y, uint64_t bytes, struct mlv_color color, const char *text)
{
	struct mlv_font font = { 12, false };
	double wide = (double)bytes / flow->bytes_per_pixel, room = mlv_text_width(font, text) + 8;
	int32_t w = wide > flow->width ? flow->width : wide < 1 ? 1 : (int32_t)(wide + 0.5);
	bool behind = w + room <= flow->width;
	int32_t end = x + (behind ? w : flow->width - (int32_t)room);
	mlv_canvas_rect(c, x, y + 7, end - x, 4, color, NULL);
	mlv_canvas_rect(c, x, y + 4, 1, 10, color, NULL);
	if (behind)
		mlv_canvas_rect(c, end - 1, y + 4, 1, 10, color, NULL);
	mlv_canvas_text(c, end + 8, y + 13, font, MLV_START, color, text);
}

/* What could not be had, if anything, and a round number of bytes. */
static void draw_scale(struct mlv_canvas *c, const struct mlv_segment_map_chart *chart,
		       const struct mlv_segment_flow *flow, int32_t x, int32_t y)
{
	char bytes[MLV_NUM_SIZE], text[120];
	double most = flow->width / 8.0 * flow->bytes_per_pixel;
	uint64_t tick = mlv_axis_bytes_step((uint64_t)most, 1);
	if (chart->request) {
		mlv_fmt_bytes(bytes, sizeof(bytes), chart->request);
		snprintf(text, sizeof(text), "%s could not be had in one piece, to scale", bytes);
		draw_length(c, flow, x, y, chart->request, chart->theme->oom, text);
		y += SCALE;
	}
	mlv_axis_bytes_label(tick, bytes, sizeof(bytes));
	snprintf(text, sizeof(text), "%s, to scale", bytes);
	draw_length(c, flow, x, y, tick, chart->theme->text_dim, text);
}

enum mlv_rc mlv_segment_map_draw(struct mlv_canvas *c, const struct mlv_segment_map_chart *chart,
				 struct mlv_rect area, struct mlv_rect side, struct mlv_err *err)
{
	struct mlv_segment_flow flow;
	struct mlv_map_sites sites;
	struct mlv_font font = { 13, true };
	char fitted[300];
	int32_t x = (int32_t)area.x + LEFT, y = (int32_t)area.y + TOP;
	int32_t below = (chart->request ? 2 : 1) * SCALE + 10;
	int32_t bottom = (int32_t)(area.y + area.h) - below;
	enum mlv_rc rc = mlv_segment_flow_init(&flow, chart->map, (int32_t)area.w - LEFT - RIGHT,
					       bottom - y, err);
	if (rc)
		return rc;
	rc = mlv_map_sites_init(&sites, chart, chart->top, err);
	if (!rc) {
		mlv_text_fit(font, chart->title, flow.width, true, fitted, sizeof(fitted));
		mlv_canvas_text(c, x, area.y + 14, font, MLV_START, chart->theme->text, fitted);
		draw_headings(c, chart, &flow, x, y);
		draw_addresses(c, chart, &flow, x, y);
		mlv_segment_bars_draw(c, chart, &flow, &sites, x, y);
		draw_scale(c, chart, &flow, x, bottom + 2);
		if (side.w > 0)
			mlv_segment_legend_draw(c, chart, &flow, &sites, side);
		mlv_map_sites_fini(&sites);
	}
	mlv_segment_flow_fini(&flow);
	return rc;
}
