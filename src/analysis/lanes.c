/* SPDX-License-Identifier: MIT */
#include "analysis/lanes.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/span_order.h"

enum { DEPTHS = 16 };

/* Bars of one lane while it is filled. */
struct lane_state {
	MLV_VEC(struct mlv_bar) bars;
};

struct layout {
	struct mlv_lanes *out;
	const struct mlv_run *run;
	const struct mlv_lanes_options *o;
	struct mlv_span_item *items;
	size_t count;
	MLV_VEC(struct mlv_bar) bars;
	struct lane_state lanes[DEPTHS]; /* of the track at hand */
	int64_t ends[DEPTHS];
};

/* The spans with a beginning, and the range of their times. */
static bool collect(struct layout *l)
{
	const struct mlv_run *run = l->run;
	int64_t t0 = INT64_MAX, t1 = INT64_MIN;
	l->items = malloc((run->spans.len + 1) * sizeof(*l->items));
	if (!l->items)
		return false;
	for (size_t i = 0; i < run->spans.len; i++) {
		const struct mlv_span *s = &run->spans.data[i];
		if (s->start_ns == MLV_NO_TIME) {
			l->out->untimed++;
			continue;
		}
		l->items[l->count++] =
			(struct mlv_span_item){ s->track.i, (uint32_t)i, s->start_ns, s->end_ns };
		int64_t last = s->end_ns == MLV_NO_TIME ? s->start_ns : s->end_ns;
		t0 = s->start_ns < t0 ? s->start_ns : t0;
		t1 = last > t1 ? last : t1;
	}
	l->out->t0 = l->o->from == MLV_NO_TIME ? t0 : l->o->from;
	l->out->t1 = l->o->to == MLV_NO_TIME ? t1 : l->o->to;
	size_t kept = 0;
	for (size_t i = 0; i < l->count; i++) {
		struct mlv_span_item it = l->items[i];
		if (it.end == MLV_NO_TIME)
			it.end = INT64_MAX; /* open: to the edge */
		if (it.start <= l->out->t1 && it.end >= l->out->t0)
			l->items[kept++] = it;
	}
	l->count = kept;
	mlv_span_order(l->items, kept);
	return true;
}

static int32_t column(const struct layout *l, int64_t t)
{
	double span = (double)mlv_time_between(l->out->t0, l->out->t1);
	double x = (double)mlv_time_between(l->out->t0, t) * l->o->columns / (span > 0 ? span : 1);
	return x <= 0 ? 0 : x >= l->o->columns ? l->o->columns : (int32_t)x;
}

static bool add_bar(struct layout *l, uint32_t depth, const struct mlv_span_item *it)
{
	struct lane_state *lane = &l->lanes[depth];
	struct mlv_bar bar = { .x0 = column(l, it->start),
			       .x1 = column(l, it->end),
			       .span = it->span,
			       .together = 1,
			       .ns = mlv_time_between(it->start, it->end),
			       .open = it->end == INT64_MAX };
	if (bar.x0 >= l->o->columns)
		bar.x0 = l->o->columns - 1;
	if (bar.x1 <= bar.x0)
		bar.x1 = bar.x0 + 1;
	struct mlv_bar *last = lane->bars.len ? &lane->bars.data[lane->bars.len - 1] : NULL;
	if (!last || bar.x0 >= last->x1)
		return mlv_vec_push(&lane->bars, bar);
	/* They share a pixel. A long one keeps what it has behind the other. */
	if (bar.x1 - bar.x0 > 2 && last->x1 - last->x0 > 1) {
		bar.x0 = last->x1;
		return bar.x0 >= bar.x1 || mlv_vec_push(&lane->bars, bar);
	}
	last->together++;
	last->x1 = bar.x1 > last->x1 ? bar.x1 : last->x1;
	if (bar.ns > last->ns) {
		last->ns = bar.ns;
		last->span = bar.span;
		last->open = bar.open;
	}
	return true;
}

