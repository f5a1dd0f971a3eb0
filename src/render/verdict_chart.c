/* SPDX-License-Identifier: MIT */
#include "render/verdict_chart.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "render/axis.h"
#include "render/verdict_panel.h"

enum { LEFT = 96, WORDS = 400, MARGIN = 32, HEAD = 30, FOOT = 34, LEAST = 190, GAP = 14 };

struct plot {
	struct mlv_canvas *c;
	const struct mlv_theme *t;
	const struct mlv_verdict *v;
	int32_t x, y, w, h;
	double x0, x1;
	uint64_t top;
};

static double px(const struct plot *p, double x)
{
	return p->x + (x - p->x0) / (p->x1 - p->x0) * p->w;
}

static double py(const struct plot *p, double bytes)
{
	return mlv_page_bytes_y(p->y, p->h, p->top, bytes > 0 ? (uint64_t)bytes : 0);
}

static void extent(struct plot *p)
{
	const struct mlv_evidence_point *d = p->v->points.data;
	size_t n = p->v->points.len;
	uint64_t most = 1;
	for (size_t i = 0; i < n; i++) {
		if (d[i].bytes > 0 && (uint64_t)d[i].bytes > most)
			most = (uint64_t)d[i].bytes;
	}
	p->x0 = floor(d[0].x + (d[0].base ? -0.01 : 0)) + (d[0].base ? 1 : 0) - 0.08;
	p->x1 = d[n - 1].x + 0.04;
	if (!(p->x1 > p->x0 + 0.1))
		p->x1 = p->x0 + 1;
	p->top = most + most / 12;
}

/* Steps below the plot. */
static void steps_axis(const struct plot *p)
{
	struct mlv_font font = { 12, false };
	double span = p->x1 - p->x0;
	double every = (double)mlv_axis_count_step((uint64_t)ceil(span), 16);
	mlv_canvas_rect(p->c, p->x, p->y + p->h, p->w, 1, p->t->axis, NULL);
	if (every < 1)
		every = 1;
	for (double s = ceil(p->x0 / every) * every; s < p->x1; s += every) {
		char label[40];
		double x = px(p, s);
		if (x < p->x - 1)
			continue;
		mlv_canvas_rect(p->c, (int32_t)x, p->y, 1, p->h + 5, p->t->grid, NULL);
		snprintf(label, sizeof(label), "step %.0f", s + 0.0);
		if (px(p, s + every / 2) < p->x + p->w)
			mlv_canvas_text(p->c, px(p, s + 0.5), p->y + p->h + 18, font, MLV_MIDDLE,
					p->t->text_dim, label);
		if (s + every <= s)
			break;
	}
}

static struct mlv_color pale(struct mlv_color c, uint8_t alpha)
{
	c.a = alpha;
	return c;
}

/* What lies between a baseline and the next: the bytes that a step adds and gives back. */
static void above_base(const struct plot *p, struct mlv_point *room)
{
	const struct mlv_evidence_point *d = p->v->points.data;
	size_t n = p->v->points.len, first = SIZE_MAX;
	struct mlv_verdict_colors k = mlv_verdict_colors_of(p->t);
	for (size_t i = 0; i < n; i++) {
		if (!d[i].base)
			continue;
		if (first != SIZE_MAX && i > first + 1) {
			size_t m = 0;
			for (size_t a = first; a <= i; a++)
				room[m++] = (struct mlv_point){ px(p, d[a].x),
								py(p, (double)d[a].bytes) };
			mlv_canvas_polygon(p->c, room, m, pale(k.activation, 70));
		}
		first = i;
	}
}

static void line(const struct plot *p, struct mlv_point *room)
{
	const struct mlv_evidence_point *d = p->v->points.data;
	size_t n = p->v->points.len, base = 0;
	struct mlv_color color = mlv_verdict_color(p->t, p->v->growth);
	for (size_t i = 0; i < n; i++)
		room[i] = (struct mlv_point){ px(p, d[i].x), py(p, (double)d[i].bytes) };
	mlv_canvas_polyline(p->c, room, n, 1.6, p->t->text, 0);
	for (size_t i = 0; i < n; i++) {
		if (d[i].base)
			room[base++] =
				(struct mlv_point){ px(p, d[i].x), py(p, (double)d[i].bytes) };
	}
	mlv_canvas_polyline(p->c, room, base, 2.4, color, 6);
	for (size_t i = 0; i < base && base <= 200; i++)
		mlv_canvas_circle(p->c, room[i].x, room[i].y, 4, color, p->t->ground, 1.2);
}

