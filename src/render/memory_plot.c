/* SPDX-License-Identifier: MIT */
/* One plot of the allocation timeline: axes, allocations, reserved line, markers. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "render/axis.h"
#include "render/memory_chart.h"
#include "render/memory_hover.h"
#include "render/page.h"

enum { LEFT = 84, BELOW = 40, MARKER_ROW = 17 };

struct plot {
	struct mlv_canvas *c;
	const struct mlv_memory_chart *chart;
	const struct mlv_memory_panel *panel;
	const struct mlv_class_colors *colors;
	struct mlv_view view;
	struct mlv_stacking stacking;
	int32_t x, y; /* upper left corner of the data */
	double lanes_y;
	struct mlv_annotation_lanes lanes;
};

static double y_of(const struct plot *p, uint64_t bytes)
{
	return mlv_page_bytes_y(p->y, p->view.rows, p->view.top_bytes, bytes);
}

static void draw_tick(const struct plot *p, double x, const char *label, enum mlv_anchor anchor)
{
	const struct mlv_theme *t = p->chart->page.theme;
	struct mlv_font font = { 12, false };
	int32_t base = p->y + p->view.rows;
	mlv_canvas_rect(p->c, (int32_t)x, base, 1, 5, t->axis, NULL);
	mlv_canvas_text(p->c, x, base + 19, font, anchor, t->text_dim, label);
}

/* Times are told from the first event of the recording, whatever part of it is shown. */
static void draw_time_ticks(const struct plot *p)
{
	const struct mlv_history *h = p->panel->history;
	int64_t zero = h->events[0].time_ns;
	int64_t t0 = mlv_time_between(zero, h->events[p->view.first].time_ns);
	int64_t t1 = mlv_time_between(zero, h->events[p->view.last].time_ns);
	/* A clock that went back or jumped by centuries has no ticks worth showing. */
	if (t0 < 0 || t1 < t0 || t1 > INT64_MAX / 4)
		return;
	int64_t step = mlv_axis_time_step(t1 - t0 + 1, p->view.columns > 500 ? 8 : 4);
	for (int64_t tick = (t0 + step - 1) / step * step; tick <= t1; tick += step) {
		char label[MLV_NUM_SIZE];
		mlv_axis_time_label(tick, step, label, sizeof(label));
		draw_tick(p, p->x + mlv_view_time_x(h, &p->view, tick + zero), label, MLV_MIDDLE);
	}
}

static void draw_x_axis(const struct plot *p)
{
	const struct mlv_theme *t = p->chart->page.theme;
	struct mlv_font font = { 12, false };
	double base = p->y + p->view.rows;
	if (p->panel->history->count) {
		if (p->view.by_time)
			draw_time_ticks(p);
		else
			mlv_page_event_ticks(p->c, t, p->x, p->view.columns, base, p->view.first,
					     p->view.last);
	}
	mlv_canvas_rect(p->c, p->x, base, p->view.columns, 1, t->axis, NULL);
	mlv_canvas_text(p->c, p->x + p->view.columns / 2.0, base + 37, font, MLV_MIDDLE,
			t->text_dim,
			!p->panel->history->count ? "final state; no events were recorded"
			: p->view.by_time         ? "time since the first event"
						  : "event");
}

/* The ground of what is reserved, and the outline above it. */
static enum mlv_rc draw_reserved(const struct plot *p, struct mlv_err *err)
{
	const struct mlv_theme *t = p->chart->page.theme;
	int32_t n = p->view.columns;
	struct mlv_strip *strips = malloc((size_t)n * sizeof(*strips));
	struct mlv_point *line = malloc((size_t)n * 2 * sizeof(*line));
	if (!strips || !line) {
		free(strips);
		free(line);
		return mlv_err_nomem(err);
	}
	size_t strip_count = 0, points = 0;
	int32_t bottom = p->y + p->view.rows;
	for (int32_t x = 0; x < n; x++) {
		int32_t top = (int32_t)(y_of(p, p->stacking.columns[x].reserved) + 0.5);
		struct mlv_strip *last = strip_count ? &strips[strip_count - 1] : NULL;
		if (last && last->y0 == top) {
			last->x1++;
			line[points - 1].x = p->x + x + 1;
			continue;
		}
		strips[strip_count++] = (struct mlv_strip){ p->x + x, p->x + x + 1, top, bottom };
		line[points++] = (struct mlv_point){ p->x + x, top - 0.5 };
		line[points++] = (struct mlv_point){ p->x + x + 1, top - 0.5 };
	}
	struct mlv_ribbon ground = { .strips = strips,
				     .count = strip_count,
				     .color = t->reserved_fill,
				     .title = p->chart->hover ? "reserved, not requested" : NULL };
	mlv_canvas_ribbon(p->c, &ground);
	mlv_canvas_polyline(p->c, line, points, 1.5, t->reserved_line, 0);
	free(strips);
	free(line);
	return MLV_OK;
}

