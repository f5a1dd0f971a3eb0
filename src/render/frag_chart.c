/* SPDX-License-Identifier: MIT */
#include "render/frag_chart.h"

#include <stdio.h>

#include "base/num.h"
#include "render/frag_plot.h"
#include "render/page.h"

enum { BELOW = 42, GAP = 18 };

/* Of one of the two shares. */
static void draw_share_axis(const struct mlv_frag_plot *p, enum mlv_frag_line line)
{
	const struct mlv_theme *t = p->chart->theme;
	struct mlv_font font = { 12, false };
	int step = p->share_rows > 120 ? 25 : p->share_rows > 40 ? 50 : 100;
	for (int percent = 0; percent <= 100; percent += step) {
		char label[16];
		double y = mlv_frag_share_y(p, line, (float)percent / 100);
		snprintf(label, sizeof(label), "%d %%", percent);
		mlv_canvas_rect(p->c, p->x, (int32_t)y, p->columns, 1, percent ? t->grid : t->axis,
				NULL);
		mlv_canvas_text(p->c, p->x - 10, y + 4, font, MLV_END, t->text_dim, label);
	}
}

static void draw_axes(const struct mlv_frag_plot *p)
{
	const struct mlv_theme *t = p->chart->theme;
	const struct mlv_frag_series *s = p->chart->settings[0].series;
	struct mlv_font font = { 12, false };
	mlv_page_bytes_axis(p->c, t, p->x, p->y, p->columns, p->rows, p->top_bytes);
	mlv_canvas_rect(p->c, p->x, p->y + p->rows, p->columns, 1, t->axis, NULL);
	draw_share_axis(p, MLV_FRAG_SCATTERED);
	draw_share_axis(p, MLV_FRAG_IDLE);
	mlv_page_event_ticks(p->c, t, p->x, p->columns, p->base, s->first, s->last);
	mlv_canvas_text(p->c, p->x + p->columns / 2.0, p->base + 37, font, MLV_MIDDLE, t->text_dim,
			"event");
}

static void draw_limit(const struct mlv_frag_plot *p)
{
	const struct mlv_theme *t = p->chart->theme;
	struct mlv_font font = { 12, true };
	char bytes[MLV_NUM_SIZE], text[80];
	if (!p->chart->limit)
		return;
	double y = (int32_t)mlv_page_bytes_y(p->y, p->rows, p->top_bytes, p->chart->limit) + 0.5;
	struct mlv_point line[2] = { { p->x, y }, { p->x + p->columns, y } };
	mlv_canvas_polyline(p->c, line, 2, 1.5, t->capacity, 6);
	snprintf(text, sizeof(text), "limit %s",
		 mlv_fmt_bytes(bytes, sizeof(bytes), p->chart->limit));
	mlv_canvas_text(p->c, p->x + 6, y - 6, font, MLV_START, t->capacity, text);
}

/* Names at the right end of lines, pushed apart where they would lie on each other. */
static void draw_names(const struct mlv_frag_plot *p, const enum mlv_frag_line *lines,
		       const char *const *names, size_t n, double bottom)
{
	struct mlv_font font = { 12, false };
	const struct mlv_frag_series *s = p->chart->settings[0].series;
	const struct mlv_frag_column *last = &s->columns[s->ended - 1];
	double free_from = 0;
	for (size_t i = 0; i < n; i++) {
		/* They come from the highest to the lowest. */
		double y = mlv_frag_edges(p, last, lines[i]).worst + 4;
		double room = bottom - (double)(n - 1 - i) * 14;
		y = y > room ? room : y;
		y = y < free_from ? free_from : y;
		free_from = y + 14;
		mlv_canvas_text(p->c, p->x + p->columns + 8, y, font, MLV_START,
				p->chart->theme->text_dim, names[i]);
	}
}

/* The most that was reserved, or may be, and a little air. */
static uint64_t top_of_scale(const struct mlv_frag_chart *chart)
{
	uint64_t top = chart->limit, device = chart->device_peak * chart->device_scale;
	top = device > top ? device : top;
	for (size_t i = 0; i < chart->count; i++) {
		const struct mlv_frag_series *s = chart->settings[i].series;
		top = s->reserved_peak.bytes > top ? s->reserved_peak.bytes : top;
		top = s->active_peak.bytes > top ? s->active_peak.bytes : top;
	}
	if (!top)
		return 1 << 20;
	return top > UINT64_MAX - top / 24 ? UINT64_MAX : top + top / 24;
}

static void draw_line_names(const struct mlv_frag_plot *p)
{
	static const enum mlv_frag_line bytes[] = { MLV_FRAG_RESERVED, MLV_FRAG_ACTIVE,
						    MLV_FRAG_LARGEST };
	static const char *const names[] = { "reserved", "active", "largest free" };
	struct mlv_font font = { 12, false };
	double x = p->x + p->columns + 8;
	draw_names(p, bytes, names, 3, p->y + p->rows);
	mlv_canvas_text(p->c, x, p->share_y[0] + p->share_rows / 2 + 4, font, MLV_START,
			p->chart->theme->text_dim, "scattered");
	mlv_canvas_text(p->c, x, p->share_y[1] + p->share_rows / 2 + 4, font, MLV_START,
			p->chart->theme->text_dim, "idle");
}

uint32_t mlv_frag_chart_columns(double width)
{
	return width < MLV_FRAG_LEFT + MLV_FRAG_RIGHT + 1
		       ? 1
		       : (uint32_t)width - MLV_FRAG_LEFT - MLV_FRAG_RIGHT;
}

enum mlv_rc mlv_frag_chart_draw(struct mlv_canvas *c, const struct mlv_frag_chart *chart,
				struct mlv_rect area, struct mlv_err *err)
{
	double labels = mlv_frag_labels_height(chart);
	struct mlv_frag_plot p = { .c = c,
				   .chart = chart,
				   .x = (int32_t)area.x + MLV_FRAG_LEFT,
				   .columns = (int32_t)area.w - MLV_FRAG_LEFT - MLV_FRAG_RIGHT,
				   .y = (int32_t)(area.y + labels) + 10,
				   .top_bytes = top_of_scale(chart) };
	p.base = (int32_t)(area.y + area.h) - BELOW;
	int32_t room = p.base - p.y - 2 * GAP;
	p.share_rows = room / 6;
	p.rows = room - 2 * p.share_rows;
	p.share_y[0] = p.y + p.rows + GAP;
	p.share_y[1] = p.share_y[0] + p.share_rows + GAP;
	if (p.columns < 60 || p.share_rows < 16)
		return mlv_err_set(err, MLV_E_USAGE,
				   "the picture is too small for fragmentation over time; choose a "
				   "larger --size");
	draw_axes(&p);
	if (!mlv_frag_lines_draw(&p))
		return mlv_err_nomem(err);
	if (chart->device_samples && !mlv_frag_device_draw(&p))
		return mlv_err_nomem(err);
	draw_limit(&p);
	draw_line_names(&p);
	mlv_frag_marks_draw(&p, area.y);
	return MLV_OK;
}
