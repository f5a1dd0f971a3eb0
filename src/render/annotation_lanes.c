/* SPDX-License-Identifier: MIT */
/*
 * Annotations (optimizer steps, record_function) as bars above the plot. What
 * runs inside another lies in the lane below it. Bars that would be thinner
 * than a pixel are drawn together.
 */
#define _GNU_SOURCE /* memrchr */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "render/memory_chart.h"

enum { LANES = 3 };

struct bar {
	double x0, x1;
	int64_t start, end;
	const struct mlv_span *span;
};

static bool on_device(const struct mlv_memory_panel *p, const struct mlv_span *s)
{
	return s->track.i == p->device.i;
}

static int by_start(const void *pa, const void *pb)
{
	const struct bar *a = pa, *b = pb;
	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	/* What lasts longer encloses what begins with it. */
	return (a->end < b->end) - (a->end > b->end);
}

/* The annotations that the view shows, by their beginning. NULL when there is none. */
static struct bar *collect(const struct mlv_memory_panel *p, size_t *count)
{
	const struct mlv_history *h = p->history;
	const struct mlv_run *run = h->run;
	*count = 0;
	if (!h->has_times || !h->count || !run->spans.len)
		return NULL;
	int64_t t0 = h->events[p->first].time_ns, t1 = h->events[p->last].time_ns;
	struct bar *bars = malloc(run->spans.len * sizeof(*bars));
	for (size_t i = 0; bars && i < run->spans.len; i++) {
		const struct mlv_span *s = &run->spans.data[i];
		struct bar b = { .start = s->start_ns == MLV_NO_TIME ? t0 : s->start_ns,
				 .end = s->end_ns == MLV_NO_TIME ? t1 : s->end_ns,
				 .span = s };
		if (on_device(p, s) && b.start <= t1 && b.end >= t0)
			bars[(*count)++] = b;
	}
	if (*count)
		qsort(bars, *count, sizeof(*bars), by_start);
	return bars;
}

/* The lane of each bar in turn: one below those that have not ended yet. */
struct nesting {
	int64_t ends[LANES];
	unsigned depth;
};

static unsigned lane_of(struct nesting *n, const struct bar *b)
{
	while (n->depth && n->ends[n->depth - 1] <= b->start)
		n->depth--;
	unsigned lane = n->depth;
	if (lane < LANES)
		n->ends[n->depth++] = b->end;
	return lane;
}

unsigned mlv_annotation_lanes(const struct mlv_memory_chart *chart,
			      const struct mlv_memory_panel *panel)
{
	(void)chart;
	size_t count;
	unsigned lanes = 0;
	struct nesting nesting = { .depth = 0 };
	struct bar *bars = collect(panel, &count);
	for (size_t i = 0; i < count; i++) {
		unsigned lane = lane_of(&nesting, &bars[i]);
		if (lane < LANES && lane + 1 > lanes)
			lanes = lane + 1;
	}
	free(bars);
	return lanes;
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

static void draw_bar(struct mlv_canvas *c, const struct mlv_memory_chart *chart,
		     const struct mlv_run *run, const struct bar *b, struct mlv_rect lane,
		     size_t together)
{
	const struct mlv_theme *t = chart->theme;
	struct mlv_font font = { 10, false };
	char title[400], took[MLV_NUM_SIZE], label[200];
	struct mlv_str name = mlv_run_str(run, b->span->name);
	mlv_fmt_duration(took, sizeof(took), mlv_time_between(b->start, b->end));
	if (together > 1)
		snprintf(title, sizeof(title), "%zu annotations, such as %.300s", together, name.p);
	else
		snprintf(title, sizeof(title), "%.300s: %s%s", name.p, took,
			 b->span->end_ns == MLV_NO_TIME     ? ", never ended"
			 : b->span->start_ns == MLV_NO_TIME ? ", began before the recording"
							    : "");
	double w = b->x1 - b->x0 < 1 ? 1 : b->x1 - b->x0;
	/* A hair of space keeps neighbours apart. */
	mlv_canvas_rect(c, b->x0, lane.y, w > 3 ? w - 1 : w, lane.h - 2, t->annotation_fill,
			chart->hover ? title : NULL);
	if (together > 1)
		return;
	label_of(name, font, w - 7, label, sizeof(label));
	if (*label)
		mlv_canvas_text(c, b->x0 + 3, lane.y + 10, font, MLV_START, t->annotation_text,
				label);
}

enum mlv_rc mlv_annotation_lanes_draw(struct mlv_canvas *c, const struct mlv_memory_chart *chart,
				      const struct mlv_memory_panel *panel,
				      const struct mlv_view *view, struct mlv_rect area,
				      struct mlv_err *err)
{
	(void)err;
	size_t count;
	struct nesting nesting = { .depth = 0 };
	struct bar *bars = collect(panel, &count);
	/* Of each lane, the bar not yet drawn, and how many it stands for. */
	struct bar open[LANES];
	size_t together[LANES] = { 0 };
	for (size_t i = 0; i <= count; i++) {
		unsigned lane = 0;
		if (i < count) {
			lane = lane_of(&nesting, &bars[i]);
			if (lane >= LANES)
				continue;
			bars[i].x0 = area.x + x_of(panel->history, view, bars[i].start);
			bars[i].x1 = area.x + x_of(panel->history, view, bars[i].end);
			struct bar *o = &open[lane];
			if (together[lane] && bars[i].x1 - o->x0 < 1.5) {
				o->x1 = bars[i].x1 > o->x1 ? bars[i].x1 : o->x1;
				together[lane]++;
				continue;
			}
		}
		for (unsigned k = 0; k < LANES; k++) {
			if (!together[k] || (i < count && k != lane))
				continue;
			struct mlv_rect at = { area.x, area.y + k * MLV_LANE_HEIGHT, area.w,
					       MLV_LANE_HEIGHT };
			draw_bar(c, chart, panel->history->run, &open[k], at, together[k]);
			together[k] = 0;
		}
		if (i < count) {
			open[lane] = bars[i];
			together[lane] = 1;
		}
	}
	free(bars);
	return MLV_OK;
}
