/* SPDX-License-Identifier: MIT */
#include "analysis/history.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/history_scan.h"

static bool end_life(struct mlv_history_scan *s, struct mlv_map_slot *slot, uint32_t event)
{
	uint32_t index = slot->value;
	struct mlv_alloc *a = mlv_history_living(s, index);
	a->died = event;
	s->requested = mlv_history_plus(s->requested, 0 - a->bytes);
	if (a->free_requested != MLV_NEVER)
		s->pending -= a->bytes;
	mlv_map_remove(&s->living, slot);
	return mlv_vec_push(&s->deaths, index);
}

static void request_free(struct mlv_history_scan *s, struct mlv_alloc *a, uint32_t event)
{
	if (a->free_requested == MLV_NEVER)
		s->pending += a->bytes;
	a->free_requested = event;
}

static struct mlv_alloc from_event(const struct mlv_mem_event *e)
{
	return (struct mlv_alloc){ .addr = e->addr,
				   .bytes = e->bytes,
				   .born = MLV_NEVER,
				   .free_requested = MLV_NEVER,
				   .died = MLV_NEVER,
				   .stack = e->stack,
				   .track = e->track,
				   .pool = e->pool };
}

static bool on_alloc(struct mlv_history_scan *s, const struct mlv_mem_event *e, uint32_t event)
{
	struct mlv_map_slot *slot = mlv_map_find(&s->living, e->addr);
	if (slot) {
		/* If its free was requested, the recorder was told to skip the completion. */
		if (mlv_history_living(s, slot->value)->free_requested == MLV_NEVER) {
			if (!s->h->overlaps++)
				s->h->first_overlap = event;
		}
		if (!end_life(s, slot, event))
			return false;
	}
	struct mlv_alloc a = from_event(e);
	a.born = event;
	s->requested = mlv_history_plus(s->requested, e->bytes);
	if (s->requested > s->requested_peak) {
		s->requested_peak = s->requested;
		s->h->requested.peak_event = event;
	}
	return s->traced.len < MLV_HISTORY_OLDER && mlv_vec_push(&s->traced, a) &&
	       mlv_map_set(&s->living, e->addr, (uint32_t)s->traced.len - 1);
}

/* An allocation that only this free tells of. */
static struct mlv_map_slot *add_orphan(struct mlv_history_scan *s, const struct mlv_mem_event *e)
{
	struct mlv_alloc a = from_event(e);
	a.origin = MLV_ALLOC_ORPHAN_FREE;
	s->h->orphan_frees++;
	if (s->older.len >= MLV_HISTORY_OLDER || !mlv_vec_push(&s->older, a) ||
	    !mlv_map_set(&s->living, e->addr, MLV_HISTORY_OLDER | (uint32_t)(s->older.len - 1)))
		return NULL;
	return mlv_map_find(&s->living, e->addr);
}

static bool on_free(struct mlv_history_scan *s, const struct mlv_mem_event *e, uint32_t event,
		    bool completed)
{
	struct mlv_map_slot *slot = mlv_map_find(&s->living, e->addr);
	if (!slot)
		slot = add_orphan(s, e);
	if (!slot)
		return false;
	if (!completed || s->h->frees_implied)
		request_free(s, mlv_history_living(s, slot->value), event);
	if (completed || s->h->frees_implied)
		return end_life(s, slot, event);
	return true;
}

static bool on_other(struct mlv_history_scan *s, const struct mlv_mem_event *e, uint32_t event)
{
	s->reserved = mlv_history_plus(s->reserved, (uint64_t)mlv_reserved_delta(e));
	if (s->reserved > s->reserved_peak) {
		s->reserved_peak = s->reserved;
		s->h->reserved.peak_event = event;
	} else if (s->reserved < s->reserved_least) {
		s->reserved_least = s->reserved;
	}
	return mlv_vec_push(&s->others, event);
}

/* The only pass over all events: they are far larger than any cache. */
static bool scan_events(struct mlv_history_scan *s)
{
	struct mlv_history *h = s->h;
	h->has_times = h->count > 0;
	for (uint32_t i = 0; i < h->count; i++) {
		const struct mlv_mem_event *e = &h->events[i];
		bool ok;
		h->action_count[e->action]++;
		h->has_times = h->has_times && e->time_ns != MLV_NO_TIME;
		switch (e->action) {
		case MLV_MEM_ALLOC:
			ok = on_alloc(s, e, i);
			break;
		case MLV_MEM_FREE_REQUESTED:
		case MLV_MEM_FREE_COMPLETED:
			ok = on_free(s, e, i, e->action == MLV_MEM_FREE_COMPLETED);
			break;
		default:
			ok = on_other(s, e, i);
			break;
		}
		if (!ok)
			return false;
		/* Most frees complete with the next event; only those that had to wait count. */
		if (e->action != MLV_MEM_FREE_REQUESTED && s->pending > h->pending_peak)
			h->pending_peak = s->pending;
	}
	h->others = s->others.data;
	h->other_count = s->others.len;
	s->others.data = NULL;
	return true;
}

