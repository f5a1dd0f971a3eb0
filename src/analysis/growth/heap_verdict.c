/* SPDX-License-Identifier: MIT */
/* From lives and categories to a verdict; docs/verdicts.md explains each rule. */
#include "analysis/growth/heap_verdict.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "analysis/alive.h"
#include "base/num.h"

/* Less growth than this over a whole recording is none that anyone needs to hear of. */
enum { LEAST_GROWTH = 64 << 10, SHORT_GROWTH = 1 << 20, MANY_POINTS = 16, BLOCK = 512 };

struct judging {
	struct mlv_verdict *v;
	struct mlv_history h;
	struct mlv_sites sites;
	struct mlv_lifetimes l;
	struct mlv_categories c;
	bool uncertain; /* something grew, and nothing tells how */
};

/* A leak with its names: they must outlive the sites. */
static bool name_leak(struct judging *j, struct mlv_leak *leak)
{
	char function[MLV_NAME_SIZE], place[MLV_NAME_SIZE], stack[MLV_NAME_SIZE];
	uint32_t site;
	if (!mlv_site_of(&j->sites, leak->stack, &site))
		return false;
	mlv_site_function(&j->sites, site, function, sizeof(function));
	mlv_site_place(&j->sites, site, place, sizeof(place));
	mlv_stack_brief(&j->sites, leak->stack, 6, stack, sizeof(stack));
	leak->site = site;
	leak->function = mlv_arena_strndup(&j->v->texts, function, strlen(function));
	leak->place = mlv_arena_strndup(&j->v->texts, place, strlen(place));
	leak->frames = mlv_arena_strndup(&j->v->texts, stack, strlen(stack));
	return leak->function && leak->place && leak->frames;
}

static void leaks(struct judging *j)
{
	for (size_t i = 0; i < j->l.growers.len; i++) {
		const struct mlv_grower *g = &j->l.growers.data[i];
		struct mlv_leak leak = { .stack = g->stack,
					 .bytes_per_step = g->bytes_per_step,
					 .count_per_step = g->count_per_step,
					 .live_bytes = g->live_bytes,
					 .live_count = g->live_count };
		if (!name_leak(j, &leak) || !mlv_vec_push(&j->v->leaks, leak))
			j->v->failed = true;
	}
}

/* All growers together, over the steps that were judged. */
static double grown(const struct judging *j, double *per_step)
{
	double sum = 0;
	for (size_t i = 0; i < j->l.growers.len; i++)
		sum += j->l.growers.data[i].bytes_per_step;
	*per_step = sum;
	return sum * (double)(j->l.trend.points > 1 ? j->l.trend.points - 1 : 0);
}

/*
 * What repeats may be a training step, but also a layer, or a token of one
 * generation, whose cache grows and goes.
 */
static void by_period(struct judging *j, double per_period)
{
	char a[MLV_NUM_SIZE], b[2 * MLV_NUM_SIZE];
	j->uncertain = true;
	mlv_verdict_say(j->v,
			"there are no annotations of steps; allocations repeat in %s, which may be "
			"steps, layers, or tokens of one generation",
			mlv_fmt_count_of(b, sizeof(b), j->l.steps.count, "period", "periods"));
	if (per_period > 0)
		mlv_verdict_say(
			j->v,
			"%s more are alive at the end of each: a cache that grows within "
			"one generation, or a pass under way, or a leak; annotate the steps "
			"to tell",
			mlv_bytes_net(a, llround(per_period)));
}

static void cumulative(struct judging *j)
{
	const struct mlv_trend *t = &j->l.trend;
	double per_step, all = grown(j, &per_step);
	char a[MLV_NUM_SIZE], b[MLV_NUM_SIZE], c[2 * MLV_NUM_SIZE];
	if (!j->l.steps.count) {
		mlv_verdict_say(j->v, "no steps were found in it, so nothing can be said of growth "
				      "from step to step");
		j->uncertain = true;
		return;
	}
	if (j->l.steps.by == MLV_STEPS_BY_PERIOD) {
		by_period(j, all >= LEAST_GROWTH ? per_step : 0);
		return;
	}
	if (all >= LEAST_GROWTH) {
		j->v->cumulative_bytes = llround(per_step);
		leaks(j);
		mlv_verdict_say(j->v,
				"%s at the end of each step, together %s a step; all that is alive "
				"grows by %s (Theil-Sen over %zu steps, %s)",
				mlv_fmt_count_of(c, sizeof(c), j->l.growers.len, "stack holds more",
						 "stacks hold more"),
				mlv_bytes_net(a, llround(per_step)),
				mlv_bytes_net(b, llround(t->slope)), t->points,
				mlv_steps_by_words(j->l.steps.by));
		mlv_verdict_until_full(j->v);
		return;
	}
	double since = j->l.points > 1 ? j->l.total[j->l.points - 1] - j->l.total[0] : 0;
	if (t->points < 3 && j->l.points > 1)
		since = j->l.total[j->l.points - 1] - j->l.total[j->l.points > 2 ? 1 : 0];
	bool rises = t->shape == MLV_TREND_STEADY || t->shape == MLV_TREND_UNEVEN;
	/* Of many steps, what the stacks say is enough; of two, nothing says what is growth. */
	if ((t->points < 3 && since >= SHORT_GROWTH) ||
	    (rises && t->points < MANY_POINTS && mlv_verdict_matters(j->v, llround(since)))) {
		mlv_verdict_say(j->v,
				"%s more are alive at the end than after the first steps, and no "
				"stack grows steadily: too little to tell",
				mlv_bytes_net(a, llround(since)));
		j->uncertain = true;
		return;
	}
	mlv_verdict_say(j->v, "no stack holds more from step to step (%zu steps, %s)",
			j->l.steps.count, mlv_steps_by_words(j->l.steps.by));
}

