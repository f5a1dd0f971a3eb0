/* SPDX-License-Identifier: MIT */
#include "analysis/growth/phase_series.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double value(const struct mlv_moment *m)
{
	return m ? (double)m->allocated : NAN;
}

static double at(const struct mlv_phase_grid *g, size_t step, enum mlv_phase phase)
{
	return value(mlv_phase_at(g, (int32_t)step, phase));
}

/* The least that a step of unknown words holds. */
static double least(const struct mlv_phase_grid *g, size_t step)
{
	const struct mlv_phase_step *s = &g->steps.data[step];
	double d = NAN;
	for (size_t i = 0; i < s->count; i++)
		d = fmin(d, value(&g->moments.data[s->first + i]));
	return d;
}

static bool knows_base(const struct mlv_phase_grid *g)
{
	for (size_t i = 0; i < g->steps.len; i++) {
		if (mlv_phase_at(g, (int32_t)i, MLV_PHASE_START) ||
		    mlv_phase_at(g, (int32_t)i, MLV_PHASE_CLEAR))
			return true;
	}
	return false;
}

static void take(struct mlv_phase_series *s)
{
	const struct mlv_phase_grid *g = s->grid;
	bool known = knows_base(g);
	for (size_t i = 0; i <= s->steps; i++) {
		s->base[i] = s->forward[i] = s->optimizer[i] = NAN;
		if (!known) {
			s->base[i] = i < s->steps ? least(g, i) : NAN;
			continue;
		}
		if (i == s->steps) {
			s->base[i] = i ? at(g, i - 1, MLV_PHASE_CLEAR) : NAN;
			continue;
		}
		s->base[i] = value(mlv_phase_base(g, (int32_t)i));
		s->forward[i] = at(g, i, MLV_PHASE_FORWARD) - s->base[i];
		s->optimizer[i] = at(g, i, MLV_PHASE_OPTIMIZER) - at(g, i, MLV_PHASE_BACKWARD);
	}
}

/*
 * Where a log ends with "after step", and nothing is freed between that and
 * "before fwd" in its other steps, it stands for what the last step left.
 */
static void last_base(struct mlv_phase_series *s)
{
	size_t same = 0;
	if (!s->steps || !isnan(s->base[s->steps]))
		return;
	for (size_t i = 0; i + 1 < s->steps; i++) {
		double after = at(s->grid, i, MLV_PHASE_OPTIMIZER);
		if (after < s->base[i + 1] || after > s->base[i + 1])
			return;
		same += !isnan(after) && !isnan(s->base[i + 1]);
	}
	if (same >= 2)
		s->base[s->steps] = at(s->grid, s->steps - 1, MLV_PHASE_OPTIMIZER);
}

/* Those of v[from..to] that are told, without element `but`, into room. */
static size_t told(struct mlv_phase_series *s, const double *v, size_t from, size_t to, size_t but)
{
	size_t n = 0;
	for (size_t i = from; i < to; i++) {
		if (i != but && !isnan(v[i]))
			s->room[n++] = v[i];
	}
	return n;
}

static void forward_of_steps(struct mlv_phase_series *s)
{
	size_t n = told(s, s->forward, 1, s->steps, SIZE_MAX);
	s->forward_points = n;
	s->step_forward = n ? mlv_median(s->room, n) : NAN;
	s->forward_spread = mlv_spread(s->room, n);
}

/* The step whose optimizer adds most; the first, unless another one adds twice as much. */
static size_t state_step(const struct mlv_phase_series *s)
{
	size_t best = 0;
	for (size_t i = 1; i < s->steps; i++) {
		double most = isnan(s->optimizer[best]) ? 0 : fmax(s->optimizer[best], 0);
		if (s->optimizer[i] > 2 * most)
			best = i;
	}
	return best;
}

/*
 * What one optimizer step adds beyond what all others add, as far as the
 * baseline keeps it: an optimizer also has temporaries, and frees things.
 */
