/* SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "render/frag_plot.h"
#include "render/page.h"
#include "render/palette.h"

/* Entries of the palette. */
enum { BLUE = 0, ORANGE = 1, PALE_BLUE = 5, RUST = 8, NAVY = 24, SKY = 36 };

/* Of two entries of the palette the one for a line on this ground, or for a quieter area. */
static struct mlv_color choose(const struct mlv_theme *t, uint32_t a, uint32_t b, bool is_line)
{
	struct mlv_color x = mlv_palette_color(a), y = mlv_palette_color(b);
	bool more = mlv_color_contrast(x, t->ground) >= mlv_color_contrast(y, t->ground);
	return more == is_line ? x : y;
}

struct mlv_color mlv_frag_color(const struct mlv_frag_chart *chart, size_t setting,
				enum mlv_frag_line line)
{
	const struct mlv_theme *t = chart->theme;
	if (chart->count > 1 && line == MLV_FRAG_ACTIVE)
		return t->other;
	if (chart->count > 1) {
		struct mlv_color color =
			setting ? choose(t, RUST, ORANGE, true) : choose(t, BLUE, SKY, true);
		if (line == MLV_FRAG_LARGEST)
			color.a = 165;
		return color;
	}
	switch (line) {
	case MLV_FRAG_RESERVED:
		return t->reserved_line;
	case MLV_FRAG_ACTIVE:
		return choose(t, PALE_BLUE, NAVY, false);
	case MLV_FRAG_ALLOCATED:
		return choose(t, BLUE, SKY, true);
	case MLV_FRAG_LARGEST:
	case MLV_FRAG_SCATTERED:
		return choose(t, RUST, ORANGE, true);
	default:
		return t->reserved_line;
	}
}

double mlv_frag_share_y(const struct mlv_frag_plot *p, enum mlv_frag_line line, float share)
{
	return p->share_y[line == MLV_FRAG_IDLE] + p->share_rows - (double)share * p->share_rows;
}

static struct mlv_frag_edges bytes_edges(const struct mlv_frag_plot *p,
					 const struct mlv_frag_bytes *b)
{
	return (struct mlv_frag_edges){ mlv_page_bytes_y(p->y, p->rows, p->top_bytes, b->most),
					mlv_page_bytes_y(p->y, p->rows, p->top_bytes, b->least),
					0 };
}

struct mlv_frag_edges mlv_frag_edges(const struct mlv_frag_plot *p, const struct mlv_frag_column *c,
				     enum mlv_frag_line line)
{
	const struct mlv_frag_share *share = line == MLV_FRAG_IDLE ? &c->idle : &c->scattered;
	struct mlv_frag_edges e;
	switch (line) {
	case MLV_FRAG_RESERVED:
		e = bytes_edges(p, &c->reserved);
		break;
	case MLV_FRAG_ACTIVE:
		e = bytes_edges(p, &c->active);
		break;
	case MLV_FRAG_ALLOCATED:
		e = bytes_edges(p, &c->allocated);
		break;
	case MLV_FRAG_LARGEST:
		e = bytes_edges(p, &c->largest);
		break;
	default:
		e = (struct mlv_frag_edges){ mlv_frag_share_y(p, line, share->most),
					     mlv_frag_share_y(p, line, share->least), 0 };
		break;
	}
	e.worst = line == MLV_FRAG_LARGEST ? e.least : e.most;
	return e;
}

static int32_t pixel(double y)
{
	return (int32_t)(y + 0.5);
}

/* Where a column of the series begins: there may be more or fewer than the plot has. */
static int32_t column_x(const struct mlv_frag_plot *p, const struct mlv_frag_series *s,
			uint32_t column)
{
	return p->x + (int32_t)((int64_t)column * p->columns / s->count);
}

double mlv_frag_event_x(const struct mlv_frag_plot *p, const struct mlv_frag_series *s,
			uint32_t event)
{
	uint32_t column = mlv_frag_series_column(s, event);
	return (column_x(p, s, column) + column_x(p, s, column + 1)) / 2.0;
}

enum form { AREA, AREA_LEAST, BAND, LINE, THIN_LINE };

/* The pixels of one column: `before` is the worst of the column before it. */
static struct mlv_strip strip_of(const struct mlv_frag_plot *p, struct mlv_frag_edges e,
				 double before, enum form form)
{
	int32_t base = p->y + p->rows, most = pixel(e.most), least = pixel(e.least);
	double high = e.worst < before ? e.worst : before,
	       low = e.worst < before ? before : e.worst;
	switch (form) {
	case AREA:
		return (struct mlv_strip){ 0, 0, most, base };
	case AREA_LEAST:
		return (struct mlv_strip){ 0, 0, least, base };
	case BAND:
		return (struct mlv_strip){ 0, 0, most, least };
	case LINE:
		return (struct mlv_strip){ 0, 0, pixel(high) - 1, pixel(low) + 1 };
	default:
		return (struct mlv_strip){ 0, 0, pixel(high), pixel(low) + 1 };
	}
}

