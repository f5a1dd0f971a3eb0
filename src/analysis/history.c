/* SPDX-License-Identifier: MIT */
#include "analysis/history.h"

#include <stdlib.h>
#include <string.h>

#include "base/map.h"

/*
 * One pass over the events with a map from address to living allocation, then
 * the final blocks. What turns out to be older than the recording is collected
 * apart and put in front at the end, since its place in the stack is below.
 */
struct scan {
	struct mlv_history *h;
	MLV_VEC(struct mlv_alloc) traced;
	MLV_VEC(struct mlv_alloc) older;
	MLV_VEC(uint32_t) others;
	MLV_VEC(uint32_t) deaths; /* as in `living`, until join() */
	struct mlv_map living;    /* address -> index in traced, or OLDER + index in older */
	/* Sums relative to the initial state, which is known only at the end. */
	int64_t requested, requested_peak, reserved, reserved_peak, reserved_least;
	uint64_t pending;
};

#define OLDER UINT32_C(0x80000000)

/* Damaged sizes may add up to anything: the sums then wrap, as the counters of a program would. */
static int64_t plus(int64_t sum, uint64_t bytes)
{
	return (int64_t)((uint64_t)sum + bytes);
}

static struct mlv_alloc *living(struct scan *s, uint32_t index)
{
	return index & OLDER ? &s->older.data[index & ~OLDER] : &s->traced.data[index];
}

static bool end_life(struct scan *s, struct mlv_map_slot *slot, uint32_t event)
{
	uint32_t index = slot->value;
	struct mlv_alloc *a = living(s, index);
	a->died = event;
	s->requested = plus(s->requested, 0 - a->bytes);
	if (a->free_requested != MLV_NEVER)
		s->pending -= a->bytes;
	mlv_map_remove(&s->living, slot);
	return mlv_vec_push(&s->deaths, index);
}

static void request_free(struct scan *s, struct mlv_alloc *a, uint32_t event)
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

static bool on_alloc(struct scan *s, const struct mlv_mem_event *e, uint32_t event)
{
	struct mlv_map_slot *slot = mlv_map_find(&s->living, e->addr);
	if (slot) {
		/* If its free was requested, the recorder was told to skip the completion. */
		if (living(s, slot->value)->free_requested == MLV_NEVER) {
			if (!s->h->overlaps++)
				s->h->first_overlap = event;
		}
		if (!end_life(s, slot, event))
			return false;
	}
	struct mlv_alloc a = from_event(e);
	a.born = event;
	s->requested = plus(s->requested, e->bytes);
	if (s->requested > s->requested_peak) {
		s->requested_peak = s->requested;
		s->h->requested.peak_event = event;
	}
	return s->traced.len < OLDER && mlv_vec_push(&s->traced, a) &&
	       mlv_map_set(&s->living, e->addr, (uint32_t)s->traced.len - 1);
}

/* An allocation that only this free tells of. */
static struct mlv_map_slot *add_orphan(struct scan *s, const struct mlv_mem_event *e)
{
	struct mlv_alloc a = from_event(e);
	a.origin = MLV_ALLOC_ORPHAN_FREE;
	s->h->orphan_frees++;
	if (s->older.len >= OLDER || !mlv_vec_push(&s->older, a) ||
	    !mlv_map_set(&s->living, e->addr, OLDER | (uint32_t)(s->older.len - 1)))
		return NULL;
	return mlv_map_find(&s->living, e->addr);
}

static bool on_free(struct scan *s, const struct mlv_mem_event *e, uint32_t event, bool completed)
{
	struct mlv_map_slot *slot = mlv_map_find(&s->living, e->addr);
	if (!slot)
		slot = add_orphan(s, e);
	if (!slot)
		return false;
	if (!completed || s->h->frees_implied)
		request_free(s, living(s, slot->value), event);
	if (completed || s->h->frees_implied)
		return end_life(s, slot, event);
	return true;
}

static bool on_other(struct scan *s, const struct mlv_mem_event *e, uint32_t event)
{
	s->reserved = plus(s->reserved, (uint64_t)mlv_reserved_delta(e));
	if (s->reserved > s->reserved_peak) {
		s->reserved_peak = s->reserved;
		s->h->reserved.peak_event = event;
	} else if (s->reserved < s->reserved_least) {
		s->reserved_least = s->reserved;
	}
	return mlv_vec_push(&s->others, event);
}

/* The only pass over all events: they are far larger than any cache. */
static bool scan_events(struct scan *s)
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
 * A recorder told to skip free_completed leaves none at all, while more frees
 * were requested than blocks are still waiting at the end.
 */
static bool are_frees_implied(const struct mlv_history *h, const struct mlv_device *d)
{
	const struct mlv_run *run = h->run;
	uint64_t waiting = 0;
	for (size_t i = 0; i < d->segments; i++) {
		const struct mlv_segment *seg = &run->segments.data[d->first_segment + i];
		for (uint32_t k = 0; k < seg->blocks; k++)
			waiting += run->blocks.data[seg->first_block + k].state ==
				   MLV_BLOCK_PENDING_FREE;
	}
	return !h->action_count[MLV_MEM_FREE_COMPLETED] &&
	       h->action_count[MLV_MEM_FREE_REQUESTED] > waiting;
}

