/* SPDX-License-Identifier: MIT */
#include "render/diff_chart.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "render/axis.h"
#include "render/diff_colors.h"
#include "render/page.h"

enum { LEFT = 84, LEGEND = 62, BELOW = 46, GAP = 44 };

struct drawing {
	struct mlv_canvas *c;
	const struct mlv_diff_chart *chart;
	struct mlv_diff_lines lines;
	int32_t x, y, rows; /* of the two lines */
	int32_t diff_y, diff_rows;
	uint64_t top, below,
		above; /* bytes at the upper edge, and at both edges of the difference */
	struct mlv_strip *strips;
};

static uint64_t with_air(uint64_t most)
{
	return most > UINT64_MAX - most / 16 ? UINT64_MAX : most + most / 16 + 1;
}

static int32_t pixel(double y)
{
	return (int32_t)(y + 0.5);
}

/* ------------------------------------------------------------------ the two lines */

static uint64_t value_at(const struct mlv_diff_column *c, bool reserved)
{
	return reserved ? c->reserved : c->requested;
}

/* Down to the base as an area, or as a line of so many pixels. */
static void draw_side(const struct drawing *d, unsigned side, bool reserved, int32_t thick,
		      struct mlv_color color, const char *title)
{
	const struct mlv_diff_column *columns = d->lines.side[side];
	int32_t base = d->y + d->rows, before = -1;
	size_t n = 0;
	for (int32_t i = 0; i < d->lines.columns; i++) {
		if (!columns[i].known) {
			before = -1;
			continue;
		}
		int32_t y = pixel(
			mlv_page_bytes_y(d->y, d->rows, d->top, value_at(&columns[i], reserved)));
		int32_t high = before >= 0 && before < y ? before : y;
		int32_t low = before > y ? before : y;
		struct mlv_strip s = { d->x + i, d->x + i + 1, thick ? high : y,
				       thick ? low + thick : base };
		before = y;
		if (n && d->strips[n - 1].x1 == s.x0 && d->strips[n - 1].y0 == s.y0 &&
		    d->strips[n - 1].y1 == s.y1)
			d->strips[n - 1].x1 = s.x1;
		else
			d->strips[n++] = s;
	}
	struct mlv_ribbon r = { .strips = d->strips, .count = n, .color = color, .title = title };
	if (n)
		mlv_canvas_ribbon(d->c, &r);
}

static struct mlv_color paler(struct mlv_color color, uint8_t alpha)
{
	color.a = alpha;
	return color;
}

static void draw_lines(const struct drawing *d)
{
	static const char *const titles[2][2] = { { "A, requested", "A, reserved" },
						  { "B, requested", "B, reserved" } };
	for (unsigned s = 0; s < 2; s++)
		draw_side(d, s, false, 0, paler(mlv_diff_color(d->chart->theme, s), 50), NULL);
	for (unsigned s = 0; s < 2; s++) {
		struct mlv_color color = mlv_diff_color(d->chart->theme, s);
		if (d->chart->history[s]->reserved.peak)
			draw_side(d, s, true, 1, paler(color, 150), titles[s][1]);
		draw_side(d, s, false, 2, color, titles[s][0]);
	}
}

static void draw_peaks(const struct drawing *d)
{
	const struct mlv_theme *t = d->chart->theme;
	struct mlv_font font = { 12, true };
	for (unsigned s = 0; s < 2; s++) {
		const struct mlv_history *h = d->chart->history[s];
		char bytes[MLV_NUM_SIZE], text[80];
		if (d->lines.peak[s] < 0 || !h->requested.peak)
			continue;
		double x = d->x + d->lines.peak[s] + 0.5;
		double y = mlv_page_bytes_y(d->y, d->rows, d->top, h->requested.peak);
		bool left = x < d->x + d->lines.columns / 2.0;
		snprintf(text, sizeof(text), "%s  %s", s ? "B" : "A",
			 mlv_fmt_bytes(bytes, sizeof(bytes), h->requested.peak));
		/* Lines may run behind it. */
		double w = mlv_text_width(font, text);
		mlv_canvas_rect(d->c, left ? x + 6 : x - 10 - w, y - 18, w + 4, 16,
				paler(t->ground, 200), NULL);
		mlv_canvas_circle(d->c, x, y, 4, mlv_diff_color(t, s), t->ground, 1.5);
		mlv_canvas_text(d->c, left ? x + 8 : x - 8, y - 6, font, left ? MLV_START : MLV_END,
				t->text, text);
	}
}