/*
 * Put the older allocations in front: what outlives the recording at the
 * bottom, then those met by their free, the last one freed lowest. `place`
 * gets the new index of each.
 */
static void join_older(struct mlv_history_scan *s, uint32_t *place)
{
	struct mlv_history *h = s->h;
	uint32_t n = 0;
	for (int died = 0; died < 2; died++) {
		for (size_t i = s->older.len; i-- > 0;) {
			if ((s->older.data[i].died != MLV_NEVER) != died)
				continue;
			place[i] = n;
			h->allocs[n++] = s->older.data[i];
		}
	}
	for (size_t i = 0; i < s->deaths.len; i++) {
		uint32_t index = s->deaths.data[i];
		h->deaths[i] =
			index & MLV_HISTORY_OLDER ? place[index & ~MLV_HISTORY_OLDER] : index + n;
	}
}

static bool join(struct mlv_history_scan *s)
{
	struct mlv_history *h = s->h;
	h->initial = s->older.len;
	h->alloc_count = s->older.len + s->traced.len;
	h->deaths = s->deaths.data;
	h->death_count = s->deaths.len;
	s->deaths.data = NULL;
	if (!s->older.len) {
		h->allocs = s->traced.data;
		s->traced.data = NULL;
		return true;
	}
	s->deaths.data = h->deaths;
	h->allocs = malloc(h->alloc_count * sizeof(*h->allocs));
	uint32_t *place = malloc(s->older.len * sizeof(*place));
	bool ok = h->allocs && place;
	if (ok)
		join_older(s, place);
	if (ok && s->traced.len)
		memcpy(h->allocs + h->initial, s->traced.data, s->traced.len * sizeof(*h->allocs));
	s->deaths.data = NULL;
	free(place);
	return ok;
}

static void settle_sums(struct mlv_history_scan *s, uint64_t final_reserved)
{
	struct mlv_history *h = s->h;
	uint64_t older = 0;
	for (size_t i = 0; i < s->older.len; i++)
		older += s->older.data[i].bytes;
	h->requested.start = older;
	h->requested.peak = older + (uint64_t)s->requested_peak;
	h->requested.end = older + (uint64_t)s->requested;
	h->pending_end = s->pending;
	if (s->pending > h->pending_peak)
		h->pending_peak = s->pending;

	/*
	 * What was reserved before follows from what is left, and it is no less than
	 * what the trace gave back without having taken it. Less is the file's fault.
	 */
	uint64_t least = 0 - (uint64_t)s->reserved_least;
	uint64_t start = final_reserved - (uint64_t)s->reserved;
	if ((int64_t)start < 0 || start < least) {
		h->reserved_missing = least - start;
		start = least;
	}
	h->reserved.start = start;
	h->reserved.peak = start + (uint64_t)s->reserved_peak;
	h->reserved.end = start + (uint64_t)s->reserved;
	h->complete = h->count > 0 && !s->older.len && start == 0 && !h->cut && !h->overlaps;
}

static bool build(struct mlv_history *h, const struct mlv_run *run, const struct mlv_device *d,
		  bool frees_implied)
{
	memset(h, 0, sizeof(*h));
	h->run = run;
	h->device = d;
	h->events = d->events ? run->mem_events.data + d->first_event : NULL;
	h->count = d->events;
	h->cut = d->cut;
	h->requested.peak_event = h->reserved.peak_event = -1;
	h->first_overlap = -1;
	h->frees_implied = frees_implied;

	struct mlv_history_scan s;
	memset(&s, 0, sizeof(s));
	s.h = h;
	uint64_t reserved;
	bool ok = scan_events(&s) && mlv_history_match_heap(&s, d, &reserved);
	if (ok) {
		settle_sums(&s, reserved);
		ok = join(&s);
	}
	mlv_vec_free(&s.traced);
	mlv_vec_free(&s.older);
	mlv_vec_free(&s.others);
	mlv_vec_free(&s.deaths);
	mlv_map_fini(&s.living);
	if (!ok)
		mlv_history_fini(h);
	return ok;
}

enum mlv_rc mlv_history_init(struct mlv_history *h, const struct mlv_run *run, size_t device,
			     struct mlv_err *err)
{
	const struct mlv_device *d = &run->devices.data[device];
	bool ok = build(h, run, d, false);
	/* Known only once the events are counted, and rare. */
	if (ok && mlv_history_frees_implied(h, d)) {
		mlv_history_fini(h);
		ok = build(h, run, d, true);
	}
	return ok ? MLV_OK : mlv_err_nomem(err);
}

void mlv_history_fini(struct mlv_history *h)
{
	free(h->allocs);
	free(h->others);
	free(h->deaths);
	memset(h, 0, sizeof(*h));
}
