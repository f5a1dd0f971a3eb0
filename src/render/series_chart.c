/* SPDX-License-Identifier: MIT */
#include "render/series_chart.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "analysis/series.h"
#include "analysis/track_label.h"
#include "base/num.h"
#include "render/axis.h"
#include "render/palette.h"

enum { LEFT = 84, LEGEND = 316, BELOW = 46, GAP = 26, DOTS = 400 };

struct line {
	const struct mlv_run *run;
	const struct mlv_series_set *set;
	const struct mlv_series *series;
	uint64_t hash;
	struct mlv_color color;
	char name[200], place[256];
};

struct drawing {
	struct mlv_canvas *c;
	const struct mlv_series_chart *chart;
	struct mlv_series_set *sets;
	MLV_VEC(struct line) lines;
	double x, columns, x_end;
	bool by_time;
};

static bool add_lines(struct drawing *d, size_t r)
{
	const struct mlv_run *run = d->chart->runs[r];
	const struct mlv_series_set *set = &d->sets[r];
	for (size_t i = 0; i < set->list.len; i++) {
		const struct mlv_series *s = &set->list.data[i];
		struct line l = { .run = run, .set = set, .series = s };
		snprintf(l.name, sizeof(l.name), "%.190s", mlv_run_str(run, s->metric).p);
		mlv_track_label_ranked(run, s->track, l.place, sizeof(l.place));
		l.hash = XXH3_64bits_withSeed(l.name, strlen(l.name),
					      XXH3_64bits(l.place, strlen(l.place)));
		if (!mlv_vec_push(&d->lines, l))
			return false;
	}
	d->x_end = set->x_end > d->x_end ? set->x_end : d->x_end;
	d->by_time = d->by_time && set->by_time;
	return true;
}

/* What reaches highest first; within a kind of quantity. */
static int by_most(const void *pa, const void *pb)
{
	const struct line *a = pa, *b = pb;
	if (a->series->quantity != b->series->quantity)
		return a->series->quantity == MLV_BYTE_COUNT       ? -1
		       : b->series->quantity == MLV_BYTE_COUNT     ? 1
		       : a->series->quantity < b->series->quantity ? -1
								   : 1;
	if (a->series->most < b->series->most || a->series->most > b->series->most)
		return a->series->most > b->series->most ? -1 : 1;
	int c = strcmp(a->name, b->name);
	return c ? c : strcmp(a->place, b->place);
}

static bool choose_colors(struct drawing *d)
{
	size_t n = d->lines.len;
	uint64_t *hashes = calloc(n + 1, sizeof(*hashes));
	uint32_t *index = calloc(n + 1, sizeof(*index));
	bool ok = hashes && index;
	size_t named = n < 48 ? n : 48;
	for (size_t i = 0; ok && i < n; i++)
		hashes[i] = d->lines.data[i].hash;
	if (ok)
		mlv_palette_assign(hashes, named, index);
	for (size_t i = 0; ok && i < n; i++)
		d->lines.data[i].color =
			mlv_palette_color(i < named ? index[i] : mlv_palette_index(hashes[i], 0));
	free(hashes);
	free(index);
	return ok;
}

static void value_label(enum mlv_quantity q, double v, char *buf, size_t size)
{
	if (q == MLV_BYTE_COUNT && v >= 0 && v < 1e18)
		mlv_axis_bytes_label((uint64_t)v, buf, size);
	else if (q == MLV_DURATION && fabs(v) < 9e9)
		mlv_fmt_duration(buf, size, (int64_t)(v * 1e9));
	else
		snprintf(buf, size, q == MLV_SHARE ? "%.6g %%" : "%.6g", v);
}

static double nice_step(enum mlv_quantity q, double most, unsigned steps)
{
	if (q == MLV_BYTE_COUNT && most >= 1 && most < 1e18)
		return (double)mlv_axis_bytes_step((uint64_t)most, steps);
	double step = pow(10, floor(log10(most / steps)));
	while (most / step > steps)
		step *= most / (step * 2) > steps ? (most / (step * 5) > steps ? 10 : 5) : 2;
	return step;
}

struct scale {
	double y, h; /* of the plot */
	double low, high;
	enum mlv_quantity quantity;
};

static double y_of(const struct scale *s, double v)
{
	double part = (v - s->low) / (s->high - s->low);
	return s->y + s->h - s->h * (part < 0 ? 0 : part > 1 ? 1 : part);
}

static void draw_scale(const struct drawing *d, const struct scale *s)
{
	const struct mlv_theme *t = d->chart->page.theme;
	struct mlv_font font = { 12, false };
	double step = nice_step(s->quantity, s->high - s->low, s->h > 300 ? 8 : 4);
	for (double v = ceil(s->low / step) * step; v <= s->high && step > 0; v += step) {
		char label[MLV_NUM_SIZE];
		double y = y_of(s, v);
		value_label(s->quantity, v, label, sizeof(label));
		mlv_canvas_rect(d->c, d->x, (int32_t)y, d->columns, 1, t->grid, NULL);
		mlv_canvas_text(d->c, d->x - 10, y + 4, font, MLV_END, t->text_dim, label);
		if (v + step <= v)
			break;
	}
}

