/* SPDX-License-Identifier: MIT */
#include "analysis/memory_facts.h"

#include <stdlib.h>
#include <string.h>

/* Number of distinct tracks, counted with a byte for each track of the run. */
static bool count_streams(const struct mlv_run *run, const struct mlv_device *d,
			  const struct mlv_history *h, size_t *streams)
{
	uint8_t *seen = calloc(run->tracks.len + 1, 1);
	size_t n = 0;
	if (!seen)
		return false;
	for (size_t i = 0; i < h->alloc_count; i++) {
		n += !seen[h->allocs[i].track.i];
		seen[h->allocs[i].track.i] = 1;
	}
	for (size_t i = 0; i < d->segments; i++) {
		uint32_t track = run->segments.data[d->first_segment + i].track.i;
		n += !seen[track];
		seen[track] = 1;
	}
	free(seen);
	*streams = n;
	return true;
}

static size_t count_private_pools(const struct mlv_run *run, const struct mlv_device *d)
{
	uint8_t seen[4096] = { 0 };
	size_t n = 0;
	for (size_t i = 0; i < d->segments; i++) {
		uint16_t pool = run->segments.data[d->first_segment + i].pool;
		if (pool == MLV_POOL_DEFAULT || pool >= sizeof(seen))
			continue;
		n += !seen[pool];
		seen[pool] = 1;
	}
	return n;
}

/*
 * Whether blocks that are older than the trace have frames: then they were
 * recorded when they were allocated, and their events were lost since.
 */
static bool older_blocks_have_frames(const struct mlv_history *h)
{
	for (size_t i = 0; i < h->initial; i++) {
		if (h->allocs[i].origin == MLV_ALLOC_FINAL_BLOCK &&
		    mlv_stack_has_frame(h->allocs[i].stack))
			return true;
	}
	return false;
}

static bool traced_have_frames(const struct mlv_history *h)
{
	for (size_t i = h->initial; i < h->alloc_count; i++) {
		if (mlv_stack_has_frame(h->allocs[i].stack))
			return true;
	}
	return false;
}

/*
 * A block that is older than the trace and has no frames was made in a C++
 * thread or before recording began: nothing tells which.
 */
static bool count_stacks(struct mlv_memory_facts *f, struct mlv_sites *sites)
{
	for (size_t i = 0; i < f->history.alloc_count; i++) {
		const struct mlv_alloc *a = &f->history.allocs[i];
		uint32_t site;
		if (!mlv_site_of(sites, a->stack, &site))
			return false;
		enum mlv_site_kind kind = sites->list.data[site].kind;
		if (kind == MLV_SITE_PYTHON)
			f->with_python++;
		else if (kind == MLV_SITE_NOT_RECORDED ||
			 (kind == MLV_SITE_NO_PYTHON && a->origin == MLV_ALLOC_FINAL_BLOCK))
			f->without_stack++;
		else
			f->without_python++;
	}
	return true;
}

static void find_times(struct mlv_memory_facts *f)
{
	f->first_ns = f->last_ns = MLV_NO_TIME;
	for (size_t i = 0; i < f->history.count; i++) {
		int64_t t = f->history.events[i].time_ns;
		if (t == MLV_NO_TIME)
			continue;
		if (f->first_ns == MLV_NO_TIME)
			f->first_ns = t;
		f->last_ns = t;
	}
}

/* The failed allocations, with the sums at those moments: one pass however many there are. */
static bool find_ooms(struct mlv_memory_facts *f)
{
	const struct mlv_history *h = &f->history;
	if (!h->action_count[MLV_MEM_OOM])
		return true;
	int64_t *change = calloc(h->count + 1, sizeof(*change));
	f->ooms = calloc(h->action_count[MLV_MEM_OOM], sizeof(*f->ooms));
	if (!change || !f->ooms) {
		free(change);
		return false;
	}
	for (size_t i = 0; i < h->alloc_count; i++) {
		const struct mlv_alloc *a = &h->allocs[i];
		if (a->born != MLV_NEVER)
			change[a->born] += (int64_t)a->bytes;
		if (a->died != MLV_NEVER)
			change[a->died] -= (int64_t)a->bytes;
	}
	uint64_t requested = h->requested.start, reserved = h->reserved.start;
	uint32_t event = 0;
	for (size_t k = 0; k < h->other_count; k++) {
		const struct mlv_mem_event *e = &h->events[h->others[k]];
		reserved += (uint64_t)mlv_reserved_delta(e);
		if (e->action != MLV_MEM_OOM)
			continue;
		for (; event <= h->others[k]; event++)
			requested += (uint64_t)change[event];
		f->ooms[f->oom_count++] =
			(struct mlv_memory_oom){ h->others[k], requested, reserved };
	}
	free(change);
	return true;
}

/* A ring buffer's size is a number that somebody typed: at most two digits and zeros. */
static bool is_round(size_t n)
{
	if (n < 100)
		return false;
	while (n % 10 == 0)
		n /= 10;
	return n < 100;
}

/* Why a history does not begin with an empty allocator. */
static enum mlv_history_state why_incomplete(const struct mlv_history *h)
{
	if (h->overlaps)
		return MLV_HISTORY_OVERLAPS;
	if (h->count == 1)
		return MLV_HISTORY_ONE_EVENT;
	if (older_blocks_have_frames(h))
		return MLV_HISTORY_OLDEST_LOST;
	if (h->unseen_blocks && traced_have_frames(h))
		return MLV_HISTORY_LATE;
	if (is_round(h->count))
		return MLV_HISTORY_OLDEST_LOST_LIKELY;
	return MLV_HISTORY_LATE_OR_LOST;
}

enum mlv_history_state mlv_history_state(const struct mlv_history *h)
{
	if (h->cut)
		return MLV_HISTORY_CUT;
	if (h->count)
		return h->complete ? MLV_HISTORY_COMPLETE : why_incomplete(h);
	if (mlv_diags_have(&h->run->diags, MLV_DAMAGE))
		return MLV_HISTORY_UNREAD;
	return older_blocks_have_frames(h) ? MLV_HISTORY_FINAL_ONLY : MLV_HISTORY_OFF;
}

enum mlv_rc mlv_memory_facts_init(struct mlv_memory_facts *f, const struct mlv_run *run,
				  size_t device, struct mlv_sites *sites, struct mlv_err *err)
{
	const struct mlv_device *d = &run->devices.data[device];
	memset(f, 0, sizeof(*f));
	enum mlv_rc rc = mlv_history_init(&f->history, run, device, err);
	if (rc)
		return rc;
	f->ordinal = d->ordinal;
	f->segments = d->segments;
	f->private_pools = count_private_pools(run, d);
	find_times(f);
	if (count_streams(run, d, &f->history, &f->streams) && count_stacks(f, sites) &&
	    find_ooms(f))
		return MLV_OK;
	mlv_memory_facts_fini(f);
	return mlv_err_nomem(err);
}

void mlv_memory_facts_fini(struct mlv_memory_facts *f)
{
	mlv_history_fini(&f->history);
	free(f->ooms);
	memset(f, 0, sizeof(*f));
}
