/* SPDX-License-Identifier: MIT */
#include "render/lanes_chart.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/lanes.h"
#include "analysis/name_totals.h"
#include "analysis/track_label.h"
#include "base/num.h"
#include "render/memory_strip.h"
#include "render/name_colors.h"
#include "render/palette.h"

enum {
	LABELS = 230,
	LEGEND = 300,
	BELOW = 44,
	LANE_MIN = 7,
	LANE_MAX = 20,
	DEEP = 12,
	GAP = 4,
	LANES_LEAST = 140,
};

struct drawing {
	struct mlv_canvas *c;
	const struct mlv_lanes_chart *chart;
	struct mlv_name_totals names;
	struct mlv_color *colors; /* of the names */
	size_t shown;
	int64_t t0, t1;
	double x, y;
	int32_t columns;
	double lane_height, used; /* of all lanes together */
};

static void hover(const struct mlv_run *run, const struct mlv_bar *bar, struct mlv_buf *out)
{
	const struct mlv_span *s = &run->spans.data[bar->span];
	char took[MLV_NUM_SIZE], n[MLV_NUM_SIZE];
	out->len = 0;
	mlv_buf_safe(out, mlv_run_str(run, s->name));
	if (bar->open)
		mlv_buf_puts(out, ": never ended");
	else if (!s->instant)
		mlv_buf_printf(out, ": %s", mlv_fmt_duration(took, sizeof(took), bar->ns));
	if (bar->together > 1)
		mlv_buf_printf(out, ", the longest of %s here",
			       mlv_fmt_count(n, sizeof(n), bar->together));
	if (s->status.i) {
		mlv_buf_puts(out, "\n");
		mlv_buf_safe(out, mlv_run_str(run, s->status));
	}
	for (uint32_t i = 0; i < s->attrs.count && i < 6; i++) {
		const struct mlv_attr *a = &run->attrs.data[s->attrs.first + i];
		mlv_buf_putc(out, '\n');
		mlv_buf_safe(out, mlv_run_str(run, a->key));
		mlv_buf_puts(out, " ");
		if (a->is_text)
			mlv_buf_safe(out, mlv_run_str(run, a->text));
		else
			mlv_buf_int(out, a->number);
	}
}

static void draw_bar(struct drawing *d, const struct mlv_run *run, const struct mlv_bar *bar,
		     double y, double h, struct mlv_buf *title)
{
	const struct mlv_theme *t = d->chart->page.theme;
	struct mlv_str name = mlv_run_str(run, run->spans.data[bar->span].name);
	size_t of = mlv_name_totals_find(&d->names, name);
	struct mlv_color color = of < d->names.list.len ? d->colors[of] : t->band;
	if (d->chart->hover)
		hover(run, bar, title);
	int32_t x0 = (int32_t)d->x + bar->x0, x1 = (int32_t)d->x + bar->x1;
	struct mlv_strip strip = { x0, x1, (int32_t)y, (int32_t)(y + h) };
	struct mlv_ribbon r = { .strips = &strip,
				.count = 1,
				.color = color,
				.fill = bar->open ? MLV_FILL_HATCH : MLV_FILL_SOLID,
				.title = d->chart->hover ? title->data : NULL };
	/* A hair of space keeps neighbours apart. */
	if (bar->x1 - bar->x0 > 3)
		strip.x1--;
	mlv_canvas_ribbon(d->c, &r);
	if (h < 11 || bar->x1 - bar->x0 < 30)
		return;
	struct mlv_font font = { 10, false };
	char whole[160], text[160];
	snprintf(whole, sizeof(whole), "%.150s", name.p);
	mlv_text_fit(font, whole, bar->x1 - bar->x0 - 6, false, text, sizeof(text));
	if (strlen(text) > 5 || strcmp(text, whole) == 0)
		mlv_canvas_text(d->c, x0 + 3, (int32_t)(y + h / 2 + 4), font, MLV_START,
				mlv_color_text_on(color), text);
}

static void draw_lane_label(struct drawing *d, const struct mlv_run *run, mlv_trackid track,
			    double y)
{
	struct mlv_font font = { 11, false };
	char label[300], fitted[300];
	if (d->chart->count > 1)
		mlv_track_label_ranked(run, track, label, sizeof(label));
	else
		mlv_track_label(run, track, label, sizeof(label));
	mlv_text_fit(font, label, LABELS - 20, true, fitted, sizeof(fitted));
	mlv_canvas_text(d->c, d->x - 10, y + (d->lane_height < 14 ? d->lane_height - 1 : 12), font,
			MLV_END, d->chart->page.theme->text_dim, fitted);
}