static void components(struct judging *j)
{
	const double *usual = j->c.usual;
	char a[MLV_NUM_SIZE], b[MLV_NUM_SIZE];
	j->v->activation_bytes = llround(usual[MLV_CATEGORY_ACTIVATION]);
	j->v->persistent_bytes = llround(usual[MLV_CATEGORY_OPTIMIZER_STATE]);
	j->v->has_state = j->v->persistent_bytes > 0;
	j->v->after[MLV_AT_PEAK] = j->v->peak_bytes;
	for (int part = MLV_PART_FORWARD; part <= MLV_PART_OPTIMIZER; part++) {
		double peak = j->c.part_peak[part];
		j->v->after[part - MLV_PART_FORWARD] = peak > 0 ? llround(peak) : -1;
	}
	mlv_verdict_say(j->v, "activations hold up to %s %s, optimizer state %s%s",
			mlv_bytes_net(a, llround(usual[MLV_CATEGORY_ACTIVATION])),
			j->v->steps > 1 ? "in a step" : "in the recording",
			mlv_bytes_net(b, llround(usual[MLV_CATEGORY_OPTIMIZER_STATE])),
			j->v->steps > 1 ? " (medians of the steps after the first)" : "");
}

/* Whether it is alive after the event at which most is requested. */
static bool at_peak(const struct judging *j, const struct mlv_alloc *a)
{
	int64_t e = j->c.peak_event;
	return (a->born == MLV_NEVER || (int64_t)a->born <= e) &&
	       (a->died == MLV_NEVER || (int64_t)a->died > e);
}

/* What is alive at the peak, by the file that asked for it. */
static enum mlv_rc modules(struct judging *j, struct mlv_err *err)
{
	struct mlv_table_options o = { 0 };
	struct mlv_table t;
	enum mlv_rc rc = mlv_table_alive(&t, &j->h, &j->sites, MLV_ALIVE_BY_MODULE, j->c.peak_event,
					 &o, err);
	if (rc)
		return rc;
	for (size_t i = 0; i < t.rows.len; i++) {
		const struct mlv_table_row *row = &t.rows.data[i];
		const struct mlv_cell *cell = &t.cells.data[row->first_cell];
		struct mlv_category_share m = {
			mlv_arena_strndup(&j->v->texts, row->subject.p, row->subject.n),
			(uint64_t)cell[0].value.mantissa, (uint64_t)cell[1].value.mantissa
		};
		if (!m.name || !mlv_vec_push(&j->v->modules, m))
			j->v->failed = true;
	}
	mlv_table_fini(&t);
	return MLV_OK;
}

/* From what is requested at the peak up to what is reserved then. */
static void waterfall(struct judging *j)
{
	struct mlv_waterfall *w = &j->v->waterfall;
	const struct mlv_history *h = &j->h;
	for (size_t i = 0; i < h->alloc_count; i++) {
		if (!at_peak(j, &h->allocs[i]))
			continue;
		w->requested += h->allocs[i].bytes;
		w->rounding += (0 - h->allocs[i].bytes) % BLOCK;
	}
	w->reserved = h->reserved.start;
	for (size_t i = 0; i < h->other_count && (int64_t)h->others[i] <= j->c.peak_event; i++)
		w->reserved += (uint64_t)mlv_reserved_delta(&h->events[h->others[i]]);
	/* Of a recording that lacks segments nothing can be said. */
	w->known = w->reserved >= w->requested + w->rounding &&
		   h->device->bytes_are == MLV_BYTES_REQUESTED;
	w->event = j->c.peak_event;
}

/* The peaks of the parts of each step and what it leaves, for a picture. */
static void points(struct judging *j)
{
	for (size_t i = 0; i < j->l.points; i++) {
		const uint64_t *part = j->c.part_of_step[j->l.at[i]];
		for (int k = MLV_PART_FORWARD; k <= MLV_PART_OPTIMIZER; k++) {
			if (part[k] && part[k] < INT64_MAX)
				mlv_verdict_point(j->v, j->l.at[i],
						  (enum mlv_moment_of)(k - MLV_PART_FORWARD),
						  (int64_t)part[k]);
		}
		mlv_verdict_point(j->v, j->l.at[i], MLV_AFTER_STEP, llround(j->l.total[i]));
	}
}

