/* SPDX-License-Identifier: MIT */
#include "analysis/time_columns.h"

#include <stdlib.h>

#include "analysis/view.h"

/* -1: before the first; never behind the last but `columns` itself. */
static int32_t column_of(int64_t time, int64_t from, int64_t to, int32_t columns)
{
	if (time < from)
		return -1;
	if (time > to)
		return columns;
	double x = ((double)time - (double)from) / ((double)to - (double)from + 1) * columns;
	return x >= columns ? columns - 1 : (int32_t)x;
}

uint64_t *mlv_time_columns(const struct mlv_history *h, int64_t from, int64_t to, int32_t columns)
{
	uint64_t *most = calloc((size_t)columns, sizeof(*most));
	if (!most)
		return NULL;
	uint64_t now = h->requested.start;
	size_t birth = h->initial, death = 0;
	int32_t filled = 0; /* columns before it have what was there when they began */
	for (uint32_t e = 0; e < h->count; e++) {
		int32_t x = column_of(h->events[e].time_ns, from, to, columns);
		for (; filled <= x && filled < columns; filled++)
			most[filled] = now;
		for (; mlv_history_dies_at(h, death, e); death++)
			now -= h->allocs[h->deaths[death]].bytes;
		for (; mlv_history_born_at(h, birth, e); birth++)
			now += h->allocs[birth].bytes;
		if (x >= 0 && x < columns && now > most[x])
			most[x] = now;
	}
	for (; filled < columns; filled++)
		most[filled] = now;
	return most;
}
