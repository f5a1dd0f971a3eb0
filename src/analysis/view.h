/* SPDX-License-Identifier: MIT */
#ifndef MLV_ANALYSIS_VIEW_H
#define MLV_ANALYSIS_VIEW_H
/*
 * A view maps events to the columns of a plot, by number or by wall time, and
 * chooses the instant that each column shows: that of the largest requested
 * sum among its events, so that no peak is lost at any size. A column without
 * events shows the state before it.
 */
#include "analysis/history.h"

struct mlv_view {
	uint32_t first, last; /* events shown */
	bool by_time;         /* x is wall time instead of the event number */
	int32_t columns, rows;
	uint64_t top_bytes; /* at the upper edge of the plot */
};

/* The column of an event (events before the view: 0; behind it: the last). */
int32_t mlv_view_column(const struct mlv_history *h, const struct mlv_view *view, uint32_t event);
/* The column of a time; not clamped. */
double mlv_view_time_x(const struct mlv_history *h, const struct mlv_view *view, int64_t time_ns);

/* What one column shows. */
struct mlv_instant {
	int64_t event;      /* the state after this event; -1: the initial state */
	uint64_t requested; /* the sum at that instant */
	uint64_t reserved;  /* the most in the column */
};

/* One for each column of the view; free() it. NULL when memory runs out. */
struct mlv_instant *mlv_view_instants(const struct mlv_history *h, const struct mlv_view *view);

/* Whether the next allocation to die (an index into deaths) does so at this event. */
static inline bool mlv_history_dies_at(const struct mlv_history *h, size_t next_death,
				       uint32_t event)
{
	return next_death < h->death_count && h->allocs[h->deaths[next_death]].died == event;
}

/* Whether the next allocation to be born is born at this event. */
static inline bool mlv_history_born_at(const struct mlv_history *h, size_t next_birth,
				       uint32_t event)
{
	return next_birth < h->alloc_count && h->allocs[next_birth].born == event;
}

#endif
