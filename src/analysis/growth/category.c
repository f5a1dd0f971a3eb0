/* SPDX-License-Identifier: MIT */
#include "analysis/growth/category.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static enum mlv_category kept(uint8_t marks, enum mlv_part part, bool first)
{
	if (part == MLV_PART_OPTIMIZER)
		return marks & MLV_MARK_OPTIMIZER ? MLV_CATEGORY_OPTIMIZER_STATE
						  : MLV_CATEGORY_UNKNOWN;
	if (marks & MLV_MARK_WORKSPACE)
		return MLV_CATEGORY_WORKSPACE;
	if (part == MLV_PART_SETUP)
		return marks & MLV_MARK_MODULE_MAKE ? MLV_CATEGORY_PARAMETER : MLV_CATEGORY_INPUT;
	/* It came in the first pass and stays: a library took it. What comes later is anything. */
	return first ? MLV_CATEGORY_WORKSPACE : MLV_CATEGORY_UNKNOWN;
}

/* The rules, the more certain ones first. */
static enum mlv_category category_of(const struct mlv_lifetimes *l, size_t i)
{
	const struct mlv_alloc *a = &l->h->allocs[i];
	uint8_t marks = l->marks.of[a->stack.i];
	enum mlv_part part = (enum mlv_part)l->part[i];
	bool first = a->born != MLV_NEVER && mlv_step_of(&l->steps, a->born) == 0 &&
		     mlv_alloc_released(a) == MLV_NEVER;
	switch ((enum mlv_life)l->life[i]) {
	case MLV_LIFE_BEFORE:
		return MLV_CATEGORY_UNKNOWN;
	case MLV_LIFE_CUMULATIVE:
		return MLV_CATEGORY_RETAINED;
	case MLV_LIFE_PERSISTENT:
		return marks & MLV_MARK_CACHE ? MLV_CATEGORY_KV_CACHE : kept(marks, part, first);
	default:
		break;
	}
	if (marks & MLV_MARK_CACHE)
		return MLV_CATEGORY_KV_CACHE;
	if (l->life[i] == MLV_LIFE_PHASE)
		return MLV_CATEGORY_TEMPORARY;
	if (part == MLV_PART_FORWARD)
		return marks & MLV_MARK_MODULE_CALL ? MLV_CATEGORY_ACTIVATION : MLV_CATEGORY_INPUT;
	return part == MLV_PART_BACKWARD ? MLV_CATEGORY_GRADIENT : MLV_CATEGORY_UNKNOWN;
}

/* ---- how much of each, and when ---- */

struct sweeping {
	const struct mlv_lifetimes *l;
	struct mlv_categories *c;
	struct mlv_category_bytes now;
	uint64_t sum, best;               /* requested, and the most of it so far */
	uint64_t (*most)[MLV_CATEGORIES]; /* of each step */
	uint64_t (*part)[MLV_PARTS];      /* the most that is requested in each */
	size_t step;
};

static void change(struct sweeping *s, size_t i, bool born, int64_t event)
{
	enum mlv_category c = (enum mlv_category)s->c->of[i];
	uint64_t bytes = s->l->h->allocs[i].bytes;
	s->sum += born ? bytes : 0 - bytes;
	s->now.bytes[c] += born ? bytes : 0 - bytes;
	s->now.count[c] += born ? 1 : UINT64_MAX;
	if (s->now.bytes[c] > s->most[s->step][c])
		s->most[s->step][c] = s->now.bytes[c];
	uint64_t *part = &s->part[s->step][s->l->part[i]];
	if (born && s->sum > *part)
		*part = s->sum;
	if (!born || s->sum <= s->best)
		return;
	s->best = s->sum;
	s->c->peak = s->now;
	s->c->peak_event = event;
}

/* What is there now is where the next step begins. */
static void next_step(struct sweeping *s)
{
	s->step++;
	memcpy(s->most[s->step], s->now.bytes, sizeof(s->now.bytes));
}

static void sweep(struct sweeping *s)
{
	const struct mlv_history *h = s->l->h;
	size_t births = h->initial, deaths = 0;
	s->c->peak_event = -1;
	for (size_t i = 0; i < h->initial; i++)
		change(s, i, true, -1);
	while (births < h->alloc_count || deaths < h->death_count) {
		uint32_t birth = births < h->alloc_count ? h->allocs[births].born : MLV_NEVER;
		uint32_t death =
			deaths < h->death_count ? h->allocs[h->deaths[deaths]].died : MLV_NEVER;
		uint32_t event = birth < death ? birth : death;
		while (s->step < s->l->steps.count && s->l->steps.ends[s->step] <= event)
			next_step(s);
		/* An allocation in the place of another that was never freed: that one ends first.
		 */
		if (death <= birth)
			change(s, h->deaths[deaths++], false, event);
		else
			change(s, births++, true, event);
	}
	while (s->step < s->l->steps.count)
		next_step(s);
}

/* Median over the steps after the first, of those that are whole; of the only one if there is one.
 */
static bool usual(struct mlv_categories *c, const struct sweeping *s)
{
	size_t n = s->l->steps.count, from = n > 1;
	double *v = malloc((n + 1) * sizeof(*v));
	if (!v)
		return false;
	for (int k = 0; k < MLV_CATEGORIES; k++) {
		size_t m = 0;
		for (size_t i = from; i < (n ? n : 1); i++)
			v[m++] = (double)s->most[i][k];
		c->usual[k] = mlv_median(v, m);
		/* Of the median of so many. */
		c->spread[k] = m ? 1.2533 * mlv_spread(v, m) / sqrt((double)m) : 0;
	}
	for (int k = 0; k < MLV_PARTS; k++) {
		size_t m = 0;
		for (size_t i = from; i < (n ? n : 1); i++)
			v[m++] = (double)s->part[i][k];
		c->part_peak[k] = mlv_median(v, m);
	}
	free(v);
	return true;
}

enum mlv_rc mlv_categories_init(struct mlv_categories *c, const struct mlv_lifetimes *l,
				struct mlv_err *err)
{
	size_t steps = l->steps.count + 1;
	struct sweeping s = { .l = l, .c = c };
	memset(c, 0, sizeof(*c));
	c->of = mlv_zeroed(l->h->alloc_count + 1, 1);
	s.most = mlv_zeroed(steps, sizeof(*s.most));
	s.part = mlv_zeroed(steps, sizeof(*s.part));
	bool ok = c->of && s.most && s.part;
	if (ok) {
		for (size_t i = 0; i < l->h->alloc_count; i++)
			c->of[i] = (uint8_t)category_of(l, i);
		sweep(&s);
		ok = usual(c, &s);
	}
	free(s.most);
	c->part_of_step = s.part;
	if (ok)
		return MLV_OK;
	mlv_categories_fini(c);
	return mlv_err_nomem(err);
}

void mlv_categories_fini(struct mlv_categories *c)
{
	free(c->of);
	free(c->part_of_step);
	c->of = NULL;
	c->part_of_step = NULL;
}

const char *mlv_category_name(enum mlv_category c)
{
	static const char *const names[MLV_CATEGORIES] = {
		"unknown", "parameter", "gradient",  "optimizer state",   "activation",
		"input",   "KV cache",  "temporary", "library workspace", "retained",
	};
	return names[c];
}