/* One point a column at the most: the first, least, most and last would hide in it anyway. */
static enum mlv_rc draw_line(const struct drawing *d, const struct scale *s, const struct line *l)
{
	const struct mlv_series *series = l->series;
	const struct mlv_series_point *p = l->set->points + series->first_point;
	struct mlv_point *line = malloc((series->points * 2 + 2) * sizeof(*line));
	size_t n = 0;
	if (!line)
		return MLV_E_NOMEM;
	for (size_t i = 0; i < series->points; i++) {
		if (isnan(p[i].y))
			continue;
		double x = d->x + (d->x_end > 0 ? p[i].x / d->x_end * d->columns : 0);
		double y = y_of(s, p[i].y);
		if (n >= 2 && (int32_t)line[n - 1].x == (int32_t)x &&
		    (int32_t)line[n - 2].x == (int32_t)x) {
			/* Keep the extremes of the column. */
			if (y < line[n - 2].y)
				line[n - 2].y = y;
			else if (y > line[n - 1].y)
				line[n - 1].y = y;
			continue;
		}
		line[n++] = (struct mlv_point){ x, y };
	}
	mlv_canvas_polyline(d->c, line, n, 1.8, l->color, 0);
	for (size_t i = 0; i < series->points && series->points <= DOTS; i++) {
		double x = d->x + (d->x_end > 0 ? p[i].x / d->x_end * d->columns : 0);
		if (!isnan(p[i].y))
			mlv_canvas_circle(d->c, x, y_of(s, p[i].y), 2.2, l->color, l->color, 0);
	}
	free(line);
	return MLV_OK;
}

/* Steps and phases below the plot, as many as there is room for. */
static void draw_moments(const struct drawing *d, double base)
{
	const struct mlv_theme *t = d->chart->page.theme;
	struct mlv_font font = { 11, false };
	const struct mlv_series_set *set = &d->sets[0];
	const struct mlv_run *run = d->chart->runs[0];
	double free_from = d->x - 20;
	int32_t last_step = MLV_NO_STEP;
	mlv_canvas_rect(d->c, d->x, base, d->columns, 1, t->axis, NULL);
	for (size_t i = 0; i < set->moments.len; i++) {
		const struct mlv_sample *s = &run->samples.data[set->moments.data[i]];
		struct mlv_str phase = mlv_run_str(run, s->phase);
		double x = d->x + (d->x_end > 0 ? (double)i / d->x_end * d->columns : 0);
		char label[120], fitted[120];
		bool new_step = s->step != MLV_NO_STEP && s->step != last_step;
		last_step = s->step;
		if (new_step && phase.n)
			snprintf(label, sizeof(label), "%" PRId32 ": %.80s", s->step, phase.p);
		else if (new_step)
			snprintf(label, sizeof(label), "step %" PRId32, s->step);
		else
			snprintf(label, sizeof(label), "%.80s", phase.p);
		if (new_step)
			mlv_canvas_rect(d->c, (int32_t)x, base, 1, 6, t->axis, NULL);
		double w = mlv_text_fit(font, label, 180, false, fitted, sizeof(fitted));
		if (!*fitted || x - w / 2 < free_from || x + w / 2 > d->x + d->columns + 40)
			continue;
		mlv_canvas_text(d->c, x, base + 19, font, MLV_MIDDLE, t->text_dim, fitted);
		free_from = x + w / 2 + 10;
	}
}

static void draw_legend(const struct drawing *d, double top)
{
	const struct mlv_page *page = &d->chart->page;
	double x = page->width - LEGEND + 14, w = LEGEND - 42;
	size_t shown = 0;
	double y = mlv_page_legend_heading(d->c, page->theme, x, top, "Most of each");
	for (; shown < d->lines.len && shown < d->chart->top && y + 44 < page->height - 30;
	     shown++) {
		const struct line *l = &d->lines.data[shown];
		char value[MLV_NUM_SIZE];
		if (l->series->quantity == MLV_BYTE_COUNT && l->series->most >= 0)
			mlv_fmt_bytes(value, sizeof(value), (uint64_t)l->series->most);
		else
			value_label(l->series->quantity, l->series->most, value, sizeof(value));
		struct mlv_legend_row row = { l->color, l->name, l->place, value, -1 };
		y = mlv_page_legend_row(d->c, page->theme, x, w, y, &row);
	}
	char note[60];
	if (shown < d->lines.len) {
		snprintf(note, sizeof(note), "and %zu more lines", d->lines.len - shown);
		mlv_page_legend_note(d->c, page->theme, x, y, note);
	}
}

