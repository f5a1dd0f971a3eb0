/* SPDX-License-Identifier: MIT */
/*
 * Live bytes at the ends of steps, for each stack. Most stacks hold no more at
 * the end than after the second step: only of those that do, a row of all
 * points is kept.
 */
#include "analysis/growth/growers.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_POINTS = 128, MOST_ROWS = 1 << 14, ENOUGH_POINTS = 10 };

struct growing {
	struct mlv_lifetimes *l;
	size_t points;
	int64_t *gain; /* of each stack: bytes at the last point less those at the second */
	uint32_t *row; /* of each stack; UINT32_MAX: none */
	uint32_t rows;
	mlv_stackid *stacks;    /* of each row */
	double *bytes, *counts; /* of each row, at each point */
};

static uint32_t end_of(const struct growing *g, size_t point)
{
	return g->l->steps.ends[g->l->at[point]];
}

static bool alive(const struct mlv_alloc *a, uint32_t end)
{
	return (a->born == MLV_NEVER || a->born < end) && mlv_alloc_released(a) >= end;
}

/* The first point whose end is behind an event. */
static size_t point_behind(const struct growing *g, uint32_t event)
{
	size_t low = 0, high = g->points;
	while (low < high) {
		size_t mid = low + (high - low) / 2;
		if (end_of(g, mid) <= event)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

static void choose_points(struct growing *g)
{
	size_t steps = g->l->steps.count;
	g->points = steps < MOST_POINTS ? steps : MOST_POINTS;
	for (size_t i = 0; i < g->points; i++)
		g->l->at[i] =
			(uint32_t)(g->points == steps ? i : i * (steps - 1) / (MOST_POINTS - 1));
	g->l->points = g->points;
}

static void gains(struct growing *g)
{
	const struct mlv_history *h = g->l->h;
	uint32_t early = end_of(g, g->points > 2 ? 1 : 0), late = end_of(g, g->points - 1);
	for (size_t i = 0; i < h->alloc_count; i++) {
		const struct mlv_alloc *a = &h->allocs[i];
		int64_t bytes = a->bytes < INT64_MAX / 1024 ? (int64_t)a->bytes : 0;
		if (alive(a, late))
			(void)__builtin_add_overflow(g->gain[a->stack.i], bytes,
						     &g->gain[a->stack.i]);
		if (alive(a, early))
			(void)__builtin_sub_overflow(g->gain[a->stack.i], bytes,
						     &g->gain[a->stack.i]);
	}
}

static bool make_rows(struct growing *g)
{
	size_t stacks = g->l->h->run->stacks.nodes.len + 2;
	uint32_t n = 0;
	for (size_t i = 0; i < stacks; i++) {
		g->row[i] = UINT32_MAX;
		if (g->gain[i] > 0 && n < MOST_ROWS)
			g->row[i] = n++;
	}
	g->rows = n;
	g->stacks = calloc(n + 1, sizeof(*g->stacks));
	g->bytes = calloc((size_t)(n + 1) * g->points, sizeof(*g->bytes));
	g->counts = calloc((size_t)(n + 1) * g->points, sizeof(*g->counts));
	if (!g->stacks || !g->bytes || !g->counts)
		return false;
	for (size_t i = 0; i < stacks; i++) {
		if (g->row[i] != UINT32_MAX)
			g->stacks[g->row[i]] = (mlv_stackid){ (uint32_t)i };
	}
	return true;
}

/* As differences between neighbouring points first, then their sums. */
static void add_lives(struct growing *g)
{
	const struct mlv_history *h = g->l->h;
	size_t n = g->points;
	for (size_t i = 0; i < h->alloc_count; i++) {
		const struct mlv_alloc *a = &h->allocs[i];
		uint32_t released = mlv_alloc_released(a);
		size_t from = a->born == MLV_NEVER ? 0 : point_behind(g, a->born);
		size_t to = released == MLV_NEVER ? n : point_behind(g, released);
		uint32_t row = g->row[a->stack.i];
		if (from >= to)
			continue;
		g->l->total[from] += (double)a->bytes;
		if (to < n)
			g->l->total[to] -= (double)a->bytes;
		if (row == UINT32_MAX)
			continue;
		g->bytes[row * n + from] += (double)a->bytes;
		g->counts[row * n + from] += 1;
		if (to < n) {
			g->bytes[row * n + to] -= (double)a->bytes;
			g->counts[row * n + to] -= 1;
		}
	}
	for (size_t k = 1; k < n; k++)
		g->l->total[k] += g->l->total[k - 1];
	for (size_t row = 0; row < g->rows; row++) {
		for (size_t k = 1; k < n; k++) {
			g->bytes[row * n + k] += g->bytes[row * n + k - 1];
			g->counts[row * n + k] += g->counts[row * n + k - 1];
		}
	}
}

/* The first point is behind the step that warms up. */
static bool fit(const struct growing *g, const double *x, const double *y, struct mlv_trend *t)
{
	size_t from = g->points > 1;
	return mlv_trend_fit(t, x + from, y + from, g->points - from);
}

static int fastest_first(const void *pa, const void *pb)
{
	const struct mlv_grower *a = pa, *b = pb;
	if (a->bytes_per_step != b->bytes_per_step)
		return a->bytes_per_step > b->bytes_per_step ? -1 : 1;
	return a->stack.i < b->stack.i ? -1 : a->stack.i > b->stack.i;
}

static bool judge_rows(struct growing *g)
{
	size_t n = g->points;
	struct mlv_trend bytes, counts;
	double *x = malloc(n * sizeof(*x));
	bool ok = x != NULL;
	for (size_t k = 0; ok && k < n; k++)
		x[k] = (double)g->l->at[k];
	ok = ok && fit(g, x, g->l->total, &g->l->trend);
	for (size_t row = 0; ok && row < g->rows; row++) {
		const double *b = g->bytes + row * n, *c = g->counts + row * n;
		ok = fit(g, x, b, &bytes) && fit(g, x, c, &counts);
		struct mlv_grower grower = { .stack = g->stacks[row],
					     .bytes_per_step = bytes.slope,
					     .count_per_step = counts.slope,
					     .live_bytes = (uint64_t)fmax(b[n - 1], 0),
					     .live_count = (uint64_t)fmax(c[n - 1], 0) };
		/* One thing that is made anew and larger goes up by chance for a while. */
		bool more = counts.shape == MLV_TREND_STEADY || bytes.points >= ENOUGH_POINTS;
		if (ok && more && bytes.shape == MLV_TREND_STEADY)
			ok = mlv_vec_push(&g->l->growers, grower);
	}
	free(x);
	if (ok && g->l->growers.len)
		qsort(g->l->growers.data, g->l->growers.len, sizeof(*g->l->growers.data),
		      fastest_first);
	return ok;
}

bool mlv_growers_find(struct mlv_lifetimes *l)
{
	struct growing g = { .l = l };
	size_t stacks = l->h->run->stacks.nodes.len + 2;
	if (!l->steps.count)
		return true;
	l->at = calloc(MOST_POINTS, sizeof(*l->at));
	l->total = calloc(MOST_POINTS, sizeof(*l->total));
	g.gain = mlv_zeroed(stacks, sizeof(*g.gain));
	g.row = mlv_zeroed(stacks, sizeof(*g.row));
	bool ok = l->at && l->total && g.gain && g.row;
	if (ok) {
		choose_points(&g);
		gains(&g);
		ok = make_rows(&g);
	}
	if (ok) {
		add_lives(&g);
		ok = judge_rows(&g);
	}
	free(g.gain);
	free(g.row);
	free(g.stacks);
	free(g.bytes);
	free(g.counts);
	return ok;
}
