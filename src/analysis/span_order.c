/* SPDX-License-Identifier: MIT */
#include "analysis/span_order.h"

#include <stdlib.h>

static int by_place(const void *pa, const void *pb)
{
	const struct mlv_span_item *a = pa, *b = pb;
	if (a->track != b->track)
		return a->track < b->track ? -1 : 1;
	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	if (a->end != b->end)
		return a->end > b->end ? -1 : 1;
	return (a->span > b->span) - (a->span < b->span);
}

void mlv_span_order(struct mlv_span_item *items, size_t count)
{
	for (size_t i = 1; i < count; i++) {
		if (by_place(&items[i - 1], &items[i]) > 0) {
			qsort(items, count, sizeof(*items), by_place);
			return;
		}
	}
}

/* The ends of what is under way in a lane, the innermost last. */
struct lane {
	MLV_VEC(int64_t) ends;
};

/* Whether the span lies within what is under way there, or behind it. */
static bool fits(struct lane *l, const struct mlv_span_item *it)
{
	while (l->ends.len && l->ends.data[l->ends.len - 1] <= it->start)
		l->ends.len--;
	return !l->ends.len || l->ends.data[l->ends.len - 1] >= it->end;
}

static bool fill(const struct mlv_span_item *items, size_t count, struct lane *lanes, uint8_t *lane)
{
	for (size_t i = 0; i < count; i++) {
		const struct mlv_span_item *it = &items[i];
		uint8_t at = 0;
		for (int k = 0; (!i || items[i - 1].track != it->track) && k < MLV_SPAN_LANES; k++)
			lanes[k].ends.len = 0;
		while (at + 1 < MLV_SPAN_LANES && !fits(&lanes[at], it))
			at++;
		lane[it->span] = at;
		if (!mlv_vec_push(&lanes[at].ends, it->end))
			return false;
	}
	return true;
}

uint8_t *mlv_span_lanes(const struct mlv_run *run)
{
	struct lane lanes[MLV_SPAN_LANES] = { 0 };
	size_t count = 0;
	uint8_t *lane = mlv_zeroed(run->spans.len, sizeof(*lane));
	struct mlv_span_item *items = malloc((run->spans.len + 1) * sizeof(*items));
	bool ok = lane && items;
	for (size_t i = 0; ok && i < run->spans.len; i++) {
		const struct mlv_span *s = &run->spans.data[i];
		int64_t took;
		if (mlv_run_span_took(s, &took) && took >= 0)
			items[count++] = (struct mlv_span_item){ s->track.i, (uint32_t)i,
								 s->start_ns, s->end_ns };
	}
	if (ok) {
		mlv_span_order(items, count);
		ok = fill(items, count, lanes, lane);
	}
	for (int k = 0; k < MLV_SPAN_LANES; k++)
		mlv_vec_free(&lanes[k].ends);
	free(items);
	if (ok)
		return lane;
	free(lane);
	return NULL;
}