/* ------------------------------------------------------------------ the difference */

static double diff_pixel(const struct drawing *d, int64_t bytes)
{
	double whole = (double)d->below + (double)d->above;
	return d->diff_y + ((double)d->above - (double)bytes) * d->diff_rows / whole;
}

static void draw_more_or_less(const struct drawing *d, bool more)
{
	int32_t zero = pixel(diff_pixel(d, 0));
	size_t n = 0;
	for (int32_t i = 0; i < d->lines.columns; i++) {
		const struct mlv_diff_column *a = &d->lines.side[0][i], *b = &d->lines.side[1][i];
		bool is_more = b->requested > a->requested;
		if (!a->known || !b->known || b->requested == a->requested || is_more != more)
			continue;
		int32_t y = pixel(diff_pixel(d, (int64_t)(b->requested - a->requested)));
		struct mlv_strip s = { d->x + i, d->x + i + 1, more ? y : zero, more ? zero : y };
		if (s.y0 == s.y1)
			s.y1++;
		if (n && d->strips[n - 1].x1 == s.x0 && d->strips[n - 1].y0 == s.y0 &&
		    d->strips[n - 1].y1 == s.y1)
			d->strips[n - 1].x1 = s.x1;
		else
			d->strips[n++] = s;
	}
	struct mlv_ribbon r = { .strips = d->strips,
				.count = n,
				.color = mlv_diff_color(d->chart->theme, more),
				.title = more ? "B has more" : "B has less" };
	if (n)
		mlv_canvas_ribbon(d->c, &r);
}

static void draw_diff_axis(const struct drawing *d)
{
	const struct mlv_theme *t = d->chart->theme;
	struct mlv_font font = { 12, false }, bold = { 12, true };
	uint64_t most = d->below > d->above ? d->below : d->above;
	uint64_t step =
		mlv_axis_bytes_step(d->below / 2 + d->above / 2, d->diff_rows > 160 ? 4 : 2);
	mlv_canvas_text(d->c, d->x, d->diff_y - 10, bold, MLV_START, t->text, "B − A, requested");
	for (uint64_t v = 0; v <= most; v += step) {
		for (int sign = -1; sign <= 1; sign += 2) {
			char label[MLV_NUM_SIZE], text[MLV_NUM_SIZE + 4];
			if ((sign < 0 && v > d->below) || (sign > 0 && v > d->above) ||
			    (!v && sign < 0))
				continue;
			double y = diff_pixel(d, sign < 0 ? -(int64_t)v : (int64_t)v);
			mlv_axis_bytes_label(v, label, sizeof(label));
			snprintf(text, sizeof(text), "%s%s", v ? sign < 0 ? "−" : "+" : "", label);
			mlv_canvas_rect(d->c, d->x, (int32_t)y, d->lines.columns, 1,
					v ? t->grid : t->axis, NULL);
			mlv_canvas_text(d->c, d->x - 10, y + 4, font, MLV_END, t->text_dim, text);
		}
		if (v > UINT64_MAX / 2 - step)
			break;
	}
}

/* ------------------------------------------------------------------ the x axis */

static void draw_step_ticks(const struct drawing *d, int32_t base)
{
	const struct mlv_theme *t = d->chart->theme;
	struct mlv_font font = { 12, false };
	size_t every = mlv_axis_count_step(d->lines.steps, 12);
	for (size_t k = 0; k < d->lines.steps; k++) {
		double x = d->x + (double)k * d->lines.columns / (double)d->lines.steps;
		double next = d->x + (double)(k + 1) * d->lines.columns / (double)d->lines.steps;
		char label[MLV_NUM_SIZE];
		mlv_canvas_rect(d->c, (int32_t)x, d->y, 1, base - d->y, t->grid, NULL);
		if (k % every)
			continue;
		mlv_canvas_text(d->c, (x + next) / 2, base + 19, font, MLV_MIDDLE, t->text_dim,
				d->lines.goes_on && k + 1 == d->lines.steps
					? "after"
					: mlv_fmt_count(label, sizeof(label), k));
	}
}

