/* SPDX-License-Identifier: MIT */
/*
 * Annotations (optimizer steps, record_function) as bars above the plot. What
 * runs inside another lies in the lane below it. Bars that would be thinner
 * than a pixel are drawn together, and so is what is nested deeper than there
 * are lanes.
 */
#define _GNU_SOURCE /* memrchr */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "render/memory_chart.h"

enum { LANES = 3, LANE_HEIGHT = 15, DEEPER_HEIGHT = 7 };

struct mlv_annotation_bar {
	int64_t start, end;
	const struct mlv_span *span;
	unsigned lane; /* LANES: deeper than there are lanes */
};

/* What is to be drawn: one bar, or several together. */
struct run {
	double x0, x1;
	const struct mlv_annotation_bar *first;
	size_t count;
};

static bool on_device(const struct mlv_memory_panel *p, const struct mlv_span *s)
{
	return s->track.i == p->device.i;
}

static int by_start(const void *pa, const void *pb)
{
	const struct mlv_annotation_bar *a = pa, *b = pb;
	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	/* What lasts longer encloses what begins with it. */
	return (a->end < b->end) - (a->end > b->end);
}

/* The annotations that the panel shows, by their beginning. */
static bool collect(struct mlv_annotation_lanes *l, const struct mlv_memory_panel *p)
{
	const struct mlv_history *h = p->history;
	const struct mlv_run *run = h->run;
	if (!h->has_times || !h->count || !run->spans.len)
		return true;
	int64_t t0 = h->events[p->first].time_ns, t1 = h->events[p->last].time_ns;
	l->bars = malloc(run->spans.len * sizeof(*l->bars));
	if (!l->bars)
		return false;
	for (size_t i = 0; i < run->spans.len; i++) {
		const struct mlv_span *s = &run->spans.data[i];
		struct mlv_annotation_bar b = { .start = s->start_ns == MLV_NO_TIME ? t0
										    : s->start_ns,
						.end = s->end_ns == MLV_NO_TIME ? t1 : s->end_ns,
						.span = s };
		if (on_device(p, s) && b.start <= t1 && b.end >= t0)
			l->bars[l->count++] = b;
	}
	qsort(l->bars, l->count, sizeof(*l->bars), by_start);
	return true;
}

/* The lane of each bar: one below those that have not ended yet. */
enum mlv_rc mlv_annotation_lanes_init(struct mlv_annotation_lanes *l,
				      const struct mlv_memory_panel *panel, struct mlv_err *err)
{
	int64_t ends[LANES];
	unsigned depth = 0, lanes = 0;
	bool deeper = false;
	memset(l, 0, sizeof(*l));
	if (!collect(l, panel))
		return mlv_err_nomem(err);
	for (size_t i = 0; i < l->count; i++) {
		struct mlv_annotation_bar *b = &l->bars[i];
		while (depth && ends[depth - 1] <= b->start)
			depth--;
		b->lane = depth;
		deeper = deeper || depth == LANES;
		if (depth < LANES)
			ends[depth++] = b->end;
		lanes = depth > lanes ? depth : lanes;
	}
	l->height = (int32_t)lanes * LANE_HEIGHT + (deeper ? DEEPER_HEIGHT : 0);
	return MLV_OK;
}

void mlv_annotation_lanes_fini(struct mlv_annotation_lanes *l)
{
	free(l->bars);
	memset(l, 0, sizeof(*l));
}

