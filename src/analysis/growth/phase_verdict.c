/* SPDX-License-Identifier: MIT */
/*
 * From the figures of phases to a verdict: the three components and the
 * words of the evidence. docs/verdicts.md explains each rule.
 */
#include "analysis/growth/phase_verdict.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "analysis/growth/phase_parts.h"
#include "analysis/growth/report_facts.h"
#include "base/num.h"

/* Moments of two fp32 numbers are what Adam keeps of a parameter. */
enum { TWO_MOMENTS = 8, STATE_BYTES = 1 << 20, MOST_DRAWN = 512 };

struct judging {
	struct mlv_verdict *v;
	const struct mlv_phase_grid *g;
	struct mlv_phase_series s;
	int64_t resolution; /* what the last digit of the figures means */
	bool short_growth;  /* it grew, and there is too little to tell how */
};

static void facts(struct judging *j, uint64_t capacity)
{
	struct mlv_verdict *v = j->v;
	int64_t total;
	v->steps = j->g->steps.len;
	for (size_t i = 0; i < j->g->moments.len; i++) {
		const struct mlv_moment *m = &j->g->moments.data[i];
		int64_t most = m->peak > m->allocated ? m->peak : m->allocated;
		v->peak_bytes = most > v->peak_bytes ? most : v->peak_bytes;
		if (m->reserved > v->reserved_bytes)
			v->reserved_bytes = m->reserved;
		if (m->resolution > j->resolution)
			j->resolution = m->resolution;
		if (m->device_used >= 0 && m->reserved >= 0 && m->device_used >= m->reserved)
			v->outside_bytes = m->device_used - m->reserved;
	}
	if (mlv_report_metric(j->g, "device_total", &total) && total > 0)
		v->device_bytes = total;
	if (capacity)
		v->device_bytes = capacity < INT64_MAX / 4 ? (int64_t)capacity : INT64_MAX / 4;
}

/* Medians of what is allocated after each phase, over the steps after the first. */
static void moments(struct judging *j)
{
	static const enum mlv_phase phases[MLV_AT_PEAK] = { MLV_PHASE_FORWARD, MLV_PHASE_BACKWARD,
							    MLV_PHASE_OPTIMIZER, MLV_PHASE_CLEAR };
	double *room = j->s.room;
	for (int k = 0; k < MLV_AT_PEAK; k++) {
		size_t n = 0;
		for (size_t i = 1; i < j->s.steps; i++) {
			const struct mlv_moment *m = mlv_phase_at(j->g, (int32_t)i, phases[k]);
			if (m)
				room[n++] = (double)m->allocated;
		}
		/* The lower one of two in the middle: what two of four steps hold may be a one-off.
		 */
		if (n) {
			(void)mlv_median(room, n);
			j->v->after[k] = llround(room[(n - 1) / 2]);
		}
	}
	if (!isnan(j->s.base[0]))
		j->v->first_bytes = llround(j->s.base[0]);
	j->v->after[MLV_AT_PEAK] = j->v->peak_bytes;
	j->v->has_state = j->v->persistent_bytes >= STATE_BYTES;
}

/* The figures of all steps, for a picture. */
static void points(struct judging *j)
{
	static const enum mlv_phase phases[] = { MLV_PHASE_FORWARD, MLV_PHASE_BACKWARD,
						 MLV_PHASE_OPTIMIZER };
	const struct mlv_phase_series *s = &j->s;
	size_t every = 1 + s->steps / MOST_DRAWN;
	for (size_t i = 0; i < s->steps; i += every) {
		int64_t number = j->g->steps.data[i].number;
		if (!i && !isnan(s->base[0]))
			mlv_verdict_point(j->v, number - 1, MLV_AFTER_STEP, llround(s->base[0]));
		for (int k = MLV_AFTER_FORWARD; k < MLV_AFTER_STEP; k++) {
			const struct mlv_moment *m = mlv_phase_at(j->g, (int32_t)i, phases[k]);
			if (m)
				mlv_verdict_point(j->v, number, (enum mlv_moment_of)k,
						  m->allocated);
		}
		if (!isnan(s->base[i + 1]))
			mlv_verdict_point(j->v, number, MLV_AFTER_STEP, llround(s->base[i + 1]));
	}
}

/* ---- components ---- */

static void activation(struct judging *j)
{
	struct mlv_phase_series *s = &j->s;
	char a[MLV_NUM_SIZE], b[MLV_NUM_SIZE], c[MLV_NUM_SIZE];
	if (isnan(s->step_forward))
		return;
	/* What is retained does not fall back. */
	double back = s->step_forward - (double)j->v->cumulative_bytes;
	j->v->activation_bytes = back > 0 ? llround(back) : 0;
	mlv_verdict_say(j->v,
			"the forward pass adds %s in a step (median of %zu after the first, %s "
			"apart); %s of it are back at the end of the step",
			mlv_bytes_net(a, llround(s->step_forward)), s->forward_points,
			mlv_bytes_net(b, llround(2 * s->forward_spread)),
			mlv_bytes_net(c, llround(fmax(back, 0))));
}