/* The lines first .. first + n share a scale. */
static enum mlv_rc draw_plot(const struct drawing *d, size_t first, size_t n, double y, double h)
{
	const struct mlv_theme *t = d->chart->page.theme;
	struct scale s = { y, h, 0, 0, d->lines.data[first].series->quantity };
	enum mlv_rc rc = MLV_OK;
	for (size_t i = first; i < first + n; i++) {
		const struct mlv_series *series = d->lines.data[i].series;
		if (isfinite(series->least) && series->least < s.low)
			s.low = series->least;
		if (isfinite(series->most) && series->most > s.high)
			s.high = series->most;
	}
	if (s.quantity == MLV_BYTE_COUNT && (double)d->chart->capacity > s.high)
		s.high = (double)d->chart->capacity;
	if (!(s.high > s.low))
		s.high = s.low + 1;
	s.high += (s.high - s.low) / 24;
	draw_scale(d, &s);
	mlv_canvas_rect(d->c, d->x, y + h, d->columns, 1, t->axis, NULL);
	if (s.quantity == MLV_BYTE_COUNT && d->chart->capacity) {
		double at = (int32_t)y_of(&s, (double)d->chart->capacity) + 0.5;
		struct mlv_point line[2] = { { d->x, at }, { d->x + d->columns, at } };
		mlv_canvas_polyline(d->c, line, 2, 1.5, t->capacity, 6);
	}
	for (size_t i = first; !rc && i < first + n; i++)
		rc = draw_line(d, &s, &d->lines.data[i]);
	return rc;
}

/* Above one of several plots: what its lines are, since the legend may not get that far. */
static void draw_names(const struct drawing *d, size_t first, size_t n, double y)
{
	char names[200] = "", fitted[220];
	size_t used = 0, kinds = 0;
	for (size_t i = first; i < first + n && kinds < 4; i++) {
		size_t k = first;
		while (k < i && strcmp(d->lines.data[k].name, d->lines.data[i].name) != 0)
			k++;
		if (k < i)
			continue;
		const char *name = kinds == 3 ? "\u2026" : d->lines.data[i].name;
		int more = snprintf(names + used, sizeof(names) - used, "%s%s", kinds++ ? ", " : "",
				    name);
		used += more > 0 && used + (size_t)more < sizeof(names) ? (size_t)more : 0;
	}
	struct mlv_font font = { 11, false };
	mlv_text_fit(font, names, d->columns, false, fitted, sizeof(fitted));
	mlv_canvas_text(d->c, d->x, y - 5, font, MLV_START, d->chart->page.theme->text_dim, fitted);
}

static enum mlv_rc draw_plots(struct drawing *d, double top, struct mlv_err *err)
{
	size_t plots = 0;
	for (size_t i = 0; i < d->lines.len; i++)
		plots += !i ||
			 d->lines.data[i].series->quantity != d->lines.data[i - 1].series->quantity;
	double base = d->chart->page.height - BELOW;
	double each = plots ? (base - top - 16) / (double)plots : 0, y = top + 16;
	if (!plots || each - GAP < 40 || d->columns < 60)
		return mlv_err_set(err, MLV_E_USAGE,
				   "the picture is too small; choose a larger --size");
	enum mlv_rc rc = MLV_OK;
	for (size_t first = 0, n; !rc && first < d->lines.len; first += n) {
		n = 1;
		while (first + n < d->lines.len && d->lines.data[first + n].series->quantity ==
							   d->lines.data[first].series->quantity)
			n++;
		bool last = first + n == d->lines.len;
		rc = draw_plot(d, first, n, y, last ? base - y : each - GAP);
		if (!rc && plots > 1)
			draw_names(d, first, n, y);
		y += each;
	}
	if (d->by_time)
		mlv_page_time_axis(d->c, d->chart->page.theme, d->x, (int32_t)d->columns, base, -1,
				   0, 0, (int64_t)d->x_end, "time since the first sample");
	else
		draw_moments(d, base);
	return rc ? mlv_err_nomem(err) : MLV_OK;
}

enum mlv_rc mlv_series_chart_draw(struct mlv_canvas *c, const struct mlv_series_chart *chart,
				  struct mlv_err *err)
{
	struct drawing d;
	memset(&d, 0, sizeof(d));
	d.c = c;
	d.chart = chart;
	d.by_time = true;
	d.sets = calloc(chart->count, sizeof(*d.sets));
	enum mlv_rc rc = d.sets ? MLV_OK : mlv_err_nomem(err);
	for (size_t r = 0; !rc && r < chart->count; r++) {
		rc = mlv_series_init(&d.sets[r], chart->runs[r], err);
		if (!rc && !add_lines(&d, r))
			rc = mlv_err_nomem(err);
	}
	if (!rc) {
		bool beside = chart->page.width >= 760;
		qsort(d.lines.data, d.lines.len, sizeof(*d.lines.data), by_most);
		if (!choose_colors(&d))
			rc = mlv_err_nomem(err);
		double top = mlv_page_headings(c, &chart->page);
		d.x = LEFT;
		d.columns = chart->page.width - LEFT - (beside ? LEGEND + 30 : 40);
		if (!rc)
			rc = draw_plots(&d, top, err);
		if (!rc && beside)
			draw_legend(&d, top);
	}
	for (size_t r = 0; d.sets && r < chart->count; r++)
		mlv_series_fini(&d.sets[r]);
	free(d.sets);
	mlv_vec_free(&d.lines);
	return rc;
}
