/* SPDX-License-Identifier: MIT */
#include "analysis/growth/sweep_fit.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/growth/trend.h"

typedef double (*figure_fn)(const struct mlv_subject *s);

static double activation(const struct mlv_subject *s)
{
	return s->verdict ? (double)s->verdict->activation_bytes : NAN;
}

static double state(const struct mlv_subject *s)
{
	return s->verdict ? (double)s->verdict->persistent_bytes : NAN;
}

static double growth(const struct mlv_subject *s)
{
	return s->verdict ? (double)s->verdict->cumulative_bytes : NAN;
}

static double peak(const struct mlv_subject *s)
{
	return s->verdict && s->verdict->peak_bytes >= 0 ? (double)s->verdict->peak_bytes : NAN;
}

static double reserved(const struct mlv_subject *s)
{
	return s->verdict && s->verdict->reserved_bytes >= 0 ? (double)s->verdict->reserved_bytes
							     : NAN;
}

static double host(const struct mlv_subject *s)
{
	return s->host_bytes;
}

static const struct mlv_subject *member(const struct mlv_experiment *e, const struct mlv_sweep *s,
					size_t i)
{
	return &e->subjects.data[e->members.data[s->first + i]];
}

/* How many runs lie off the line by more than a twentieth. */
static size_t off_line(const double *xs, const double *ys, size_t n, const struct mlv_trend *t)
{
	double most = 0;
	size_t off = 0;
	for (size_t i = 0; i < n; i++)
		most = fmax(most, fabs(ys[i]));
	for (size_t i = 0; i < n; i++)
		off += fabs(ys[i] - t->intercept - t->slope * xs[i]) > fmax(1 << 20, most / 20);
	return off;
}

/* The line of Theil and Sen: a run that differs in something else does not move it. */
static bool fit(const struct mlv_experiment *e, const struct mlv_sweep *s, figure_fn y,
		struct mlv_fit_line *line)
{
	double *xs = malloc(2 * s->count * sizeof(*xs)), *ys = xs + s->count;
	struct mlv_trend t;
	*line = (struct mlv_fit_line){ 0 };
	if (!xs)
		return false;
	bool known = true, ok = true;
	for (size_t i = 0; i < s->count; i++) {
		xs[i] = member(e, s, i)->settings[s->dim].number;
		ys[i] = y(member(e, s, i));
		known = known && !isnan(ys[i]);
	}
	known = known && xs[s->count - 1] > xs[0];
	if (known)
		ok = mlv_trend_fit(&t, xs, ys, s->count);
	if (known && ok) {
		*line = (struct mlv_fit_line){ true,  t.slope,          t.intercept, 0,
					       ys[0], ys[s->count - 1], false };
		line->scattered = 2 * off_line(xs, ys, s->count, &t) >= s->count;
		for (size_t i = 0; i < s->count; i++)
			line->residual =
				fmax(line->residual, fabs(ys[i] - t.intercept - t.slope * xs[i]));
	}
	free(xs);
	return ok;
}

static bool all_are(const struct mlv_experiment *e, const struct mlv_sweep *s, enum mlv_growth g)
{
	for (size_t i = 0; i < s->count; i++) {
		const struct mlv_verdict *v = member(e, s, i)->verdict;
		if (!v || v->growth != g)
			return false;
	}
	return true;
}

static void says(struct mlv_sweep *s, bool confirms, const char *why, const char *why_not)
{
	s->agreement = confirms ? MLV_CONFIRMS : MLV_CONTRADICTS;
	s->why = confirms ? why : why_not;
}

/* Whether a figure stays within a tenth while the dimension changes. */
static bool stays(const struct mlv_fit_line *l)
{
	return fabs(l->last - l->first) <= 0.1 * fmax(fabs(l->first), fabs(l->last));
}