static void state_of_optimizer(struct mlv_phase_series *s)
{
	size_t k = state_step(s);
	s->state = NAN;
	if (!s->steps || isnan(s->optimizer[k]))
		return;
	size_t n = told(s, s->optimizer, 0, s->steps, k);
	double usual = n ? mlv_median(s->room, n) : 0;
	s->state_spread = mlv_spread(s->room, n);
	s->state_step = (int32_t)k;
	s->state = fmax(s->optimizer[k] - usual, 0);
	n = told(s, s->base, k + 1, s->steps + 1, SIZE_MAX);
	if (!n || isnan(s->base[k]))
		return;
	double kept = mlv_median(s->room, n) - s->base[k];
	s->state = fmin(s->state, fmax(kept, 0));
}

/* The trend of a figure over the steps after the first two moments of it, which warm up. */
static bool trend_of(struct mlv_phase_series *s, const double *v, size_t from, size_t to,
		     struct mlv_trend *t)
{
	double *x = s->room, *y = s->room + s->steps + 1;
	size_t n = 0;
	for (size_t i = from; i < to; i++) {
		if (isnan(v[i]))
			continue;
		const struct mlv_phase_step *steps = s->grid->steps.data;
		x[n] = (double)(i < s->steps ? steps[i].number : steps[i - 1].number + 1);
		y[n++] = v[i];
	}
	return mlv_trend_fit(t, x, y, n);
}

/*
 * What is retained is there in every phase. A figure that wanders up by chance
 * does so in one of them.
 */
static bool grows_everywhere(struct mlv_phase_series *s)
{
	static const enum mlv_phase phases[] = { MLV_PHASE_FORWARD, MLV_PHASE_BACKWARD,
						 MLV_PHASE_OPTIMIZER };
	double *v = malloc((s->steps + 1) * sizeof(*v));
	if (!v)
		return false;
	bool ok = true;
	s->everywhere = true;
	for (size_t p = 0; ok && p < sizeof(phases) / sizeof(phases[0]); p++) {
		struct mlv_trend t;
		for (size_t i = 0; i < s->steps; i++)
			v[i] = at(s->grid, i, phases[p]);
		ok = trend_of(s, v, 1, s->steps, &t);
		if (ok && t.points >= 3 &&
		    !(t.slope >= s->trend.slope / 2 && t.slope <= s->trend.slope * 2 &&
		      t.shape == MLV_TREND_STEADY))
			s->everywhere = false;
	}
	free(v);
	return ok;
}

static void spread_of_base(struct mlv_phase_series *s)
{
	double slope = s->trend.shape == MLV_TREND_STEADY ? s->trend.slope : 0;
	size_t n = 0;
	for (size_t i = 2; i <= s->steps; i++) {
		if (!isnan(s->base[i]))
			s->room[n++] = s->base[i] - slope * (double)i;
	}
	s->base_spread = mlv_spread(s->room, n);
}

enum mlv_rc mlv_phase_series_init(struct mlv_phase_series *s, const struct mlv_phase_grid *g,
				  struct mlv_err *err)
{
	size_t n = g->steps.len + 1;
	*s = (struct mlv_phase_series){ .grid = g, .steps = g->steps.len };
	s->base = malloc(5 * n * sizeof(*s->base));
	if (!s->base)
		return mlv_err_nomem(err);
	s->forward = s->base + n;
	s->optimizer = s->forward + n;
	s->room = s->optimizer + n;
	take(s);
	last_base(s);
	forward_of_steps(s);
	state_of_optimizer(s);
	/* base[0] is before the first step, base[1] behind it: both belong to the warm-up. */
	if (!trend_of(s, s->base, 2, n, &s->trend) || !grows_everywhere(s))
		return mlv_err_nomem(err);
	spread_of_base(s);
	return MLV_OK;
}

void mlv_phase_series_fini(struct mlv_phase_series *s)
{
	free(s->base);
	s->base = NULL;
}