static enum mlv_rc draw_allocations(const struct plot *p, struct mlv_err *err)
{
	const struct mlv_stacking *s = &p->stacking;
	struct mlv_buf title = { 0 };
	struct mlv_color seam = p->chart->page.theme->seam;
	MLV_VEC(struct mlv_strip) strips = { 0 };
	seam.a = 120; /* a hair line that tells neighbours apart and does not shout */
	bool ok = true;
	for (size_t i = 0; ok && i < s->shapes.len; i++) {
		const struct mlv_shape *shape = &s->shapes.data[i];
		strips.len = 0;
		ok = mlv_vec_room(&strips, shape->steps);
		for (size_t k = 0; ok && k < shape->steps; k++) {
			const struct mlv_step *q = &s->steps[shape->first_step + k];
			strips.data[strips.len++] =
				(struct mlv_strip){ p->x + q->x0, p->x + q->x1, p->y + q->y0,
						    p->y + q->y1 };
		}
		if (!ok || !strips.len)
			continue;
		if (p->chart->hover)
			mlv_hover_text(p->panel->classes, shape, &title);
		struct mlv_ribbon r = { .strips = strips.data,
					.count = strips.len,
					.color = p->colors->of_class[shape->cls],
					.fill = shape->pending ? MLV_FILL_HATCH : MLV_FILL_SOLID,
					.seam = shape->alloc != MLV_NEVER,
					.seam_color = seam,
					.title = p->chart->hover ? title.data : NULL };
		mlv_canvas_ribbon(p->c, &r);
	}
	ok = ok && !title.failed;
	mlv_vec_free(&strips);
	mlv_buf_fini(&title);
	return ok ? MLV_OK : mlv_err_nomem(err);
}

static double x_of_event(const struct plot *p, int64_t event)
{
	if (event < (int64_t)p->view.first)
		return p->x + 0.5;
	return p->x + mlv_view_column(p->panel->history, &p->view, (uint32_t)event) + 0.5;
}

/* A label above the plot, to the side of its line where there is room. */
static void draw_label(const struct plot *p, double x, double y, struct mlv_color color,
		       const char *text)
{
	struct mlv_font font = { 12, true };
	double w = mlv_text_width(font, text), right = p->x + p->view.columns;
	bool left_side = x + w > right;
	double at = left_side ? x : x - 1;
	if (left_side && at - w < 4)
		at = w + 4;
	mlv_canvas_text(p->c, at, y, font, left_side ? MLV_END : MLV_START, color, text);
}

static void draw_line_down(const struct plot *p, double x, double from, double to,
			   struct mlv_color color, double width, double dash)
{
	struct mlv_point line[2] = { { x, from }, { x, to } };
	mlv_canvas_polyline(p->c, line, 2, width, color, dash);
}

/* The peak of the recording, if it lies in the view; otherwise where it lies. */
static void draw_peak(const struct plot *p, double label_y)
{
	const struct mlv_theme *t = p->chart->page.theme;
	const struct mlv_extent *r = &p->panel->history->requested;
	const char *what = mlv_bytes_are_name(p->panel->history->device->bytes_are);
	char bytes[MLV_NUM_SIZE], event[MLV_NUM_SIZE], text[160];
	if (!r->peak || !p->panel->history->count)
		return;
	mlv_fmt_bytes(bytes, sizeof(bytes), r->peak);
	if (r->peak_event < 0)
		snprintf(text, sizeof(text), "peak %s %s, at the beginning", bytes, what);
	else
		snprintf(text, sizeof(text), "peak %s %s, event %s", bytes, what,
			 mlv_fmt_count(event, sizeof(event), (uint64_t)r->peak_event));
	int64_t from = p->view.first ? (int64_t)p->view.first : -1;
	if (r->peak_event < from || r->peak_event > (int64_t)p->view.last) {
		size_t n = strlen(text);
		snprintf(text + n, sizeof(text) - n, ", lies outside");
		draw_label(p, r->peak_event < from ? p->x : p->x + p->view.columns, label_y,
			   t->text_dim, text);
		return;
	}
	/* The line ends at the mark: it would hide the spike that it points to. */
	double x = x_of_event(p, r->peak_event), y = y_of(p, r->peak);
	draw_line_down(p, x, p->lanes_y - 2, y - 4, t->axis, 1, 3);
	mlv_canvas_circle(p->c, x, y, 4, t->ground, t->text, 1.6);
	draw_label(p, x, label_y, t->text, text);
}

/* Every event has its line; the first one has the words. */
static void draw_ooms(const struct plot *p, double label_y)
{
	const struct mlv_theme *t = p->chart->page.theme;
	const struct mlv_history *h = p->panel->history;
	char bytes[MLV_NUM_SIZE], event[MLV_NUM_SIZE], text[200];
	uint64_t shown = 0;
	double last = -10, first = 0;
	for (size_t k = 0; k < h->other_count; k++) {
		uint32_t i = h->others[k];
		if (h->events[i].action != MLV_MEM_OOM || i < p->view.first || i > p->view.last)
			continue;
		double x = x_of_event(p, i);
		if (x - last >= 2) /* a loop that fails again and again fills no picture */
			draw_line_down(p, x, p->lanes_y - 2, p->y + p->view.rows, t->oom, 1.6, 0);
		last = x;
		if (shown++)
			continue;
		first = x;
		snprintf(text, sizeof(text), "out of memory: could not get %s (rounded), event %s",
			 mlv_fmt_bytes(bytes, sizeof(bytes), h->events[i].bytes),
			 mlv_fmt_count(event, sizeof(event), i));
	}
	if (!shown)
		return;
	size_t n = strlen(text);
	if (shown > 1)
		snprintf(text + n, sizeof(text) - n, " (first of %" PRIu64 ")", shown);
	draw_label(p, first, label_y, t->oom, text);
}