static void per_parameter(struct judging *j)
{
	int64_t n = mlv_report_parameters(j->g->run);
	char a[MLV_NUM_SIZE];
	if (n <= 0 || !mlv_verdict_matters(j->v, j->v->persistent_bytes))
		return;
	double each = (double)j->v->persistent_bytes / (double)n;
	const char *fits = each > 0.9 * TWO_MOMENTS && each < 1.2 * TWO_MOMENTS
				   ? "which is what this is"
			   : each > 0.9 * MLV_FP32_BYTES && each < 1.2 * MLV_FP32_BYTES
				   ? "this is one number of fp32, as momentum is"
				   : "which this is not";
	mlv_verdict_say(j->v,
			"that is %.2f bytes a parameter; two moments of fp32 take %d (%s), %s",
			each, TWO_MOMENTS, mlv_bytes_net(a, n * TWO_MOMENTS), fits);
}

static void persistent(struct judging *j)
{
	struct mlv_phase_series *s = &j->s;
	char a[MLV_NUM_SIZE];
	if (isnan(s->state))
		return;
	j->v->persistent_bytes = llround(s->state);
	if (s->state < MLV_LEAST_PART) {
		mlv_verdict_say(j->v, "no optimizer step adds anything that stays");
		return;
	}
	mlv_verdict_say(j->v, "the optimizer adds %s in step %" PRId64 ", once, and they stay",
			mlv_bytes_net(a, llround(s->state)),
			j->g->steps.data[s->state_step].number);
	per_parameter(j);
}

/* The baseline goes up steadily: say how, if it is more than the figures' own rounding. */
static void steady(struct judging *j)
{
	const struct mlv_trend *t = &j->s.trend;
	char a[MLV_NUM_SIZE], b[MLV_NUM_SIZE], c[MLV_NUM_SIZE];
	if (t->growth < 2 * (double)j->resolution || t->growth < MLV_LEAST_PART)
		return;
	if (!j->s.everywhere) {
		j->short_growth = mlv_verdict_matters(j->v, llround(t->growth));
		mlv_verdict_say(j->v,
				"the baseline rises by %s a step, other phases do not: this is no "
				"growth that can be relied on",
				mlv_bytes_net(a, llround(t->slope)));
		return;
	}
	j->v->cumulative_bytes = llround(t->slope);
	mlv_verdict_say(j->v,
			"the baseline grows by %s a step, in every phase (Theil-Sen over %zu "
			"steps; 95 %% between %s and %s)",
			mlv_bytes_net(a, llround(t->slope)), t->points,
			mlv_bytes_net(b, llround(t->low)), mlv_bytes_net(c, llround(t->high)));
	mlv_verdict_until_full(j->v);
}

/* Too few steps behind the warm-up to tell growth from a jump. */
static void too_short(struct judging *j)
{
	const struct mlv_phase_series *s = &j->s;
	double first = NAN, last = NAN;
	size_t points = 0;
	char a[MLV_NUM_SIZE];
	for (size_t i = 1; i <= s->steps; i++) {
		if (isnan(s->base[i]))
			continue;
		first = isnan(first) ? s->base[i] : first;
		last = s->base[i];
		points++;
	}
	if (points < 2 || s->steps < 2) {
		j->short_growth = true;
		mlv_verdict_say(j->v, "there are too few steps to tell what the first one warms up "
				      "from what stays");
	} else if (mlv_verdict_matters(j->v, llround(last - first))) {
		j->short_growth = true;
		mlv_verdict_say(j->v,
				"the baseline is up by %s since the first step, and there are too "
				"few steps to tell a jump from growth",
				mlv_bytes_net(a, llround(last - first)));
	} else {
		mlv_verdict_say(j->v, "the baseline is where the first step left it");
	}
}

static void uneven(struct judging *j)
{
	const struct mlv_trend *t = &j->s.trend;
	char a[MLV_NUM_SIZE];
	j->short_growth = mlv_verdict_matters(j->v, llround(t->growth));
	mlv_verdict_say(j->v,
			"the baseline goes up by about %s a step, too unevenly to be called growth",
			mlv_bytes_net(a, llround(t->slope)));
}

