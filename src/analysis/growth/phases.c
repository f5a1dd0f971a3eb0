/* SPDX-License-Identifier: MIT */
#include "analysis/growth/phases.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/growth/sample_tracks.h"
#include "analysis/memory_metrics.h"

/* Which member of a moment a sample fills; NULL: none. */
static int64_t *member(const struct mlv_run *run, const struct mlv_sample *s, struct mlv_moment *m)
{
	switch (mlv_memory_metric_of(mlv_run_str(run, s->metric))) {
	case MLV_METRIC_ALLOCATED:
		return &m->allocated;
	case MLV_METRIC_RESERVED:
		return &m->reserved;
	case MLV_METRIC_PEAK_ALLOCATED:
		return &m->peak;
	case MLV_METRIC_DEVICE_USED:
		return &m->device_used;
	default:
		return NULL;
	}
}

static bool is_allocated(const struct mlv_run *run, const struct mlv_sample *s)
{
	return s->time_ns == MLV_NO_TIME &&
	       mlv_memory_metric_of(mlv_run_str(run, s->metric)) == MLV_METRIC_ALLOCATED;
}

enum mlv_rc mlv_phase_tracks(const struct mlv_run *run, mlv_trackid **tracks, size_t *count,
			     struct mlv_err *err)
{
	return mlv_sample_tracks(run, is_allocated, tracks, count, err);
}

static int64_t resolution(struct mlv_decimal d)
{
	int64_t bytes;
	d.mantissa = 1;
	return mlv_decimal_bytes(d, &bytes) && bytes > 0 && bytes < MLV_MOST_BYTES ? bytes : 1;
}

/* Samples that stand together, of one step, phase and line, are one moment. */
static bool collect(struct mlv_phase_grid *g)
{
	const struct mlv_run *run = g->run;
	const struct mlv_sample *last = NULL;
	for (size_t i = 0; i < run->samples.len; i++) {
		const struct mlv_sample *s = &run->samples.data[i];
		struct mlv_moment fresh = { .step = s->step,
					    .label = s->phase,
					    .phase = mlv_phase_of(mlv_run_str(run, s->phase)),
					    .allocated = -1,
					    .reserved = -1,
					    .peak = -1,
					    .device_used = -1,
					    .resolution = 1,
					    .order = (uint32_t)g->moments.len };
		int64_t bytes, *to;
		if (s->track.i != g->track.i || s->time_ns != MLV_NO_TIME)
			continue;
		bool same = last && last->step == s->step && last->phase.i == s->phase.i;
		to = same ? member(run, s, &g->moments.data[g->moments.len - 1]) : NULL;
		/* A figure that comes again begins another moment of that name. */
		if ((!same || (to && *to >= 0)) && !mlv_vec_push(&g->moments, fresh))
			return false;
		struct mlv_moment *m = &g->moments.data[g->moments.len - 1];
		last = s;
		to = member(run, s, m);
		if (!to || !mlv_sample_bytes(s->value, &bytes))
			continue;
		*to = bytes;
		if (to == &m->allocated)
			m->resolution = resolution(s->value);
	}
	return true;
}

static void drop_empty(struct mlv_phase_grid *g)
{
	size_t n = 0;
	for (size_t i = 0; i < g->moments.len; i++) {
		if (g->moments.data[i].allocated >= 0)
			g->moments.data[n++] = g->moments.data[i];
	}
	g->moments.len = n;
}

static int by_step(const void *pa, const void *pb)
{
	const struct mlv_moment *a = pa, *b = pb;
	if (a->step != b->step)
		return a->step < b->step ? -1 : 1;
	/* Words that are not known keep their place among each other, behind the others. */
	if (a->phase != b->phase)
		return a->phase < b->phase ? -1 : 1;
	return a->order < b->order ? -1 : a->order > b->order;
}

static bool numbered(const struct mlv_phase_grid *g)
{
	/* A log counts its messages: no two of them have one number. */
	for (size_t i = 1; i < g->moments.len; i++) {
		if (g->moments.data[i].step == MLV_NO_STEP)
			return false;
		if (g->moments.data[i].step == g->moments.data[i - 1].step)
			return true;
	}
	return false;
}

