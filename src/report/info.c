/* SPDX-License-Identifier: MIT */
#include "report/info.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/consistency.h"
#include "base/num.h"

static enum mlv_rc init_device(struct mlv_info *info, size_t index, struct mlv_sites *sites,
			       struct mlv_err *err)
{
	struct mlv_memory_facts *facts = &info->devices[info->device_count];
	enum mlv_rc rc = mlv_memory_facts_init(facts, info->run, index, sites, err);
	if (rc)
		return rc;
	rc = mlv_counters_of(&info->counters[info->device_count++], &facts->history, err);
	return rc ? rc : mlv_check_device(&facts->history, index, &info->checks, err);
}

enum mlv_rc mlv_info_init(struct mlv_info *info, const struct mlv_run *run, int64_t device,
			  struct mlv_err *err)
{
	*info = (struct mlv_info){ .run = run, .stored = "" };
	info->devices = calloc(run->devices.len + 1, sizeof(*info->devices));
	info->counters = calloc(run->devices.len + 1, sizeof(*info->counters));
	struct mlv_sites sites;
	enum mlv_rc rc = mlv_sites_init(&sites, run, NULL, 0, err);
	if (!rc && !(info->devices && info->counters))
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
		mlv_memory_facts_fini(&info->devices[i]);
	}
	free(info->devices);
	free(info->counters);
	mlv_annotations_fini(&info->annotations);
	mlv_diags_fini(&info->checks);
	*info = (struct mlv_info){ 0 };
}

static const char *state_in_words(enum mlv_history_state state)
{
	switch (state) {
	case MLV_HISTORY_COMPLETE:
		return "complete: it begins with an empty allocator";
	case MLV_HISTORY_CUT:
		return "cut short: the file ends within it; what came later, and what was in use "
		       "before it and never freed, is not known";
	case MLV_HISTORY_UNREAD:
		return "none was read: the file is damaged, and what could be read of it is the "
		       "final state only";
	case MLV_HISTORY_FINAL_ONLY:
		return "none: the file holds the final state only";
	case MLV_HISTORY_OFF:
		return "none: recording was off, so only the final state is known "
		       "(torch.cuda.memory._record_memory_history() turns it on)";
	case MLV_HISTORY_OVERLAPS:
		return "contradicts itself: it allocates what it has not freed, so it is no one "
		       "process's history";
	case MLV_HISTORY_ONE_EVENT:
		return "incomplete: it holds one event only, as with enabled=\"state\" or after "
		       "recording was stopped";
	case MLV_HISTORY_OLDEST_LOST:
		return "incomplete: its oldest events were lost: max_entries was reached, or "
		       "recording was restarted";
	case MLV_HISTORY_LATE:
		return "incomplete: recording began after the program had allocated";
	case MLV_HISTORY_OLDEST_LOST_LIKELY:
		return "incomplete: its oldest events were lost, it seems: max_entries was "
		       "reached";
	case MLV_HISTORY_LATE_OR_LOST:
		break;
	}
	return "incomplete: recording began after the program had allocated, or max_entries was "
	       "reached";
}

/* Of a trace or a log: it tells what was given and taken, and no more. */
static void watched_in_words(const struct mlv_history *h, char *buf, size_t size)
{
	char freed[2 * MLV_NUM_SIZE];
	if (h->counted_before)
		snprintf(buf, size,
			 "incomplete: %s that were there before it began are known by "
			 "the recorder's counter only",
			 mlv_fmt_bytes(freed, sizeof(freed), h->counted_before));
	else if (!h->orphan_frees)
		snprintf(buf, size,
			 "complete as far as it tells: all that is freed in it was "
			 "allocated in it");
	else
		snprintf(buf, size, "incomplete: %s in it were made before it began",
			 mlv_fmt_count_of(freed, sizeof(freed), h->orphan_frees,
					  "allocation that is freed",
					  "allocations that are freed"));
}

void mlv_history_in_words(const struct mlv_history *h, char *buf, size_t size)
{
	if (h->device->bytes_are != MLV_BYTES_REQUESTED) {
		watched_in_words(h, buf, size);
		return;
	}
	char freed[2 * MLV_NUM_SIZE], blocks[2 * MLV_NUM_SIZE];
	enum mlv_history_state state = mlv_history_state(h);
	int n = snprintf(buf, size, "%s", state_in_words(state));
	if (state < MLV_HISTORY_ONE_EVENT || n < 0 || (size_t)n >= size)
		return;
	mlv_fmt_count_of(freed, sizeof(freed), h->orphan_frees, "allocation", "allocations");
	mlv_fmt_count_of(blocks, sizeof(blocks), h->unseen_blocks, "block", "blocks");
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
