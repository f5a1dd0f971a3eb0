/* SPDX-License-Identifier: MIT */
#include "report/info.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/consistency.h"
#include "base/num.h"

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
static bool count_stacks(struct mlv_info_device *dev, struct mlv_sites *sites)
{
	for (size_t i = 0; i < dev->history.alloc_count; i++) {
		const struct mlv_alloc *a = &dev->history.allocs[i];
		uint32_t site;
		if (!mlv_site_of(sites, a->stack, &site))
			return false;
		enum mlv_site_kind kind = sites->list.data[site].kind;
		if (kind == MLV_SITE_PYTHON)
			dev->with_python++;
		else if (kind == MLV_SITE_NOT_RECORDED ||
			 (kind == MLV_SITE_NO_PYTHON && a->origin == MLV_ALLOC_FINAL_BLOCK))
			dev->without_stack++;
		else
			dev->without_python++;
	}
	return true;
}

static void find_times(struct mlv_info_device *dev)
{
	dev->first_ns = dev->last_ns = MLV_NO_TIME;
	for (size_t i = 0; i < dev->history.count; i++) {
		int64_t t = dev->history.events[i].time_ns;
		if (t == MLV_NO_TIME)
			continue;
		if (dev->first_ns == MLV_NO_TIME)
			dev->first_ns = t;
		dev->last_ns = t;
	}
}

/* The failed allocations, with the sums at those moments: one pass however many there are. */
static bool find_ooms(struct mlv_info_device *dev)
{
	const struct mlv_history *h = &dev->history;
	if (!h->action_count[MLV_MEM_OOM])
		return true;
	int64_t *change = calloc(h->count + 1, sizeof(*change));
	dev->ooms = calloc(h->action_count[MLV_MEM_OOM], sizeof(*dev->ooms));
	if (!change || !dev->ooms) {
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
		dev->ooms[dev->oom_count++] =
			(struct mlv_info_oom){ h->others[k], requested, reserved };
	}
	free(change);
	return true;
}

static enum mlv_rc init_device(struct mlv_info *info, size_t index, struct mlv_sites *sites,
			       struct mlv_err *err)
{
	const struct mlv_run *run = info->run;
	const struct mlv_device *d = &run->devices.data[index];
	struct mlv_info_device *dev = &info->devices[info->device_count];
	enum mlv_rc rc = mlv_history_init(&dev->history, run, index, err);
	if (rc)
		return rc;
	info->device_count++;
	dev->ordinal = d->ordinal;
	dev->segments = d->segments;
	dev->private_pools = count_private_pools(run, d);
	find_times(dev);
	if (!count_streams(run, d, &dev->history, &dev->streams) || !count_stacks(dev, sites) ||
	    !find_ooms(dev))
		return mlv_err_nomem(err);
	return mlv_check_device(&dev->history, index, &info->checks, err);
}

enum mlv_rc mlv_info_init(struct mlv_info *info, const struct mlv_run *run, int64_t device,
			  struct mlv_err *err)
{
	*info = (struct mlv_info){ .run = run, .stored = "" };
	info->devices = calloc(run->devices.len + 1, sizeof(*info->devices));
	struct mlv_sites sites;
	enum mlv_rc rc = mlv_sites_init(&sites, run, NULL, 0, err);
	if (!rc && !info->devices)
		rc = mlv_err_nomem(err);
	mlv_trackid only = MLV_TRACK_NONE;
	for (size_t i = 0; !rc && i < run->devices.len; i++) {
		if (device >= 0 && run->devices.data[i].ordinal != device)
			continue;
		if (device >= 0)
			only = run->devices.data[i].track;
		rc = init_device(info, i, &sites, err);
	}
	mlv_sites_fini(&sites);
	if (!rc && device >= 0 && !info->device_count)
		rc = mlv_no_device(run, device, err);
	if (!rc)
		rc = mlv_annotations_init(&info->annotations, run, only, err);
	if (rc)
		mlv_info_fini(info);
	return rc;
}

enum mlv_rc mlv_no_device(const struct mlv_run *run, int64_t device, struct mlv_err *err)
{
	char list[80] = "";
	size_t n = 0;
	for (size_t i = 0; i < run->devices.len && n + 12 < sizeof(list); i++)
		n += (size_t)snprintf(list + n, sizeof(list) - n, "%s%" PRIu32, i ? ", " : "",
				      run->devices.data[i].ordinal);
	return mlv_err_set(err, MLV_E_USAGE, "there is no device %" PRId64 " in it, only %s",
			   device, n ? list : "none");
}

void mlv_info_fini(struct mlv_info *info)
{
	for (size_t i = 0; i < info->device_count; i++) {
		mlv_history_fini(&info->devices[i].history);
		free(info->devices[i].ooms);
	}
	free(info->devices);
	mlv_annotations_fini(&info->annotations);
	mlv_diags_fini(&info->checks);
	*info = (struct mlv_info){ 0 };
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

static const char *why_incomplete(const struct mlv_history *h)
{
	if (h->count == 1)
		return "it holds one event only, as with enabled=\"state\" or after recording was "
		       "stopped";
	if (older_blocks_have_frames(h))
		return "its oldest events were lost: max_entries was reached, or recording was "
		       "restarted";
	if (h->unseen_blocks && traced_have_frames(h))
		return "recording began after the program had allocated";
	if (is_round(h->count))
		return "its oldest events were lost, it seems: max_entries was reached";
	return "recording began after the program had allocated, or max_entries was reached";
}

static void incomplete_in_words(const struct mlv_history *h, char *buf, size_t size)
{
	if (h->overlaps) {
		snprintf(buf, size,
			 "contradicts itself: it allocates what it has not freed, so it is no one "
			 "process's history");
		return;
	}
	char freed[2 * MLV_NUM_SIZE], blocks[2 * MLV_NUM_SIZE];
	mlv_fmt_count_of(freed, sizeof(freed), h->orphan_frees, "allocation", "allocations");
	mlv_fmt_count_of(blocks, sizeof(blocks), h->unseen_blocks, "block", "blocks");
	int n = snprintf(buf, size, "incomplete: %s", why_incomplete(h));
	if (n < 0 || (size_t)n >= size)
		return;
	buf += n;
	size -= (size_t)n;
	if (h->orphan_frees && h->unseen_blocks)
		snprintf(buf, size,
			 "; in use before its first event: %s freed later, %s still there at the "
			 "end",
			 freed, blocks);
	else if (h->orphan_frees)
		snprintf(buf, size, "; in use before its first event: %s freed later", freed);
	else if (h->unseen_blocks)
		snprintf(buf, size, "; in use before its first event: %s still there at the end",
			 blocks);
	else
		snprintf(buf, size,
			 "; memory was reserved before its first event, none of it in use");
}

void mlv_history_in_words(const struct mlv_history *h, char *buf, size_t size)
{
	if (h->cut)
		snprintf(buf, size,
			 "cut short: the file ends within it; what came later, and what was in use "
			 "before it and never freed, is not known");
	else if (h->count == 0 && mlv_diags_have(&h->run->diags, MLV_DAMAGE))
		snprintf(buf, size,
			 "none was read: the file is damaged, and what could be read of it is the "
			 "final state only");
	else if (h->count == 0 && older_blocks_have_frames(h))
		snprintf(buf, size, "none: the file holds the final state only");
	else if (h->count == 0)
		snprintf(buf, size,
			 "none: recording was off, so only the final state is known "
			 "(torch.cuda.memory._record_memory_history() turns it on)");
	else if (h->complete)
		snprintf(buf, size, "complete: it begins with an empty allocator");
	else
		incomplete_in_words(h, buf, size);
}