/* Move the lanes of a finished track to the output. */
static bool end_track(struct layout *l, mlv_trackid track)
{
	for (uint32_t d = 0; d < DEPTHS && l->lanes[d].bars.len; d++) {
		struct lane_state *lane = &l->lanes[d];
		struct mlv_lane done = { track, d, l->bars.len, lane->bars.len };
		if (!mlv_vec_room(&l->bars, lane->bars.len) || !mlv_vec_push(&l->out->list, done))
			return false;
		memcpy(l->bars.data + l->bars.len, lane->bars.data,
		       lane->bars.len * sizeof(*lane->bars.data));
		l->bars.len += lane->bars.len;
		lane->bars.len = 0;
	}
	l->out->tracks++;
	return true;
}

static bool fill_lanes(struct layout *l)
{
	uint32_t depth = 0, most = l->o->most_depth < DEPTHS ? l->o->most_depth : DEPTHS;
	for (size_t i = 0; i < l->count; i++) {
		const struct mlv_span_item *it = &l->items[i];
		if (i && l->items[i - 1].track != it->track) {
			if (!end_track(l, (mlv_trackid){ l->items[i - 1].track }))
				return false;
			depth = 0;
		}
		while (depth && l->ends[depth - 1] <= it->start)
			depth--;
		if (depth >= most) {
			l->out->deeper++;
			continue;
		}
		if (!add_bar(l, depth, it))
			return false;
		l->ends[depth++] = it->end;
	}
	return !l->count || end_track(l, (mlv_trackid){ l->items[l->count - 1].track });
}

/* How much of the picture a track covers in its own lane. */
struct busy {
	uint32_t order; /* among the tracks */
	int64_t pixels;
	size_t lanes;
};

static int by_pixels(const void *pa, const void *pb)
{
	const struct busy *a = pa, *b = pb;
	if (a->pixels != b->pixels)
		return a->pixels > b->pixels ? -1 : 1;
	return (a->order > b->order) - (a->order < b->order);
}

/* Keep the busiest tracks that fit; their order stays. */
static bool choose_tracks(struct layout *l)
{
	struct mlv_lanes *out = l->out;
	if (out->list.len <= l->o->most_lanes)
		return true;
	struct busy *b = calloc(out->tracks + 1, sizeof(*b));
	size_t *allowed = calloc(out->tracks + 1, sizeof(*allowed));
	size_t n = 0, room = l->o->most_lanes, kept = 0;
	for (size_t i = 0; b && allowed && i < out->list.len; i++) {
		const struct mlv_lane *lane = &out->list.data[i];
		if (lane->depth == 0) {
			b[n].order = (uint32_t)n;
			n++;
		}
		b[n - 1].lanes++;
		for (size_t k = 0; lane->depth == 0 && k < lane->bars; k++)
			b[n - 1].pixels += l->bars.data[lane->first_bar + k].x1 -
					   l->bars.data[lane->first_bar + k].x0;
	}
	if (b && allowed)
		qsort(b, n, sizeof(*b), by_pixels);
	/* A deep track that does not fit as a whole may show its upper lanes. */
	for (size_t i = 0; i < n && allowed; i++) {
		allowed[b[i].order] = b[i].lanes < room ? b[i].lanes : room;
		room -= allowed[b[i].order];
		out->hidden_tracks += !allowed[b[i].order];
	}
	size_t order = 0;
	for (size_t i = 0; i < out->list.len && allowed; i++) {
		const struct mlv_lane *lane = &out->list.data[i];
		order += i > 0 && lane->depth == 0;
		if (lane->depth < allowed[order])
			out->list.data[kept++] = *lane;
	}
	bool ok = b && allowed;
	out->list.len = kept;
	free(b);
	free(allowed);
	return ok;
}

enum mlv_rc mlv_lanes_init(struct mlv_lanes *out, const struct mlv_run *run,
			   const struct mlv_lanes_options *options, struct mlv_err *err)
{
	struct layout l;
	memset(&l, 0, sizeof(l));
	memset(out, 0, sizeof(*out));
	l.out = out;
	l.run = run;
	l.o = options;
	bool ok = collect(&l) && fill_lanes(&l) && choose_tracks(&l);
	for (size_t d = 0; d < DEPTHS; d++)
		mlv_vec_free(&l.lanes[d].bars);
	free(l.items);
	out->bars = l.bars.data;
	if (ok)
		return MLV_OK;
	mlv_lanes_fini(out);
	return mlv_err_nomem(err);
}

void mlv_lanes_fini(struct mlv_lanes *l)
{
	mlv_vec_free(&l->list);
	free(l->bars);
	memset(l, 0, sizeof(*l));
}