static void draw_x_axis(const struct drawing *d)
{
	const struct mlv_theme *t = d->chart->theme;
	const struct mlv_diff_lines *l = &d->lines;
	struct mlv_font font = { 12, false };
	int32_t base = d->diff_y + d->diff_rows;
	const char *label;
	mlv_canvas_rect(d->c, d->x, base, l->columns, 1, t->axis, NULL);
	if (l->align == MLV_ALIGN_STEP) {
		draw_step_ticks(d, base);
		label = "step; each is as wide as any other, by events";
	} else if (l->by_time) {
		mlv_page_time_axis(d->c, t, d->x, l->columns, base, -1, 0, l->zero,
				   l->zero + l->span,
				   l->align == MLV_ALIGN_PEAK ? "time from the peak"
							      : "time from the first event");
		return;
	} else if (l->align == MLV_ALIGN_PEAK) {
		label = "event, with the peaks above each other";
	} else {
		mlv_page_event_ticks(d->c, t, d->x, l->columns, base, 0,
				     (uint32_t)(l->span > 0 ? l->span - 1 : 0));
		label = "event";
	}
	mlv_canvas_text(d->c, d->x + l->columns / 2.0, base + 37, font, MLV_MIDDLE, t->text_dim,
			label);
}

static void draw_legend(const struct drawing *d, struct mlv_rect area)
{
	const struct mlv_theme *t = d->chart->theme;
	struct mlv_font bold = { 12, true }, font = { 12, false };
	for (unsigned s = 0; s < 2; s++) {
		double y = area.y + 16 + 19 * (double)s;
		char text[400], fitted[400];
		mlv_canvas_rect(d->c, d->x, y - 6, 22, 3, mlv_diff_color(t, s), NULL);
		mlv_canvas_text(d->c, d->x + 30, y, bold, MLV_START, t->text, s ? "B" : "A");
		snprintf(text, sizeof(text), "%.380s", d->chart->name[s]);
		mlv_text_fit(font, text, d->lines.columns - 330, true, fitted, sizeof(fitted));
		mlv_canvas_text(d->c, d->x + 46, y, font, MLV_START, t->text_dim, fitted);
	}
	mlv_canvas_text(d->c, d->x + d->lines.columns, area.y + 16, font, MLV_END, t->text_dim,
			"thick: requested, thin: reserved; dot: the peak");
}

/* ------------------------------------------------------------------ the whole */

static void place(struct drawing *d, struct mlv_rect area)
{
	int32_t room = (int32_t)(area.h - LEGEND - GAP - BELOW);
	d->y = (int32_t)area.y + LEGEND;
	d->rows = room * 65 / 100;
	d->diff_y = d->y + d->rows + GAP;
	d->diff_rows = room - d->rows;
	d->top = with_air(d->lines.most);
	d->above = with_air(d->lines.high);
	d->below = with_air(d->lines.low);
	/* A side that has nothing still shows where zero is. */
	if (d->above < d->below / 8)
		d->above = d->below / 8;
	if (d->below < d->above / 8)
		d->below = d->above / 8;
}

enum mlv_rc mlv_diff_chart_draw(struct mlv_canvas *c, const struct mlv_diff_chart *chart,
				struct mlv_rect area, struct mlv_err *err)
{
	struct drawing d = { .c = c, .chart = chart, .x = (int32_t)area.x + LEFT };
	int32_t columns = (int32_t)area.w - LEFT - 8;
	if (columns < 200 || area.h < 300)
		return mlv_err_set(err, MLV_E_USAGE,
				   "the picture is too small; choose a larger --size");
	enum mlv_rc rc = mlv_diff_lines_init(&d.lines, chart->history, chart->align, chart->by_time,
					     columns, err);
	if (rc)
		return rc;
	d.strips = calloc((size_t)columns + 1, sizeof(*d.strips));
	if (d.strips) {
		place(&d, area);
		mlv_page_bytes_axis(c, chart->theme, d.x, d.y, columns, d.rows, d.top);
		mlv_canvas_rect(c, d.x, d.y + d.rows, columns, 1, chart->theme->axis, NULL);
		draw_diff_axis(&d);
		draw_x_axis(&d);
		draw_lines(&d);
		draw_more_or_less(&d, true);
		draw_more_or_less(&d, false);
		draw_peaks(&d);
		draw_legend(&d, area);
	} else {
		rc = mlv_err_nomem(err);
	}
	free(d.strips);
	mlv_diff_lines_fini(&d.lines);
	return rc;
}