/* Lanes of all runs, from the top down; returns what found no place. */
static enum mlv_rc draw_lanes(struct drawing *d, const struct mlv_lanes *lanes)
{
	struct mlv_buf title = { 0 };
	double y = d->y;
	for (size_t r = 0; r < d->chart->count; r++) {
		const struct mlv_run *run = d->chart->runs[r];
		for (size_t i = 0; i < lanes[r].list.len; i++) {
			const struct mlv_lane *lane = &lanes[r].list.data[i];
			double h = d->lane_height;
			if (lane->depth == 0) {
				y += i || r ? GAP : 0;
				draw_lane_label(d, run, lane->track, y);
			}
			for (size_t k = 0; k < lane->bars; k++)
				draw_bar(d, run, &lanes[r].bars[lane->first_bar + k], y, h - 1,
					 &title);
			y += h;
		}
	}
	d->y = y;
	bool failed = title.failed;
	mlv_buf_fini(&title);
	return failed ? MLV_E_NOMEM : MLV_OK;
}

static void draw_legend(const struct drawing *d, double top, uint64_t hidden, uint64_t deeper)
{
	const struct mlv_page *page = &d->chart->page;
	double x = page->width - LEGEND, w = LEGEND - 28;
	char value[MLV_NUM_SIZE], count[MLV_NUM_SIZE], place[80], name[256];
	double y = mlv_page_legend_heading(d->c, page->theme, x, top, "Where the time goes");
	int64_t most = d->shown ? d->names.list.data[0].ns : 0;
	for (size_t i = 0; i < d->shown && y + 44 < page->height - 60; i++) {
		const struct mlv_name_total *t = &d->names.list.data[i];
		snprintf(name, sizeof(name), "%.250s", t->name.p);
		snprintf(place, sizeof(place), "%s %s",
			 mlv_fmt_count(count, sizeof(count), t->count),
			 t->count == 1 ? "time" : "times");
		struct mlv_legend_row row = {
			.color = d->colors[i],
			.name = name,
			.place = place,
			.value = mlv_fmt_duration(value, sizeof(value), t->ns),
			.share = most ? (double)t->ns / (double)most : -1,
		};
		y = mlv_page_legend_row(d->c, page->theme, x, w, y, &row);
	}
	char note[120];
	if (hidden) {
		snprintf(note, sizeof(note), "%" PRIu64 " less busy tracks are not drawn", hidden);
		y = mlv_page_legend_note(d->c, page->theme, x, y + 4, note) - 4;
	}
	if (deeper) {
		snprintf(note, sizeof(note), "%s spans nested deeper are not drawn",
			 mlv_fmt_count(count, sizeof(count), deeper));
		mlv_page_legend_note(d->c, page->theme, x, y + 4, note);
	}
}

/* All runs on one axis: the earliest beginning to the latest end. */
static bool find_range(struct drawing *d)
{
	d->t0 = INT64_MAX;
	d->t1 = INT64_MIN;
	for (size_t r = 0; r < d->chart->count; r++) {
		const struct mlv_run *run = d->chart->runs[r];
		for (size_t i = 0; i < run->spans.len; i++) {
			const struct mlv_span *s = &run->spans.data[i];
			int64_t end = s->end_ns == MLV_NO_TIME ? s->start_ns : s->end_ns;
			if (s->start_ns == MLV_NO_TIME)
				continue;
			d->t0 = s->start_ns < d->t0 ? s->start_ns : d->t0;
			d->t1 = end > d->t1 ? end : d->t1;
		}
	}
	return d->t0 <= d->t1;
}

static enum mlv_rc lay_out(struct drawing *d, struct mlv_lanes *lanes, double height,
			   struct mlv_err *err)
{
	size_t most = (size_t)(height / (LANE_MIN + 1)), total = 0, tracks = 0;
	enum mlv_rc rc = MLV_OK;
	if (!most)
		return mlv_err_set(err, MLV_E_USAGE,
				   "the picture is too small for lanes; choose a "
				   "larger --size");
	for (size_t r = 0; !rc && r < d->chart->count; r++) {
		size_t share = most / d->chart->count;
		struct mlv_lanes_options o = {
			.from = d->chart->from == MLV_NO_TIME ? d->t0 : d->chart->from,
			.to = d->chart->to == MLV_NO_TIME ? d->t1 : d->chart->to,
			.columns = d->columns,
			.most_lanes = share ? share : 1,
			.most_depth = DEEP,
		};
		rc = mlv_lanes_init(&lanes[r], d->chart->runs[r], &o, err);
		total += lanes[r].list.len;
		tracks += lanes[r].tracks;
	}
	double room = height - (double)tracks * GAP;
	d->lane_height = total ? room / (double)total : LANE_MAX;
	if (d->lane_height > LANE_MAX)
		d->lane_height = LANE_MAX;
	if (d->lane_height < LANE_MIN)
		d->lane_height = LANE_MIN;
	d->lane_height = (int)d->lane_height;
	d->used = d->lane_height * (double)total + (double)tracks * GAP;
	return rc;
}

