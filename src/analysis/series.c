/* SPDX-License-Identifier: MIT */
#include "analysis/series.h"

#include <stdlib.h>
#include <string.h>

#include "base/map.h"

static bool all_timed(const struct mlv_run *run)
{
	for (size_t i = 0; i < run->samples.len; i++) {
		if (run->samples.data[i].time_ns == MLV_NO_TIME)
			return false;
	}
	return run->samples.len > 0;
}

/* Samples of one step and phase, or of one line, were taken at one moment. */
static bool same_moment(const struct mlv_sample *a, const struct mlv_sample *b)
{
	return a->step == b->step && a->phase.i == b->phase.i && a->track.i == b->track.i &&
	       (a->line == b->line || a->phase.i);
}

/* The running number of each sample's moment on its track. */
static bool number_moments(struct mlv_series_set *s, const struct mlv_run *run, double *x)
{
	struct mlv_map next = { 0 }; /* track -> moments so far */
	const struct mlv_sample *last = NULL;
	bool ok = true;
	for (size_t i = 0; ok && i < run->samples.len; i++) {
		const struct mlv_sample *now = &run->samples.data[i];
		struct mlv_map_slot *slot = mlv_map_find(&next, now->track.i);
		uint32_t n = slot ? slot->value : 0;
		if (!last || last->track.i != now->track.i || !same_moment(last, now))
			n++;
		ok = mlv_map_set(&next, now->track.i, n);
		x[i] = n - 1;
		if (ok && n > s->moments.len)
			ok = mlv_vec_push(&s->moments, (uint32_t)i);
		last = now;
	}
	mlv_map_fini(&next);
	return ok;
}

static void times(struct mlv_series_set *s, const struct mlv_run *run, double *x)
{
	int64_t zero = INT64_MAX;
	for (size_t i = 0; i < run->samples.len; i++) {
		int64_t t = run->samples.data[i].time_ns;
		zero = t < zero ? t : zero;
	}
	for (size_t i = 0; i < run->samples.len; i++)
		x[i] = (double)mlv_time_between(zero, run->samples.data[i].time_ns);
	s->by_time = true;
}

struct item {
	uint32_t series;
	struct mlv_series_point point;
};

static int by_series(const void *pa, const void *pb)
{
	const struct item *a = pa, *b = pb;
	if (a->series != b->series)
		return a->series < b->series ? -1 : 1;
	if (a->point.x < b->point.x || a->point.x > b->point.x)
		return a->point.x < b->point.x ? -1 : 1;
	return (a->point.sample > b->point.sample) - (a->point.sample < b->point.sample);
}

static bool series_of(struct mlv_series_set *s, struct mlv_map *ids, const struct mlv_sample *p,
		      uint32_t *index)
{
	uint64_t key = (uint64_t)p->metric.i << 32 | p->track.i;
	struct mlv_map_slot *slot = mlv_map_find(ids, key);
	if (slot) {
		*index = slot->value;
		return true;
	}
	struct mlv_series fresh = { .metric = p->metric,
				    .track = p->track,
				    .quantity = mlv_unit_quantity((enum mlv_unit)p->value.unit) };
	*index = (uint32_t)s->list.len;
	return mlv_vec_push(&s->list, fresh) && mlv_map_set(ids, key, *index);
}

static bool gather(struct mlv_series_set *s, const struct mlv_run *run, const double *x,
		   struct item *items)
{
	struct mlv_map ids = { 0 };
	bool ok = true;
	for (size_t i = 0; ok && i < run->samples.len; i++) {
		items[i].point = (struct mlv_series_point){
			x[i], mlv_decimal_value(run->samples.data[i].value), (uint32_t)i
		};
		ok = series_of(s, &ids, &run->samples.data[i], &items[i].series);
		s->x_end = x[i] > s->x_end ? x[i] : s->x_end;
	}
	mlv_map_fini(&ids);
	return ok;
}

static void settle(struct mlv_series_set *s, const struct item *items, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct mlv_series *line = &s->list.data[items[i].series];
		double y = items[i].point.y;
		if (!line->points++) {
			line->first_point = i;
			line->least = line->most = y;
		}
		line->least = y < line->least ? y : line->least;
		line->most = y > line->most ? y : line->most;
		s->points[i] = items[i].point;
	}
}

enum mlv_rc mlv_series_init(struct mlv_series_set *s, const struct mlv_run *run,
			    struct mlv_err *err)
{
	size_t n = run->samples.len;
	memset(s, 0, sizeof(*s));
	double *x = calloc(n + 1, sizeof(*x));
	struct item *items = calloc(n + 1, sizeof(*items));
	s->points = calloc(n + 1, sizeof(*s->points));
	bool ok = x && items && s->points;
	if (ok && all_timed(run))
		times(s, run, x);
	else if (ok)
		ok = number_moments(s, run, x);
	ok = ok && gather(s, run, x, items);
	if (ok) {
		qsort(items, n, sizeof(*items), by_series);
		settle(s, items, n);
	}
	free(x);
	free(items);
	if (ok)
		return MLV_OK;
	mlv_series_fini(s);
	return mlv_err_nomem(err);
}

void mlv_series_fini(struct mlv_series_set *s)
{
	mlv_vec_free(&s->list);
	mlv_vec_free(&s->moments);
	free(s->points);
	memset(s, 0, sizeof(*s));
}