static void cumulative(struct judging *j)
{
	const struct mlv_trend *t = &j->s.trend;
	switch (t->shape) {
	case MLV_TREND_SHORT:
		too_short(j);
		return;
	case MLV_TREND_STEADY:
		steady(j);
		return;
	case MLV_TREND_JUMP:
		mlv_verdict_say(j->v, "the baseline goes up in one jump, which is no slope");
		return;
	case MLV_TREND_STOPS:
		mlv_verdict_say(j->v, "the baseline goes up at first and stops: a warm-up");
		return;
	case MLV_TREND_UNEVEN:
		uneven(j);
		return;
	case MLV_TREND_FLAT:
		break;
	}
	/* That no growth is certain does not say that there is none. */
	bool may = mlv_verdict_matters(j->v, llround(t->high * (double)(t->points - 1)));
	mlv_verdict_say(j->v, "the baseline %s over the %zu steps after the warm-up",
			may ? "shows no steady growth" : "does not grow", t->points);
}

/* ---- all of it ---- */

/*
 * State that was there before the first figure looks like parameters. It cannot
 * be more than the least baseline.
 */
static bool state_hidden(const struct judging *j)
{
	const struct mlv_phase_series *s = &j->s;
	double least = INFINITY;
	if (j->g->from_the_start || mlv_verdict_matters(j->v, j->v->persistent_bytes))
		return false;
	for (size_t i = 0; i <= s->steps; i++)
		least = fmin(least, s->base[i]);
	if (!(least >= (double)j->v->activation_bytes))
		return false;
	mlv_verdict_say(j->v,
			"the first step of the run is not in it: what the optimizer added then "
			"cannot be told from parameters");
	return true;
}

/* Figures that scatter may hide growth that would come to half of what is found. */
static bool growth_hidden(const struct judging *j)
{
	const struct mlv_trend *t = &j->s.trend;
	double found =
		(double)(j->v->activation_bytes > j->v->persistent_bytes ? j->v->activation_bytes
									 : j->v->persistent_bytes);
	char a[MLV_NUM_SIZE];
	if (t->shape != MLV_TREND_FLAT || !(t->high * (double)t->points > found / 2) ||
	    !mlv_verdict_matters(j->v, llround(t->high * (double)t->points)))
		return false;
	mlv_verdict_say(j->v,
			"the baseline scatters so much that growth of up to %s a step cannot be "
			"excluded",
			mlv_bytes_net(a, llround(t->high)));
	return true;
}

static void judge(struct judging *j)
{
	struct mlv_verdict *v = j->v;
	const struct mlv_phase_series *s = &j->s;
	/* A few figures tell badly how far they scatter: the largest of all estimates counts. */
	double spread = fmax(fmax(s->forward_spread, s->state_spread), s->base_spread);
	bool told = !isnan(s->step_forward) && !isnan(s->state);
	v->confidence = v->steps >= 5   ? MLV_CONFIDENCE_HIGH
			: v->steps >= 3 ? MLV_CONFIDENCE_MEDIUM
					: MLV_CONFIDENCE_LOW;
	/* One step shows no scatter: a tenth is taken for it. */
	if (s->forward_points < 2)
		spread = fmax(spread, 0.05 * (double)v->activation_bytes);
	v->growth = mlv_verdict_dominant(v, spread, spread);
	if (v->growth == MLV_GROWTH_CUMULATIVE)
		return;
	if (v->growth == MLV_GROWTH_UNKNOWN)
		mlv_verdict_say(v, "activations and optimizer state are too close to each other to "
				   "say which is larger");
	if (!told && v->steps)
		mlv_verdict_say(v, "the phases that would tell activations from state are not in "
				   "it");
	bool hidden = told && (state_hidden(j) || growth_hidden(j));
	if (!told || hidden || j->short_growth || v->steps < 2) {
		v->growth = MLV_GROWTH_UNKNOWN;
		v->confidence = MLV_CONFIDENCE_LOW;
	}
}

enum mlv_rc mlv_phase_verdict(struct mlv_verdict *v, const struct mlv_phase_grid *g,
			      uint64_t capacity, struct mlv_err *err)
{
	struct judging j = { .v = v, .g = g, .resolution = 1 };
	struct mlv_indicators indicators;
	mlv_verdict_init(v, g->run, g->rank, -1, "phases");
	enum mlv_rc rc = mlv_phase_series_init(&j.s, g, err);
	if (!rc) {
		facts(&j, capacity);
		cumulative(&j);
		activation(&j);
		persistent(&j);
		mlv_phase_parts(v, &j.s);
		moments(&j);
		points(&j);
		judge(&j);
		mlv_indicators_of(&indicators, g);
		mlv_indicators_check(&indicators, g, &v->notes);
		mlv_verdict_conclude(v);
	}
	mlv_phase_series_fini(&j.s);
	return rc ? rc : v->failed ? mlv_err_nomem(err) : MLV_OK;
}