/* A block in use at the end: known from the trace, or older than it. */
static bool match_block(struct scan *s, const struct mlv_segment *seg, const struct mlv_block *b)
{
	struct mlv_map_slot *slot = mlv_map_find(&s->living, b->addr);
	if (slot) {
		struct mlv_alloc *a = living(s, slot->value);
		if (a->bytes != b->requested)
			s->h->resized_blocks++;
		/* The recorder may have had frames for blocks only (context="state"). */
		if (!mlv_stack_has_frame(a->stack) && mlv_stack_has_frame(b->stack))
			a->stack = b->stack;
		a->pool = seg->pool;
		mlv_map_remove(&s->living, slot);
		return true;
	}
	struct mlv_alloc a = { .addr = b->addr,
			       .bytes = b->requested,
			       .born = MLV_NEVER,
			       .free_requested = MLV_NEVER,
			       .died = MLV_NEVER,
			       .stack = b->stack,
			       .track = seg->track,
			       .pool = seg->pool,
			       .origin = MLV_ALLOC_FINAL_BLOCK };
	s->h->unseen_blocks++;
	return mlv_vec_push(&s->older, a);
}

/* Where a request for a free stands for the free itself, what waits for a stream is gone. */
static bool is_in_use(const struct mlv_history *h, const struct mlv_block *b)
{
	return b->state == MLV_BLOCK_ALLOCATED ||
	       (b->state == MLV_BLOCK_PENDING_FREE && !h->frees_implied);
}

/*
 * Blocks in use at the end that the trace freed and did not allocate again.
 * Walks the deaths only if there are blocks that the trace did not allocate.
 */
static bool count_freed_blocks(struct scan *s)
{
	struct mlv_history *h = s->h;
	struct mlv_map unseen = { 0 };
	bool ok = true;
	/* A recorder told to skip allocations says nothing of what came after a free. */
	if (!h->unseen_blocks || !h->action_count[MLV_MEM_ALLOC])
		return true;
	for (size_t i = h->orphan_frees; ok && i < s->older.len; i++)
		ok = mlv_map_set(&unseen, s->older.data[i].addr, 0);
	for (size_t i = 0; ok && i < s->deaths.len; i++) {
		uint64_t addr = living(s, s->deaths.data[i])->addr;
		struct mlv_map_slot *slot = mlv_map_find(&unseen, addr);
		if (!slot)
			continue;
		h->freed_blocks++;
		mlv_map_remove(&unseen, slot);
	}
	mlv_map_fini(&unseen);
	return ok;
}

static bool match_blocks(struct scan *s, const struct mlv_device *device, uint64_t *reserved)
{
	const struct mlv_run *run = s->h->run;
	*reserved = 0;
	if (device->cut) {
		/* The final heap is of a later moment. What the trace gave back was there before.
		 */
		*reserved = (uint64_t)plus(s->reserved, 0 - (uint64_t)s->reserved_least);
		return true;
	}
	for (size_t i = 0; i < device->segments; i++) {
		const struct mlv_segment *seg = &run->segments.data[device->first_segment + i];
		*reserved += seg->bytes;
		for (uint32_t k = 0; k < seg->blocks; k++) {
			const struct mlv_block *b = &run->blocks.data[seg->first_block + k];
			if (is_in_use(s->h, b) && !match_block(s, seg, b))
				return false;
		}
	}
	/* A list of segments that a damaged file lacks is no evidence against the trace. */
	if (device->segments)
		s->h->lost_blocks = s->living.len;
	return count_freed_blocks(s);
}

/* What the recorder counted before its first event and never saw freed, as one. */
static bool add_counted(struct scan *s, const struct mlv_device *device)
{
	uint64_t older = 0;
	for (size_t i = 0; i < s->older.len; i++)
		older += s->older.data[i].bytes;
	if (device->before_bytes <= older)
		return true;
	struct mlv_alloc a = { .bytes = device->before_bytes - older,
			       .born = MLV_NEVER,
			       .free_requested = MLV_NEVER,
			       .died = MLV_NEVER,
			       .stack = MLV_STACK_NONE,
			       .track = device->track,
			       .pool = MLV_POOL_UNKNOWN,
			       .origin = MLV_ALLOC_COUNTED };
	s->h->counted_before = a.bytes;
	return mlv_vec_push(&s->older, a);
}

/*
 * Put the older allocations in front: what outlives the recording at the
 * bottom, then those met by their free, the last one freed lowest. `place`
 * gets the new index of each.
 */
static void join_older(struct scan *s, uint32_t *place)
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
		h->deaths[i] = index & OLDER ? place[index & ~OLDER] : index + n;
	}
}

static bool join(struct scan *s)
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

static void settle_sums(struct scan *s, uint64_t final_reserved)
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

	struct scan s;
	memset(&s, 0, sizeof(s));
	s.h = h;
	uint64_t reserved;
	bool ok = scan_events(&s) && match_blocks(&s, d, &reserved) && add_counted(&s, d);
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
	if (ok && are_frees_implied(h, d)) {
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