/* The memory below the lanes; the time axis belongs to both. */
static enum mlv_rc draw_memory(struct drawing *d, const struct mlv_memory_strips *memory,
			       double base, int64_t from, int64_t to, struct mlv_err *err)
{
	struct mlv_strips_place place = {
		.x = d->x,
		.y = base - mlv_memory_strips_height(memory),
		.columns = d->columns,
		.from = from,
		.to = to,
		.labels = LABELS - 20,
	};
	return mlv_memory_strips_draw(d->c, memory, d->chart->page.theme, &place, err);
}

static enum mlv_rc draw(struct drawing *d, struct mlv_err *err)
{
	const struct mlv_lanes_chart *chart = d->chart;
	struct mlv_lanes *lanes = calloc(chart->count, sizeof(*lanes));
	if (!lanes)
		return mlv_err_nomem(err);
	double top = mlv_page_headings(d->c, &chart->page);
	double base = chart->page.height - BELOW;
	bool beside = chart->page.width >= 900;
	uint64_t hidden = 0, deeper = 0;
	d->x = LABELS;
	d->y = top + 18;
	d->columns = (int32_t)(chart->page.width - LABELS - (beside ? LEGEND + 24 : 28));
	struct mlv_memory_strips memory;
	enum mlv_rc rc = mlv_memory_strips_init(&memory, chart->runs, chart->count,
						base - d->y - LANES_LEAST, err);
	double strips = rc ? 0 : mlv_memory_strips_height(&memory);
	if (!rc && d->columns < 60)
		rc = mlv_err_set(err, MLV_E_USAGE,
				 "the picture is too small for lanes; choose a larger --size");
	if (!rc)
		rc = lay_out(d, lanes, base - d->y - 4 - strips, err);
	int64_t from = chart->from == MLV_NO_TIME ? d->t0 : chart->from;
	int64_t to = chart->to == MLV_NO_TIME ? d->t1 : chart->to;
	if (!rc) {
		/* The axis lies where the lanes end. */
		if (d->y + d->used + 6 + strips < base)
			base = (int)(d->y + d->used + 6 + strips);
		mlv_page_time_axis(d->c, chart->page.theme, d->x, d->columns, base, d->y, d->t0,
				   from, to, "time since the first span");
		rc = draw_lanes(d, lanes);
		if (!rc)
			rc = draw_memory(d, &memory, base, from, to, err);
		for (size_t r = 0; r < chart->count; r++) {
			hidden += lanes[r].hidden_tracks;
			deeper += lanes[r].deeper;
		}
		if (beside)
			draw_legend(d, top, hidden, deeper);
		if (rc)
			mlv_err_nomem(err);
	}
	mlv_memory_strips_fini(&memory);
	for (size_t r = 0; r < chart->count; r++)
		mlv_lanes_fini(&lanes[r]);
	free(lanes);
	return rc;
}

enum mlv_rc mlv_lanes_chart_draw(struct mlv_canvas *c, const struct mlv_lanes_chart *chart,
				 struct mlv_err *err)
{
	struct drawing d;
	memset(&d, 0, sizeof(d));
	d.c = c;
	d.chart = chart;
	enum mlv_rc rc = MLV_OK;
	if (!find_range(&d))
		rc = mlv_err_set(
			err, MLV_E_FORMAT,
			"the spans in it have no times, so there is nothing to draw them by");
	if (!rc)
		rc = mlv_name_totals_init(&d.names, chart->runs, chart->count, err);
	if (!rc) {
		d.shown = chart->top < MLV_NAMES_COLORED ? chart->top : MLV_NAMES_COLORED;
		d.shown = d.shown < d.names.list.len ? d.shown : d.names.list.len;
		d.colors = mlv_name_colors(&d.names, d.shown);
		rc = d.colors ? MLV_OK : mlv_err_nomem(err);
	}
	if (!rc)
		rc = draw(&d, err);
	mlv_name_totals_fini(&d.names);
	free(d.colors);
	return rc;
}