/* Whether most of its largest value goes with the dimension. */
static bool scales(const struct mlv_experiment *e, const struct mlv_sweep *s,
		   const struct mlv_fit_line *l)
{
	double x = member(e, s, s->count - 1)->settings[s->dim].number;
	return l->slope > 0 && l->slope * x >= 0.6 * l->last;
}

static bool usable(const struct mlv_fit_line *l)
{
	return l->known && !l->scattered;
}

static void agreement(const struct mlv_experiment *e, struct mlv_sweep *s)
{
	bool samples = s->dim == MLV_DIM_BATCH || s->dim == MLV_DIM_SEQUENCE;
	if (all_are(e, s, MLV_GROWTH_ACTIVATION) && samples && usable(&s->activation))
		says(s, scales(e, s, &s->activation),
		     "activations grow in proportion, as activations do",
		     "activations do not grow in proportion");
	else if (all_are(e, s, MLV_GROWTH_PERSISTENT) && samples && usable(&s->state))
		says(s, stays(&s->state), "state does not change with it, as state does not",
		     "state changes with it");
	else if (all_are(e, s, MLV_GROWTH_PERSISTENT) && s->dim == MLV_DIM_MODEL &&
		 usable(&s->state))
		says(s, scales(e, s, &s->state), "state grows in proportion to the parameters",
		     "state does not grow in proportion to the parameters");
	else if (all_are(e, s, MLV_GROWTH_CUMULATIVE) && s->dim == MLV_DIM_STEPS &&
		 usable(&s->peak))
		says(s,
		     s->peak.slope > 0.75 * growth(member(e, s, 0)) &&
			     s->peak.slope < 1.25 * growth(member(e, s, 0)),
		     "the peak grows with each step by what was measured within a run",
		     "the peak does not grow with the steps as measured within a run");
	else if (s->dim == MLV_DIM_STEPS && usable(&s->peak) && !growth(member(e, s, 0)))
		says(s, stays(&s->peak), "the peak does not depend on the number of steps",
		     "the peak depends on the number of steps, and no growth was seen in a run");
}

/*
 * Beyond the largest batch that ran the line through the last two goes on:
 * which phase holds the peak changes with the batch, and its last slope is the
 * steepest. What is outside of the allocator counts too.
 */
static void largest_batch(const struct mlv_experiment *e, struct mlv_sweep *s, uint64_t capacity)
{
	const struct mlv_subject *b = member(e, s, s->count - 1);
	const struct mlv_subject *a = NULL;
	if (!capacity || s->dim != MLV_DIM_BATCH || isnan(reserved(b)))
		return;
	for (size_t i = s->count - 1; i-- > 0 && !a;) {
		if (member(e, s, i)->settings[s->dim].number < b->settings[s->dim].number)
			a = member(e, s, i);
	}
	if (!a || isnan(reserved(a)))
		return;
	double xa = a->settings[s->dim].number, xb = b->settings[s->dim].number;
	double slope = (reserved(b) - reserved(a)) / (xb - xa);
	double outside = b->verdict->outside_bytes > 0 ? (double)b->verdict->outside_bytes : 0;
	if (!(slope > 0))
		return;
	double room = (double)capacity - outside - reserved(b);
	double batch = floor(xb + room / slope);
	if (batch > 1e12)
		return;
	s->has_largest = true;
	s->largest_batch = batch > 0 ? (int64_t)batch : 0;
	s->margin_bytes = llround(room - slope * ((double)s->largest_batch - xb));
}

bool mlv_sweep_fit(const struct mlv_experiment *e, struct mlv_sweep *s, uint64_t capacity)
{
	if (s->kind != MLV_SWEEP)
		return true;
	if (!fit(e, s, activation, &s->activation) || !fit(e, s, state, &s->state) ||
	    !fit(e, s, growth, &s->growth) || !fit(e, s, peak, &s->peak) ||
	    !fit(e, s, reserved, &s->reserved) || !fit(e, s, host, &s->host))
		return false;
	agreement(e, s);
	largest_batch(e, s, capacity);
	return true;
}
