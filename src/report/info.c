/* SPDX-License-Identifier: MIT */
#include "report/info.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/consistency.h"
#include "base/num.h"

/* Number of distinct tracks, counted with a byte for each track of the run. */
static size_t count_streams(const struct mlv_run *run, const struct mlv_device *d,
			    const struct mlv_history *h)
{
	uint8_t *seen = calloc(run->tracks.len + 1, 1);
	size_t n = 0;
	if (!seen)
		return 0;
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
	return n;
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

static bool count_stacks(struct mlv_info_device *dev, struct mlv_sites *sites)
{
	for (size_t i = 0; i < dev->history.alloc_count; i++) {
		mlv_stackid stack = dev->history.allocs[i].stack;
		uint32_t site;
		if (!mlv_site_of(sites, stack, &site))
			return false;
		enum mlv_site_kind kind = sites->list.data[site].kind;
		if (kind == MLV_SITE_PYTHON)
			dev->with_python++;
		else if (kind == MLV_SITE_NOT_RECORDED)
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
	dev->streams = count_streams(run, d, &dev->history);
	dev->private_pools = count_private_pools(run, d);
	find_times(dev);
	if (!count_stacks(dev, sites))
		return mlv_err_nomem(err);
	return mlv_check_history(&dev->history, index, &info->checks, err);
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
	mlv_check_heap(run, &info->checks);
	bool found = device < 0;
	for (size_t i = 0; !rc && i < run->devices.len; i++) {
		if (device >= 0 && run->devices.data[i].ordinal != device)
			continue;
		found = true;
		rc = init_device(info, i, &sites, err);
	}
	mlv_sites_fini(&sites);
	if (!rc && !found)
		rc = mlv_err_set(err, MLV_E_USAGE, "nothing of device %" PRId64 " in it", device);
	if (rc)
		mlv_info_fini(info);
	return rc;
}

void mlv_info_fini(struct mlv_info *info)
{
	for (size_t i = 0; i < info->device_count; i++)
		mlv_history_fini(&info->devices[i].history);
	free(info->devices);
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

void mlv_history_in_words(const struct mlv_history *h, char *buf, size_t size)
{
	char events[MLV_NUM_SIZE], blocks[MLV_NUM_SIZE], frees[MLV_NUM_SIZE];
	mlv_fmt_count(events, sizeof(events), h->count);
	mlv_fmt_count(blocks, sizeof(blocks), h->unseen_blocks);
	mlv_fmt_count(frees, sizeof(frees), h->orphan_frees);
	if (h->count == 0) {
		snprintf(buf, size,
			 "none: recording was off, so only the final state is known "
			 "(torch.cuda.memory._record_memory_history() turns it on)");
		return;
	}
	if (h->complete) {
		snprintf(buf, size, "complete: it begins with an empty allocator");
		return;
	}
	const char *why;
	if (h->count == 1)
		why = "one event only, as with enabled=\"state\" or after recording was stopped";
	else if (is_round(h->count))
		why = "the ring buffer (max_entries) was full and its oldest events were lost";
	else if (h->orphan_frees)
		why = "recording began after the program had allocated, or the ring buffer "
		      "overflowed";
	else
		why = "recording began after the program had allocated";
	snprintf(buf, size,
		 "incomplete: %s; it reaches back %s events, before which stand %s frees of "
		 "allocations it never saw and %s blocks still in use",
		 why, events, frees, blocks);
}
