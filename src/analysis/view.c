/* SPDX-License-Identifier: MIT */
#include "analysis/view.h"

#include <stdlib.h>

static int64_t time_of(const struct mlv_history *h, uint32_t event)
{
	return h->events[event].time_ns;
}

double mlv_view_time_x(const struct mlv_history *h, const struct mlv_view *view, int64_t time_ns)
{
	int64_t t0 = time_of(h, view->first), t1 = time_of(h, view->last);
	double span = (double)mlv_time_between(t0, t1);
	return (double)mlv_time_between(t0, time_ns) * view->columns / (span > 0 ? span + 1 : 1);
}

int32_t mlv_view_column(const struct mlv_history *h, const struct mlv_view *view, uint32_t event)
{
	if (event < view->first)
		return 0;
	if (event > view->last)
		return view->columns - 1;
	if (!view->by_time) {
		uint64_t n = (uint64_t)view->last - view->first + 1;
		return (int32_t)((uint64_t)(event - view->first) * (uint64_t)view->columns / n);
	}
	double x = mlv_view_time_x(h, view, time_of(h, event));
	return x < 0 ? 0 : x >= view->columns ? view->columns - 1 : (int32_t)x;
}

/* The sums after each event in turn. */
struct replay {
	const struct mlv_history *h;
	size_t next_birth, next_death, next_other;
	struct mlv_instant now;
};

static struct replay replay_start(const struct mlv_history *h)
{
	return (struct replay){ .h = h,
				.next_birth = h->initial,
				.now = { -1, h->requested.start, h->reserved.start } };
}

static void replay_step(struct replay *r, uint32_t event)
{
	const struct mlv_history *h = r->h;
	r->now.event = event;
	if (r->next_other < h->other_count && h->others[r->next_other] == event) {
		r->now.reserved += (uint64_t)mlv_reserved_delta(&h->events[event]);
		r->next_other++;
	}
	if (mlv_history_dies_at(h, r->next_death, event))
		r->now.requested -= h->allocs[h->deaths[r->next_death++]].bytes;
	if (mlv_history_born_at(h, r->next_birth, event))
		r->now.requested += h->allocs[r->next_birth++].bytes;
}

/* Let a column show the larger of what it shows and another instant of it. */
static void raise(struct mlv_instant *column, const struct mlv_instant *other)
{
	if (other->requested > column->requested) {
		column->event = other->event;
		column->requested = other->requested;
	}
	if (other->reserved > column->reserved)
		column->reserved = other->reserved;
}

struct mlv_instant *mlv_view_instants(const struct mlv_history *h, const struct mlv_view *view)
{
	struct mlv_instant *columns = calloc((size_t)view->columns, sizeof(*columns));
	if (!columns)
		return NULL;
	struct replay r = replay_start(h);
	for (uint32_t e = 0; e < view->first; e++)
		replay_step(&r, e);
	/* The first column shows the state before its events too: the peak may lie there. */
	int32_t filled = 1;
	columns[0] = r.now;
	for (uint32_t e = view->first; h->count && e <= view->last; e++) {
		struct mlv_instant before = r.now;
		replay_step(&r, e);
		int32_t x = mlv_view_column(h, view, e);
		if (x < filled - 1)
			x = filled - 1; /* a clock that went back */
		if (x < filled) {
			if (e == view->first && r.now.requested == columns[x].requested)
				columns[x].event = e;
			raise(&columns[x], &r.now);
			continue;
		}
		while (filled < x)
			columns[filled++] = before;
		columns[filled++] = r.now;
	}
	while (filled < view->columns)
		columns[filled++] = r.now;
	return columns;
}