/* Steps as a report numbers them; what it numbers below 0 comes before the first. */
static bool number_steps(struct mlv_phase_grid *g)
{
	struct mlv_moment *m = g->moments.data;
	size_t n = 0;
	qsort(m, g->moments.len, sizeof(*m), by_step);
	for (size_t i = 0; i < g->moments.len; i++) {
		int32_t number = m[i].step;
		/* The same moment twice: what was written last holds. */
		if (n && g->moments.data[n - 1].label.i == m[i].label.i && i &&
		    m[i].phase != MLV_PHASE_OTHER &&
		    (number < 0
			     ? g->moments.data[n - 1].step == -1
			     : g->steps.len && g->steps.data[g->steps.len - 1].number == number &&
				       g->moments.data[n - 1].step == (int32_t)g->steps.len - 1)) {
			g->repeats++;
			n--;
		}
		if (number >= 0 &&
		    (!g->steps.len || g->steps.data[g->steps.len - 1].number != number)) {
			struct mlv_phase_step fresh = { .number = number, .first = n };
			if (!mlv_vec_push(&g->steps, fresh))
				return false;
		}
		m[n] = m[i];
		m[n++].step = (int32_t)g->steps.len - 1;
	}
	g->moments.len = n;
	g->from_the_start = g->steps.len && g->steps.data[0].number == 0 && g->steps.data[0].first;
	return true;
}

/* Steps of a log: each time its first message that comes again is written, one begins. */
static bool cycle_steps(struct mlv_phase_grid *g)
{
	struct mlv_moment *m = g->moments.data;
	struct mlv_map first = { 0 };
	size_t start = SIZE_MAX;
	bool ok = true;
	for (size_t i = 0; ok && i < g->moments.len; i++) {
		struct mlv_map_slot *slot = mlv_map_find(&first, m[i].label.i);
		if (slot)
			start = slot->value < start ? slot->value : start;
		else
			ok = mlv_map_set(&first, m[i].label.i, (uint32_t)i);
	}
	bool alone = first.len == 1; /* one message only: its own numbers say how far apart */
	mlv_map_fini(&first);
	for (size_t i = 0; ok && i < g->moments.len; i++) {
		if (i >= start && m[i].label.i == m[start].label.i) {
			struct mlv_phase_step fresh = { .number = alone ? m[i].step
									: (int64_t)g->steps.len,
							.first = i };
			ok = mlv_vec_push(&g->steps, fresh);
		}
		m[i].step = (int32_t)g->steps.len - 1;
	}
	return ok;
}

static void count_moments(struct mlv_phase_grid *g)
{
	for (size_t i = 0; i < g->steps.len; i++) {
		size_t end = i + 1 < g->steps.len ? g->steps.data[i + 1].first : g->moments.len;
		g->steps.data[i].count = end - g->steps.data[i].first;
	}
}

enum mlv_rc mlv_phase_grid_init(struct mlv_phase_grid *g, const struct mlv_run *run,
				mlv_trackid track, struct mlv_err *err)
{
	memset(g, 0, sizeof(*g));
	g->run = run;
	g->track = track;
	g->rank = run->rank;
	if (track.i < run->tracks.len && run->tracks.data[track.i].kind == MLV_TRACK_RANK)
		g->rank = run->tracks.data[track.i].number;
	bool ok = collect(g);
	if (ok) {
		drop_empty(g);
		ok = numbered(g) ? number_steps(g) : cycle_steps(g);
	}
	if (!ok) {
		mlv_phase_grid_fini(g);
		return mlv_err_nomem(err);
	}
	count_moments(g);
	return MLV_OK;
}

void mlv_phase_grid_fini(struct mlv_phase_grid *g)
{
	mlv_vec_free(&g->moments);
	mlv_vec_free(&g->steps);
}

static void range(const struct mlv_phase_grid *g, int32_t step, size_t *first, size_t *end)
{
	size_t setup = g->steps.len ? g->steps.data[0].first : g->moments.len;
	*first = step < 0 ? 0 : g->steps.data[step].first;
	*end = step < 0 ? setup : *first + g->steps.data[step].count;
}

const struct mlv_moment *mlv_phase_at(const struct mlv_phase_grid *g, int32_t step,
				      enum mlv_phase phase)
{
	size_t first, end;
	if (step >= (int32_t)g->steps.len)
		return NULL;
	range(g, step, &first, &end);
	for (size_t i = end; i-- > first;) {
		if (g->moments.data[i].phase == phase)
			return &g->moments.data[i];
	}
	return NULL;
}

const struct mlv_moment *mlv_phase_base(const struct mlv_phase_grid *g, int32_t step)
{
	const struct mlv_moment *start = mlv_phase_at(g, step, MLV_PHASE_START);
	size_t first, end;
	if (start || step < 0 || step >= (int32_t)g->steps.len)
		return start;
	range(g, step, &first, &end);
	/* Only the end of a step that is there, not of one that is missing between. */
	if (step > 0 && g->steps.data[step].number != g->steps.data[step - 1].number + 1)
		return NULL;
	if (step > 0)
		return mlv_phase_at(g, step - 1, MLV_PHASE_CLEAR);
	return first && g->from_the_start ? &g->moments.data[first - 1] : NULL;
}
