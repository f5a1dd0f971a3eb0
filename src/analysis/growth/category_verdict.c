/* SPDX-License-Identifier: MIT */
#include "analysis/growth/category_verdict.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/growth/sample_tracks.h"
#include "analysis/growth/trend.h"
#include "base/num.h"

/* The profiler's names, and what people call them. */
static const struct {
	const char *metric, *name;
} kinds[] = {
	{ "parameter", "parameter" },
	{ "optimizer_state", "optimizer state" },
	{ "input", "input" },
	{ "temporary", "temporary" },
	{ "activation", "activation" },
	{ "gradient", "gradient" },
	{ "autograd_detail", "autograd detail" },
	{ "unknown", "unknown" },
};
enum {
	KINDS = sizeof(kinds) / sizeof(kinds[0]),
	STATE = 1,
	ACTIVATION = 4,
	NO_KIND = KINDS,
	MOST_DRAWN = 512
};

/* Activations are down below a tenth of the most there ever is, and up above half of it. */
static const double DOWN = 0.1, UP = 0.5;

struct step {
	double activation, total; /* the most within it */
	double base;              /* the least behind it, until activations rise again */
};

struct judging {
	struct mlv_verdict *v;
	const struct mlv_run *run;
	mlv_trackid track;
	double now[KINDS], peak[KINDS], most_activation, most_total;
	MLV_VEC(struct step) steps;
	struct mlv_trend trend;
};

static size_t kind_of(const struct mlv_run *run, mlv_strid metric)
{
	struct mlv_str name = mlv_run_str(run, metric);
	size_t k = 0;
	while (k < KINDS && strcmp(kinds[k].metric, name.p) != 0)
		k++;
	return k;
}

static bool is_one(const struct mlv_run *run, const struct mlv_sample *s)
{
	return s->time_ns != MLV_NO_TIME && kind_of(run, s->metric) != NO_KIND;
}

enum mlv_rc mlv_category_tracks(const struct mlv_run *run, mlv_trackid **tracks, size_t *count,
				struct mlv_err *err)
{
	return mlv_sample_tracks(run, is_one, tracks, count, err);
}

static double total(const struct judging *j)
{
	double sum = 0;
	for (size_t k = 0; k < KINDS; k++)
		sum += j->now[k];
	return sum;
}

/* A sample changes one category; all others stay. False: it is not of this track. */
static bool apply(struct judging *j, const struct mlv_sample *s)
{
	int64_t bytes;
	if (s->track.i != j->track.i || !is_one(j->run, s) || !mlv_sample_bytes(s->value, &bytes))
		return false;
	j->now[kind_of(j->run, s->metric)] = (double)bytes;
	return true;
}

/* Whether the next sample is of the same moment: sums are of whole moments. */
static bool goes_on(const struct judging *j, size_t i)
{
	const struct mlv_sample *s = &j->run->samples.data[i];
	return i + 1 < j->run->samples.len && s[1].track.i == s->track.i &&
	       s[1].time_ns == s->time_ns;
}

static void find_peaks(struct judging *j)
{
	memset(j->now, 0, sizeof(j->now));
	for (size_t i = 0; i < j->run->samples.len; i++) {
		if (!apply(j, &j->run->samples.data[i]) || goes_on(j, i))
			continue;
		j->most_activation = fmax(j->most_activation, j->now[ACTIVATION]);
		if (total(j) <= j->most_total)
			continue;
		j->most_total = total(j);
		memcpy(j->peak, j->now, sizeof(j->now));
	}
}

static bool find_steps(struct judging *j)
{
	bool up = false, any = false;
	struct step now = { 0 };
	memset(j->now, 0, sizeof(j->now));
	for (size_t i = 0; i < j->run->samples.len; i++) {
		if (!apply(j, &j->run->samples.data[i]) || goes_on(j, i))
			continue;
		double a = j->now[ACTIVATION], all = total(j);
		struct step *last = any ? &j->steps.data[j->steps.len - 1] : NULL;
		now.activation = fmax(now.activation, a);
		now.total = fmax(now.total, all);
		if (a > UP * j->most_activation)
			up = true;
		if (!up && last && a <= DOWN * j->most_activation)
			last->base = fmin(last->base, all);
		if (!up || a > DOWN * j->most_activation)
			continue;
		now.base = all;
		if (!mlv_vec_push(&j->steps, now))
			return false;
		now = (struct step){ 0 };
		up = false;
		any = true;
	}
	return true;
}

