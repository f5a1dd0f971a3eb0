/* SPDX-License-Identifier: MIT */
#include "analysis/clock.h"

#include <stdlib.h>
#include <string.h>

/* September 2001 in nanoseconds: no time of a recorder's own clock is as large. */
#define CENTURY INT64_C(1000000000000000000)

enum {
	FEWEST = 8,         /* allocations that both saw; fewer show nothing */
	MOST_SEEN = 200000, /* more need not be kept: they are of the whole recording */
};

static void widen(struct mlv_clock_witness *w, int64_t t)
{
	if (t == MLV_NO_TIME)
		return;
	w->first = !w->clock || t < w->first ? t : w->first;
	w->last = !w->clock || t > w->last ? t : w->last;
	w->clock = MLV_CLOCK_OWN;
}

static enum mlv_clock clock_of(const struct mlv_clock_witness *w, const struct mlv_run *run)
{
	static const char *const groups[] = { "trace", "strace" };
	if (w->clock == MLV_CLOCK_NONE)
		return MLV_CLOCK_NONE;
	for (size_t i = 0; i < sizeof(groups) / sizeof(groups[0]); i++) {
		const struct mlv_property *p = mlv_run_property(run, groups[i], "clock");
		if (p && p->kind == MLV_PROP_TEXT)
			return mlv_str_eq(mlv_run_str(run, p->text), MLV_STR("unix"))
				       ? MLV_CLOCK_UNIX
				       : MLV_CLOCK_OWN;
	}
	return w->first >= CENTURY ? MLV_CLOCK_UNIX : MLV_CLOCK_OWN;
}

static int by_address(const void *pa, const void *pb)
{
	const struct mlv_clock_seen *a = pa, *b = pb;
	if (a->addr != b->addr)
		return a->addr < b->addr ? -1 : 1;
	return (a->time > b->time) - (a->time < b->time);
}

static bool is_seen(const struct mlv_mem_event *e)
{
	return e->action == MLV_MEM_ALLOC && e->addr && e->time_ns != MLV_NO_TIME;
}

enum mlv_rc mlv_clock_witness_init(struct mlv_clock_witness *w, const struct mlv_run *run,
				   struct mlv_err *err)
{
	memset(w, 0, sizeof(*w));
	for (size_t i = 0; i < run->spans.len; i++) {
		widen(w, run->spans.data[i].start_ns);
		widen(w, run->spans.data[i].end_ns);
	}
	for (size_t i = 0; i < run->mem_events.len; i++) {
		const struct mlv_mem_event *e = &run->mem_events.data[i];
		struct mlv_clock_seen seen = { e->addr, e->time_ns };
		widen(w, e->time_ns);
		if (is_seen(e) && w->seen.len < MOST_SEEN && !mlv_vec_push(&w->seen, seen))
			return mlv_err_nomem(err);
	}
	w->clock = clock_of(w, run);
	if (w->seen.len)
		qsort(w->seen.data, w->seen.len, sizeof(*w->seen.data), by_address);
	return MLV_OK;
}

void mlv_clock_witness_fini(struct mlv_clock_witness *w)
{
	mlv_vec_free(&w->seen);
}

static int by_value(const void *pa, const void *pb)
{
	const int64_t *a = pa, *b = pb;
	return (*a > *b) - (*a < *b);
}

static uint64_t distance(int64_t from, int64_t to)
{
	return from < to ? (uint64_t)to - (uint64_t)from : (uint64_t)from - (uint64_t)to;
}

/* How much later than the nearest that `w` saw at its address. False: it saw none. */
static bool nearest(const struct mlv_clock_witness *w, const struct mlv_clock_seen *e,
		    int64_t *later)
{
	size_t lo = 0, hi = w->seen.len;
	while (lo < hi) {
		size_t mid = (lo + hi) / 2;
		if (by_address(&w->seen.data[mid], e) < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	bool after = lo < w->seen.len && w->seen.data[lo].addr == e->addr;
	bool before = lo > 0 && w->seen.data[lo - 1].addr == e->addr;
	if (!after && !before)
		return false;
	if (after && before &&
	    distance(w->seen.data[lo - 1].time, e->time) < distance(w->seen.data[lo].time, e->time))
		after = false;
	*later = mlv_time_between(w->seen.data[after ? lo : lo - 1].time, e->time);
	return true;
}

static bool compare(const struct mlv_clock_witness *a, const struct mlv_clock_witness *b,
		    struct mlv_clocks *ret)
{
	int64_t *later = malloc((b->seen.len + 1) * sizeof(*later));
	for (size_t i = 0; later && i < b->seen.len; i++) {
		int64_t d;
		if (!nearest(a, &b->seen.data[i], &d))
			continue;
		later[ret->compared++] = d;
		ret->near += d <= MLV_CLOCKS_NEAR && d >= -MLV_CLOCKS_NEAR;
	}
	if (ret->compared) {
		qsort(later, ret->compared, sizeof(*later), by_value);
		ret->median_ns = later[ret->compared / 2];
	}
	free(later);
	return later != NULL;
}

enum mlv_rc mlv_clocks_compare(const struct mlv_clock_witness *a, const struct mlv_clock_witness *b,
			       struct mlv_clocks *ret, struct mlv_err *err)
{
	memset(ret, 0, sizeof(*ret));
	ret->state = MLV_CLOCKS_UNKNOWN;
	if (a->clock != MLV_CLOCK_UNIX || b->clock != MLV_CLOCK_UNIX)
		return MLV_OK;
	if (!compare(a, b, ret))
		return mlv_err_nomem(err);
	bool shows = ret->compared >= FEWEST;
	if (shows && ret->near >= ret->compared - ret->compared / 10)
		ret->state = MLV_CLOCKS_AGREE;
	else if (a->last < b->first || b->last < a->first)
		ret->state = MLV_CLOCKS_APART;
	else if (shows && ret->near < ret->compared / 2)
		ret->state = MLV_CLOCKS_DIFFER;
	else
		ret->state = MLV_CLOCKS_STATED;
	return MLV_OK;
}
