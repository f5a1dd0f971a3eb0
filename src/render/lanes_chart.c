/* SPDX-License-Identifier: MIT */
#include "render/lanes_chart.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "analysis/lanes.h"
#include "base/num.h"
#include "render/memory_strip.h"
#include "render/palette.h"

enum {
	LABELS = 230,
	LEGEND = 300,
	BELOW = 44,
	LANE_MIN = 7,
	LANE_MAX = 20,
	DEEP = 12,
	GAP = 4,
	LANES_LEAST = 140
};

/* Time that spans of one name take, over all runs. */
struct name_total {
	uint64_t hash;
	struct mlv_str name;
	int64_t ns;
	uint64_t count;
	struct mlv_color color;
};

struct drawing {
	struct mlv_canvas *c;
	const struct mlv_lanes_chart *chart;
	MLV_VEC(struct name_total) names; /* the ones that take most first */
	struct mlv_map ids;
	size_t shown;
	int64_t t0, t1;
	double x, y;
	int32_t columns;
	double lane_height, used; /* of all lanes together */
};

static uint64_t hash_of(struct mlv_str s)
{
	return XXH3_64bits(s.p, s.n);
}

static bool add_name(struct drawing *d, struct mlv_str name, int64_t ns)
{
	uint64_t hash = hash_of(name);
	struct mlv_map_slot *slot = mlv_map_find(&d->ids, hash);
	if (!slot) {
		struct name_total fresh = { .hash = hash, .name = name };
		if (!mlv_vec_push(&d->names, fresh) ||
		    !mlv_map_set(&d->ids, hash, (uint32_t)d->names.len - 1))
			return false;
		slot = mlv_map_find(&d->ids, hash);
	}
	struct name_total *t = &d->names.data[slot->value];
	t->count++;
	t->ns = t->ns > INT64_MAX - ns ? INT64_MAX : t->ns + ns;
	return true;
}

static int by_time(const void *pa, const void *pb)
{
	const struct name_total *a = pa, *b = pb;
	if (a->ns != b->ns)
		return a->ns > b->ns ? -1 : 1;
	if (a->count != b->count)
		return a->count > b->count ? -1 : 1;
	return mlv_str_cmp(a->name, b->name);
}

static bool sum_names(struct drawing *d)
{
	for (size_t r = 0; r < d->chart->count; r++) {
		const struct mlv_run *run = d->chart->runs[r];
		for (size_t i = 0; i < run->spans.len; i++) {
			const struct mlv_span *s = &run->spans.data[i];
			int64_t ns = s->start_ns == MLV_NO_TIME || s->end_ns == MLV_NO_TIME
					     ? 0
					     : mlv_time_between(s->start_ns, s->end_ns);
			if (!add_name(d, mlv_run_str(run, s->name), ns < 0 ? 0 : ns))
				return false;
		}
	}
	if (d->names.len)
		qsort(d->names.data, d->names.len, sizeof(*d->names.data), by_time);
	for (size_t i = 0; i < d->names.len; i++)
		mlv_map_find(&d->ids, d->names.data[i].hash)->value = (uint32_t)i;
	return true;
}

static bool choose_colors(struct drawing *d)
{
	d->shown = d->names.len < d->chart->top ? d->names.len : d->chart->top;
	d->shown = d->shown < 40 ? d->shown : 40;
	uint64_t hashes[40];
	uint32_t index[40];
	for (size_t i = 0; i < d->shown; i++)
		hashes[i] = d->names.data[i].hash;
	mlv_palette_assign(hashes, d->shown, index);
	for (size_t i = 0; i < d->names.len; i++)
		d->names.data[i].color = mlv_palette_color(
			i < d->shown ? index[i] : mlv_palette_index(d->names.data[i].hash, 0));
	return true;
}

static void hover(const struct mlv_run *run, const struct mlv_bar *bar, struct mlv_buf *out)
{
	const struct mlv_span *s = &run->spans.data[bar->span];
	char took[MLV_NUM_SIZE], n[MLV_NUM_SIZE];
	out->len = 0;
	mlv_buf_safe(out, mlv_run_str(run, s->name));
	if (bar->open)
		mlv_buf_puts(out, ": never ended");
	else
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
	struct mlv_map_slot *slot = mlv_map_find(&d->ids, hash_of(name));
	struct mlv_color color = slot ? d->names.data[slot->value].color : t->band;
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
	char label[256], whole[300], fitted[300];
	mlv_track_label(run, track, label, sizeof(label));
	bool ranked = run->rank >= 0 && d->chart->count > 1 && strncmp(label, "rank", 4) != 0;
	if (ranked)
		snprintf(whole, sizeof(whole), "rank %" PRId64 " \u00b7 %s", run->rank, label);
	else
		snprintf(whole, sizeof(whole), "%s", label);
	mlv_text_fit(font, whole, LABELS - 20, true, fitted, sizeof(fitted));
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
	struct mlv_font heading = { 13, true }, small = { 11, false };
	double x = page->width - LEGEND, w = LEGEND - 28, y = top + 12;
	char value[MLV_NUM_SIZE], count[MLV_NUM_SIZE], place[80], name[256];
	mlv_canvas_text(d->c, x, y, heading, MLV_START, page->theme->text, "Where the time goes");
	y += 28;
	for (size_t i = 0; i < d->shown && y + 44 < page->height - 60; i++) {
		const struct name_total *t = &d->names.data[i];
		snprintf(name, sizeof(name), "%.250s", t->name.p);
		snprintf(place, sizeof(place), "%s %s",
			 mlv_fmt_count(count, sizeof(count), t->count),
			 t->count == 1 ? "time" : "times");
		struct mlv_legend_row row = {
			.color = t->color,
			.name = name,
			.place = place,
			.value = mlv_fmt_duration(value, sizeof(value), t->ns),
			.share = d->names.data[0].ns ? (double)t->ns / (double)d->names.data[0].ns
						     : -1,
		};
		y = mlv_page_legend_row(d->c, page->theme, x, w, y, &row);
	}
	char note[120];
	if (hidden) {
		snprintf(note, sizeof(note), "%" PRIu64 " less busy tracks are not drawn", hidden);
		mlv_canvas_text(d->c, x, y + 4, small, MLV_START, page->theme->text_dim, note);
		y += 15;
	}
	if (deeper) {
		snprintf(note, sizeof(note), "%s spans nested deeper are not drawn",
			 mlv_fmt_count(count, sizeof(count), deeper));
		mlv_canvas_text(d->c, x, y + 4, small, MLV_START, page->theme->text_dim, note);
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
	if (!rc && !(sum_names(&d) && choose_colors(&d)))
		rc = mlv_err_nomem(err);
	if (!rc)
		rc = draw(&d, err);
	mlv_vec_free(&d.names);
	mlv_map_fini(&d.ids);
	return rc;
}