static void categories(struct judging *j)
{
	uint64_t all = 0, known = 0;
	char a[MLV_NUM_SIZE];
	for (int k = 0; k < MLV_CATEGORIES; k++) {
		struct mlv_category_share s = { mlv_category_name((enum mlv_category)k),
						j->c.peak.bytes[k], j->c.peak.count[k] };
		all += s.bytes;
		known += k == MLV_CATEGORY_UNKNOWN ? 0 : s.bytes;
		if (s.bytes && !mlv_vec_push(&j->v->categories, s))
			j->v->failed = true;
	}
	if (all)
		mlv_verdict_say(j->v,
				"categories are inferred, and cover %.0f %% of the %s at the peak",
				100 * (double)known / (double)all, mlv_bytes(a, all));
}

/* Whether the stacks of most allocations were recorded: without them, no category is known. */
static bool told(struct judging *j)
{
	size_t with = 0, all = j->h.alloc_count - j->h.initial;
	for (size_t i = j->h.initial; i < j->h.alloc_count; i++)
		with += j->h.allocs[i].stack.i != MLV_STACK_NONE.i;
	if (2 * with > all)
		return true;
	mlv_verdict_say(j->v, "no stacks were recorded, without which activations cannot be told "
			      "from state");
	return false;
}

/* Why the recording may hide what a verdict would need. */
static bool incomplete(struct judging *j)
{
	uint64_t before = 0;
	char a[MLV_NUM_SIZE];
	if (j->h.overlaps || j->h.cut) {
		mlv_verdict_say(j->v, "the recording contradicts itself or ends in its middle");
		return true;
	}
	for (size_t i = 0; i < j->h.initial; i++)
		before += j->h.allocs[i].bytes;
	if (!before)
		return false;
	mlv_verdict_say(j->v, "%s were alive before the recording began: what they are is unknown",
			mlv_bytes(a, before));
	/* Optimizer state may be among them. */
	return !mlv_verdict_matters(j->v, j->v->persistent_bytes) &&
	       before >= (uint64_t)j->v->activation_bytes;
}

static void judge(struct judging *j)
{
	struct mlv_verdict *v = j->v;
	bool hidden = incomplete(j) || !told(j);
	v->confidence = v->steps >= 5   ? MLV_CONFIDENCE_HIGH
			: v->steps >= 3 ? MLV_CONFIDENCE_MEDIUM
					: MLV_CONFIDENCE_LOW;
	v->growth = mlv_verdict_dominant(v, j->c.spread[MLV_CATEGORY_ACTIVATION],
					 j->c.spread[MLV_CATEGORY_OPTIMIZER_STATE]);
	if (v->growth == MLV_GROWTH_CUMULATIVE)
		return;
	if (hidden || j->uncertain || v->steps < 2) {
		v->growth = MLV_GROWTH_UNKNOWN;
		v->confidence = MLV_CONFIDENCE_LOW;
	}
}

static enum mlv_rc judge_history(struct judging *j, uint64_t capacity, struct mlv_err *err)
{
	enum mlv_rc rc = mlv_lifetimes_init(&j->l, &j->h, err);
	if (rc)
		return rc;
	rc = mlv_categories_init(&j->c, &j->l, err);
	if (!rc) {
		j->v->steps = j->l.steps.count;
		j->v->peak_bytes = (int64_t)(j->h.requested.peak & INT64_MAX);
		j->v->reserved_bytes = (int64_t)(j->h.reserved.peak & INT64_MAX);
		j->v->device_bytes = capacity < INT64_MAX / 4 ? (int64_t)capacity : INT64_MAX / 4;
		cumulative(j);
		components(j);
		categories(j);
		waterfall(j);
		points(j);
		rc = modules(j, err);
		judge(j);
		mlv_verdict_conclude(j->v);
		mlv_categories_fini(&j->c);
	}
	mlv_lifetimes_fini(&j->l);
	return rc;
}

enum mlv_rc mlv_heap_verdict(struct mlv_verdict *v, const struct mlv_run *run, size_t device,
			     uint64_t capacity, struct mlv_err *err)
{
	struct judging j = { .v = v };
	mlv_verdict_init(v, run, run->rank, run->devices.data[device].ordinal, "allocations");
	v->device_row = device;
	enum mlv_rc rc = mlv_history_init(&j.h, run, device, err);
	if (rc)
		return rc;
	rc = mlv_sites_init(&j.sites, run, NULL, 0, err);
	if (!rc) {
		rc = judge_history(&j, capacity, err);
		mlv_sites_fini(&j.sites);
	}
	mlv_history_fini(&j.h);
	return rc ? rc : v->failed ? mlv_err_nomem(err) : MLV_OK;
}