static bool measure(struct judging *j)
{
	size_t n = j->steps.len, from = n > 1;
	double *x = malloc((2 * n + 2) * sizeof(*x)), *y = x + n + 1;
	if (!x)
		return false;
	for (size_t i = from; i < n; i++)
		y[i - from] = j->steps.data[i].activation;
	j->v->activation_bytes = n ? llround(mlv_median(y, n - from)) : 0;
	j->v->persistent_bytes = llround(j->peak[STATE]);
	j->v->has_state = j->v->persistent_bytes > 0;
	for (size_t i = from; i < n; i++) {
		x[i - from] = (double)i;
		y[i - from] = j->steps.data[i].base;
	}
	bool ok = mlv_trend_fit(&j->trend, x, y, n > from ? n - from : 0);
	free(x);
	return ok;
}

static void say(struct judging *j)
{
	char a[MLV_NUM_SIZE], b[MLV_NUM_SIZE];
	struct mlv_verdict *v = j->v;
	if (j->trend.shape == MLV_TREND_STEADY &&
	    mlv_verdict_matters(v, llround(j->trend.growth))) {
		v->cumulative_bytes = llround(j->trend.slope);
		mlv_verdict_say(v, "what is left behind each step grows by %s (Theil-Sen over %zu)",
				mlv_fmt_bytes(a, sizeof(a), (uint64_t)v->cumulative_bytes),
				j->trend.points);
	} else {
		mlv_verdict_say(v, "activations rise and fall back %zu times: so many steps",
				j->steps.len);
	}
	mlv_verdict_say(v,
			"as the profiler tells them apart, activations hold up to %s in a step, "
			"optimizer state %s",
			mlv_fmt_bytes(a, sizeof(a), (uint64_t)v->activation_bytes),
			mlv_fmt_bytes(b, sizeof(b), (uint64_t)v->persistent_bytes));
}

static void fill(struct judging *j, uint64_t capacity)
{
	struct mlv_verdict *v = j->v;
	v->steps = j->steps.len;
	v->peak_bytes = llround(j->most_total);
	v->after[MLV_AT_PEAK] = v->peak_bytes;
	v->device_bytes = capacity < INT64_MAX / 4 ? (int64_t)capacity : INT64_MAX / 4;
	for (size_t k = 0; k < KINDS; k++) {
		struct mlv_category_share c = { kinds[k].name, (uint64_t)llround(j->peak[k]), 0 };
		if (c.bytes && !mlv_vec_push(&v->categories, c))
			v->failed = true;
	}
	for (size_t i = 0; i < j->steps.len; i += 1 + j->steps.len / MOST_DRAWN) {
		mlv_verdict_point(v, (int64_t)i, MLV_AT_PEAK, llround(j->steps.data[i].total));
		mlv_verdict_point(v, (int64_t)i, MLV_AFTER_STEP, llround(j->steps.data[i].base));
	}
}

static void judge(struct judging *j)
{
	struct mlv_verdict *v = j->v;
	double left = j->steps.len > 1 ? j->steps.data[j->steps.len - 1].base -
						 j->steps.data[j->steps.len > 2 ? 1 : 0].base
				       : 0;
	v->confidence = v->steps >= 5   ? MLV_CONFIDENCE_HIGH
			: v->steps >= 3 ? MLV_CONFIDENCE_MEDIUM
					: MLV_CONFIDENCE_LOW;
	v->growth = mlv_verdict_dominant(v, 0, 0);
	if (v->growth == MLV_GROWTH_CUMULATIVE)
		return;
	if (v->steps < 2 ||
	    (j->trend.points < 16 && mlv_verdict_matters(v, llround(left)) &&
	     j->trend.shape != MLV_TREND_JUMP && j->trend.shape != MLV_TREND_STOPS)) {
		mlv_verdict_say(v, "there are too few steps to tell growth");
		v->growth = MLV_GROWTH_UNKNOWN;
		v->confidence = MLV_CONFIDENCE_LOW;
	}
}

enum mlv_rc mlv_category_verdict(struct mlv_verdict *v, const struct mlv_run *run,
				 mlv_trackid track, uint64_t capacity, struct mlv_err *err)
{
	struct judging j = { .v = v, .run = run, .track = track };
	const struct mlv_track *device =
		track.i < run->tracks.len ? mlv_run_device_of(run, track) : NULL;
	mlv_verdict_init(v, run, run->rank, device ? device->number : -1, "categories");
	find_peaks(&j);
	if (j.most_activation > 0 && !find_steps(&j))
		v->failed = true;
	if (!v->failed && !measure(&j))
		v->failed = true;
	if (!v->failed) {
		fill(&j, capacity);
		say(&j);
		judge(&j);
		mlv_verdict_conclude(v);
	}
	mlv_vec_free(&j.steps);
	return v->failed ? mlv_err_nomem(err) : MLV_OK;
}