static void draw_capacity(const struct plot *p)
{
	const struct mlv_theme *t = p->chart->page.theme;
	struct mlv_font font = { 12, true };
	char bytes[MLV_NUM_SIZE], text[80];
	if (!p->chart->capacity)
		return;
	double y = (int32_t)y_of(p, p->chart->capacity) + 0.5;
	struct mlv_point line[2] = { { p->x, y }, { p->x + p->view.columns, y } };
	mlv_canvas_polyline(p->c, line, 2, 1.5, t->capacity, 6);
	mlv_axis_bytes_label(p->chart->capacity, bytes, sizeof(bytes));
	/* "3.6GiB" is no round number of bytes: then two decimals do. */
	const char *point = strchr(bytes, '.');
	if (point && strspn(point + 1, "0123456789") > 2)
		mlv_fmt_bytes(bytes, sizeof(bytes), p->chart->capacity);
	snprintf(text, sizeof(text), "capacity %s", bytes);
	mlv_canvas_text(p->c, p->x + 6, y - 6, font, MLV_START, t->capacity, text);
}

static void draw_reserved_label(const struct plot *p)
{
	struct mlv_font font = { 12, false };
	uint64_t end = p->stacking.columns[p->view.columns - 1].reserved;
	if (end)
		mlv_canvas_text(p->c, p->x + p->view.columns + 8, y_of(p, end) + 4, font, MLV_START,
				p->chart->page.theme->text_dim, "reserved");
}

static enum mlv_rc draw_all(struct plot *p, struct mlv_rect area, struct mlv_err *err)
{
	mlv_page_bytes_axis(p->c, p->chart->page.theme, p->x, p->y, p->view.columns, p->view.rows,
			    p->view.top_bytes);
	enum mlv_rc rc = draw_reserved(p, err);
	if (!rc)
		rc = draw_allocations(p, err);
	mlv_annotation_lanes_draw(p->c, p->chart, p->panel, &p->view, &p->lanes, p->x, p->lanes_y);
	draw_x_axis(p);
	draw_capacity(p);
	draw_reserved_label(p);
	/* The upper row is the peak's, the lower one that of the failures: they never collide. */
	double row = area.y + (p->chart->count > 1 ? 34 : 12);
	draw_ooms(p, row + MARKER_ROW);
	draw_peak(p, p->panel->history->action_count[MLV_MEM_OOM] ? row : row + MARKER_ROW);
	return rc;
}

enum mlv_rc mlv_memory_plot_draw(struct mlv_canvas *c, const struct mlv_memory_chart *chart,
				 const struct mlv_memory_panel *panel,
				 const struct mlv_class_colors *colors, struct mlv_rect area,
				 uint64_t top_bytes, uint32_t *banded, struct mlv_err *err)
{
	struct plot p = { .c = c, .chart = chart, .panel = panel, .colors = colors };
	enum mlv_rc rc = mlv_annotation_lanes_init(&p.lanes, panel, err);
	if (rc)
		return rc;
	p.lanes_y = area.y + (chart->count > 1 ? 34 : 12) + MARKER_ROW + 9;
	p.x = (int32_t)area.x + LEFT;
	p.y = (int32_t)p.lanes_y + p.lanes.height + 2;
	p.view = (struct mlv_view){ .first = panel->first,
				    .last = panel->last,
				    .by_time = chart->by_time && panel->history->has_times,
				    .columns = (int32_t)area.w - LEFT - 66,
				    .rows = (int32_t)(area.y + area.h) - BELOW - p.y,
				    .top_bytes = top_bytes };
	if (p.view.columns < 60 || p.view.rows < 30)
		rc = mlv_err_set(err, MLV_E_USAGE,
				 "the picture is too small for %zu plot%s; choose a larger "
				 "--size or fewer devices",
				 chart->count, chart->count == 1 ? "" : "s");
	if (!rc)
		rc = mlv_stacking_init(&p.stacking, panel->classes, &p.view, err);
	if (rc) {
		mlv_annotation_lanes_fini(&p.lanes);
		return rc;
	}
	*banded += p.stacking.banded;
	rc = draw_all(&p, area, err);
	if (chart->count > 1) {
		struct mlv_font font = { 13, true };
		char fitted[256];
		mlv_text_fit(font, panel->title, area.w - LEFT, true, fitted, sizeof(fitted));
		mlv_canvas_text(c, p.x, area.y + 14, font, MLV_START, chart->page.theme->text,
				fitted);
	}
	mlv_stacking_fini(&p.stacking);
	mlv_annotation_lanes_fini(&p.lanes);
	return rc;
}