/* The first event at or after a time; the recorder writes them in order. */
static uint32_t event_at(const struct mlv_history *h, const struct mlv_view *v, int64_t time)
{
	uint32_t lo = v->first, hi = v->last + 1;
	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;
		if (h->events[mid].time_ns < time)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

static double x_of(const struct mlv_history *h, const struct mlv_view *v, int64_t time)
{
	double x;
	if (v->by_time)
		x = mlv_view_time_x(h, v, time);
	else
		x = (double)(event_at(h, v, time) - v->first) * v->columns /
		    ((double)v->last - v->first + 1);
	return x < 0 ? 0 : x > v->columns ? v->columns : x;
}

/* The part of the name behind the last of some character, or all of it. */
static struct mlv_str tail(struct mlv_str name, char mark)
{
	const char *at = memrchr(name.p, mark, name.n);
	if (!at || at == name.p || at + 1 == name.p + name.n)
		return name;
	return (struct mlv_str){ at + 1, name.n - (size_t)(at + 1 - name.p) };
}

/*
 * The longest form of the name that fits: "Optimizer.step#AdamW.step",
 * "AdamW.step", "step". A bar too short for all of them stays without.
 */
static void label_of(struct mlv_str name, struct mlv_font font, double width, char *buf,
		     size_t size)
{
	struct mlv_str forms[3] = { name, tail(name, '#'), tail(tail(name, '#'), '.') };
	for (size_t i = 0; i < 3; i++) {
		snprintf(buf, size, "%.*s", forms[i].n > 150 ? 150 : (int)forms[i].n, forms[i].p);
		if (mlv_text_width(font, buf) <= width)
			return;
	}
	/* A long bar says at least how its name begins. */
	char whole[160];
	snprintf(whole, sizeof(whole), "%.150s", buf);
	buf[0] = '\0';
	if (width >= 90)
		mlv_text_fit(font, whole, width, false, buf, size);
}

static void title_of(const struct mlv_run *run, const struct run *r, char *buf, size_t size)
{
	const struct mlv_span *s = r->first->span;
	struct mlv_str name = mlv_run_str(run, s->name);
	char took[MLV_NUM_SIZE];
	const char *deeper = r->first->lane == LANES ? "deeper " : "";
	if (r->count > 1) {
		snprintf(buf, size, "%zu %sannotations, such as %.300s", r->count, deeper, name.p);
		return;
	}
	mlv_fmt_duration(took, sizeof(took), mlv_time_between(r->first->start, r->first->end));
	snprintf(buf, size, "%s%s%.300s: %s%s", *deeper ? "1 deeper annotation" : "",
		 *deeper ? ", " : "", name.p, took,
		 s->end_ns == MLV_NO_TIME     ? ", never ended"
		 : s->start_ns == MLV_NO_TIME ? ", began before the recording"
					      : "");
}

static void draw_run(struct mlv_canvas *c, const struct mlv_memory_chart *chart,
		     const struct mlv_run *run, const struct run *r, double y)
{
	const struct mlv_theme *t = chart->page.theme;
	struct mlv_font font = { 10, false };
	char title[400], label[200];
	bool deeper = r->first->lane == LANES;
	title_of(run, r, title, sizeof(title));
	double w = r->x1 - r->x0 < 1 ? 1 : r->x1 - r->x0;
	/* A hair of space keeps neighbours apart. */
	mlv_canvas_rect(c, r->x0, y, w > 3 ? w - 1 : w, (deeper ? DEEPER_HEIGHT : LANE_HEIGHT) - 2,
			deeper ? t->annotation_text : t->annotation_fill,
			chart->hover ? title : NULL);
	if (r->count > 1 || deeper)
		return;
	label_of(mlv_run_str(run, r->first->span->name), font, w - 7, label, sizeof(label));
	if (*label)
		mlv_canvas_text(c, r->x0 + 3, y + 10, font, MLV_START, t->annotation_text, label);
}

/* Whether the next bar of a lane is drawn with those before it. */
static bool joins(const struct run *r, unsigned lane, double x0, double x1)
{
	if (!r->count)
		return false;
	return lane == LANES ? x0 - r->x1 < 1.5 : x1 - r->x0 < 1.5;
}

void mlv_annotation_lanes_draw(struct mlv_canvas *c, const struct mlv_memory_chart *chart,
			       const struct mlv_memory_panel *panel, const struct mlv_view *view,
			       const struct mlv_annotation_lanes *l, double x, double y)
{
	const struct mlv_run *run = panel->history->run;
	struct run open[LANES + 1] = { 0 }; /* of each lane, what is not yet drawn */
	for (size_t i = 0; i < l->count; i++) {
		const struct mlv_annotation_bar *b = &l->bars[i];
		struct run *r = &open[b->lane];
		double x0 = x + x_of(panel->history, view, b->start);
		double x1 = x + x_of(panel->history, view, b->end);
		if (joins(r, b->lane, x0, x1)) {
			r->x1 = x1 > r->x1 ? x1 : r->x1;
			r->count++;
			continue;
		}
		if (r->count)
			draw_run(c, chart, run, r, y + b->lane * LANE_HEIGHT);
		*r = (struct run){ x0, x1, b, 1 };
	}
	for (unsigned lane = 0; lane <= LANES; lane++) {
		if (open[lane].count)
			draw_run(c, chart, run, &open[lane], y + lane * LANE_HEIGHT);
	}
}