/* The columns that share one pixel with column `i`; `next` is the first that does not. */
static struct mlv_frag_edges together(const struct mlv_frag_plot *p,
				      const struct mlv_frag_series *s, uint32_t i,
				      enum mlv_frag_line line, uint32_t *next)
{
	struct mlv_frag_edges e = mlv_frag_edges(p, &s->columns[i], line);
	int32_t x = column_x(p, s, i);
	while (++i < s->ended && column_x(p, s, i) == x) {
		struct mlv_frag_edges f = mlv_frag_edges(p, &s->columns[i], line);
		e.most = f.most < e.most ? f.most : e.most;
		e.least = f.least > e.least ? f.least : e.least;
	}
	e.worst = line == MLV_FRAG_LARGEST ? e.least : e.most;
	*next = i;
	return e;
}

struct drawing {
	const struct mlv_frag_plot *p;
	struct mlv_strip *strips; /* room for one of each column */
};

static void draw(const struct drawing *d, size_t setting, enum mlv_frag_line line, enum form form,
		 struct mlv_color color, const char *title)
{
	const struct mlv_frag_plot *p = d->p;
	const struct mlv_frag_series *s = p->chart->settings[setting].series;
	double before = 0;
	size_t n = 0;
	for (uint32_t i = 0, next; i < s->ended; i = next) {
		struct mlv_frag_edges e = together(p, s, i, line, &next);
		struct mlv_strip q = strip_of(p, e, i ? before : e.worst, form);
		q.x0 = column_x(p, s, i);
		q.x1 = column_x(p, s, next);
		before = e.worst;
		if (n && d->strips[n - 1].y0 == q.y0 && d->strips[n - 1].y1 == q.y1)
			d->strips[n - 1].x1 = q.x1;
		else
			d->strips[n++] = q;
	}
	struct mlv_ribbon r = { .strips = d->strips,
				.count = n,
				.color = color,
				.title = p->chart->hover ? title : NULL };
	mlv_canvas_ribbon(p->c, &r);
}

static struct mlv_color paler(struct mlv_color color, unsigned alpha)
{
	color.a = (uint8_t)(color.a * alpha / 255);
	return color;
}

/* A line over the pale band of its range. */
static void draw_line(const struct drawing *d, size_t setting, enum mlv_frag_line line,
		      enum form form, const char *title)
{
	struct mlv_color color = mlv_frag_color(d->p->chart, setting, line);
	draw(d, setting, line, BAND, paler(color, 70), NULL);
	draw(d, setting, line, form, color, title);
}

static void draw_areas(const struct drawing *d)
{
	const struct mlv_frag_chart *chart = d->p->chart;
	/* Of two settings the first one's: they change nothing of it but the rounding. */
	struct mlv_color active = mlv_frag_color(chart, 0, MLV_FRAG_ACTIVE);
	draw(d, 0, MLV_FRAG_RESERVED, AREA, chart->theme->reserved_fill, NULL);
	draw(d, 0, MLV_FRAG_ACTIVE, AREA, paler(active, 110), "active, at most");
	draw(d, 0, MLV_FRAG_ACTIVE, AREA_LEAST, active, "active, at least");
}

static void draw_lines(const struct drawing *d)
{
	const struct mlv_frag_chart *chart = d->p->chart;
	draw_areas(d);
	if (chart->count == 1)
		draw(d, 0, MLV_FRAG_ALLOCATED, THIN_LINE,
		     mlv_frag_color(chart, 0, MLV_FRAG_ALLOCATED), "allocated");
	for (size_t i = 0; i < chart->count; i++) {
		draw_line(d, i, MLV_FRAG_LARGEST, THIN_LINE, "largest free block");
		draw(d, i, MLV_FRAG_RESERVED, LINE, mlv_frag_color(chart, i, MLV_FRAG_RESERVED),
		     "reserved");
		draw_line(d, i, MLV_FRAG_SCATTERED, LINE, "free outside of the largest block");
		draw_line(d, i, MLV_FRAG_IDLE, LINE, "reserved and not active");
	}
}

bool mlv_frag_lines_draw(const struct mlv_frag_plot *p)
{
	uint32_t most = 0;
	for (size_t i = 0; i < p->chart->count; i++)
		if (p->chart->settings[i].series->count > most)
			most = p->chart->settings[i].series->count;
	struct drawing d = { p, calloc(most + 1, sizeof(*d.strips)) };
	if (!d.strips)
		return false;
	draw_lines(&d);
	free(d.strips);
	return true;
}