/* What is there in every step, stacked from the ground; as far as it fits below the baseline. */
static void fixed_bands(const struct plot *p)
{
	struct mlv_font font = { 11, false };
	struct mlv_verdict_colors k = mlv_verdict_colors_of(p->t);
	double bottom = 0;
	for (size_t i = 0; i < p->v->fixed.len; i++) {
		const struct mlv_fixed_part *f = &p->v->fixed.data[i];
		bool state = strcmp(f->name, "optimizer state") == 0;
		double y1 = py(p, bottom), y0 = py(p, bottom + (double)f->bytes);
		char label[200], size[MLV_NUM_SIZE], text[200];
		bottom += (double)f->bytes;
		if (y1 - y0 < 1)
			continue;
		mlv_canvas_rect(p->c, p->x, y0, p->w, y1 - y0 - 0.5,
				state ? pale(k.state, 110) : pale(p->t->band, i % 2 ? 80 : 130),
				NULL);
		snprintf(text, sizeof(text), "%s  %.150s",
			 mlv_fmt_bytes(size, sizeof(size), (uint64_t)f->bytes), f->name);
		if (y1 - y0 < 14)
			continue;
		mlv_text_fit(font, text, p->w - 16, false, label, sizeof(label));
		/* On the right: the line of the first step runs through the left. */
		mlv_canvas_text(p->c, p->x + p->w - 8, y1 - 4, font, MLV_END, p->t->text, label);
	}
}

static void heading(const struct plot *p, double y)
{
	struct mlv_font font = { 15, true }, thin = { 13, false };
	char text[300], rank[80] = "", fitted[300];
	const char *file = p->v->run->file;
	struct mlv_str base = mlv_str_basename((struct mlv_str){ file, strlen(file) });
	if (p->v->rank >= 0)
		snprintf(rank, sizeof(rank), " \u00b7 rank %" PRId64, p->v->rank);
	else if (p->v->device >= 0)
		snprintf(rank, sizeof(rank), " \u00b7 device %" PRId64, p->v->device);
	snprintf(text, sizeof(text), "%.180s%s", base.p, rank);
	mlv_text_fit(font, text, p->w, true, fitted, sizeof(fitted));
	mlv_canvas_text(p->c, p->x, y + 16, font, MLV_START, p->t->text, fitted);
	snprintf(text, sizeof(text), "%s", mlv_growth_name(p->v->growth));
	double x = p->x + p->w + 44;
	mlv_canvas_text(p->c, x, y + 16, font, MLV_START, mlv_verdict_color(p->t, p->v->growth),
			text);
	if (p->v->growth == MLV_GROWTH_UNKNOWN)
		return;
	x += mlv_text_width(font, text) + 8;
	snprintf(text, sizeof(text), "%s confidence, %zu steps",
		 mlv_confidence_name(p->v->confidence), p->v->steps);
	mlv_canvas_text(p->c, x, y + 16, thin, MLV_START, p->t->text_dim, text);
}

static bool panel(struct mlv_canvas *c, const struct mlv_verdict_chart *chart,
		  const struct mlv_verdict *v, struct mlv_rect area)
{
	struct plot p = { .c = c,
			  .t = chart->page.theme,
			  .v = v,
			  .x = LEFT,
			  .y = (int32_t)area.y + HEAD,
			  .w = (int32_t)area.w - LEFT - WORDS - MARGIN - 44,
			  .h = (int32_t)area.h - HEAD - FOOT };
	struct mlv_rect words = { p.x + p.w + 44, p.y, WORDS, area.h - HEAD - 6 };
	struct mlv_point *room = calloc(v->points.len + 2, sizeof(*room));
	if (!room)
		return false;
	heading(&p, area.y);
	if (v->points.len >= 2) {
		extent(&p);
		mlv_page_bytes_axis(c, p.t, p.x, p.y, p.w, p.h, p.top);
		steps_axis(&p);
		fixed_bands(&p);
		above_base(&p, room);
		line(&p, room);
	} else {
		mlv_canvas_text(c, p.x, p.y + 20, (struct mlv_font){ 13, false }, MLV_START,
				p.t->text_dim, "no steps to draw");
	}
	mlv_verdict_bars_draw(c, p.t, v, words);
	free(room);
	return true;
}

size_t mlv_verdict_chart_most(int height)
{
	int n = (height - 90) / LEAST;
	return n > 0 ? (size_t)n : 1;
}

enum mlv_rc mlv_verdict_chart_draw(struct mlv_canvas *c, const struct mlv_verdict_chart *chart,
				   struct mlv_err *err)
{
	if (chart->page.width < LEFT + 2 * WORDS || chart->page.height < LEAST + 90)
		return mlv_err_set(err, MLV_E_USAGE,
				   "--size: a picture of verdicts needs %dx%d at least",
				   LEFT + 2 * WORDS, LEAST + 90);
	double y = mlv_page_headings(c, &chart->page) + 4;
	double each = (chart->page.height - y - 8) / (double)(chart->count ? chart->count : 1);
	for (size_t i = 0; i < chart->count; i++) {
		struct mlv_rect area = { 0, y + (double)i * each, chart->page.width, each - GAP };
		if (!panel(c, chart, &chart->verdicts[i], area))
			return mlv_err_nomem(err);
	}
	return MLV_OK;
}
