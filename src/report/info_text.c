/* SPDX-License-Identifier: MIT */
/* The facts of `mlviz info` in plain words. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/num.h"
#include "report/info.h"
#include "report/settings.h"
#include "report/annotations.h"

static void row(struct mlv_buf *out, const char *name)
{
	mlv_buf_printf(out, "    %-14s", name);
}

static const char *bytes(char *buf, uint64_t n)
{
	return mlv_fmt_bytes(buf, MLV_NUM_SIZE, n);
}

static const char *count(char *buf, uint64_t n)
{
	return mlv_fmt_count(buf, MLV_NUM_SIZE, n);
}

static void events_row(const struct mlv_info_device *d, struct mlv_buf *out)
{
	const struct mlv_history *h = &d->history;
	char a[MLV_NUM_SIZE], b[MLV_NUM_SIZE], c[MLV_NUM_SIZE], t[MLV_NUM_SIZE];
	uint64_t frees =
		h->action_count[h->frees_implied ? MLV_MEM_FREE_REQUESTED : MLV_MEM_FREE_COMPLETED];
	row(out, "events");
	mlv_buf_printf(out, "%s", count(a, h->count));
	if (d->first_ns != MLV_NO_TIME)
		mlv_buf_printf(
			out, " in %s",
			mlv_fmt_duration(t, sizeof(t), mlv_time_between(d->first_ns, d->last_ns)));
	mlv_buf_printf(out, ": %s allocations, %s frees", count(b, h->action_count[MLV_MEM_ALLOC]),
		       count(c, frees));
	uint64_t taken =
		h->action_count[MLV_MEM_SEGMENT_ALLOC] + h->action_count[MLV_MEM_SEGMENT_MAP];
	uint64_t given =
		h->action_count[MLV_MEM_SEGMENT_FREE] + h->action_count[MLV_MEM_SEGMENT_UNMAP];
	mlv_buf_printf(out, "; memory taken from the device %s times, given back %s times\n",
		       count(a, taken), count(b, given));
	if (h->frees_implied) {
		row(out, "");
		mlv_buf_puts(out,
			     "free_completed was not recorded; free_requested stands for it\n");
	}
	if (h->action_count[MLV_MEM_OTHER]) {
		row(out, "");
		mlv_buf_printf(out, "%s events of kinds that mlviz does not know\n",
			       count(a, h->action_count[MLV_MEM_OTHER]));
	}
}

static void extent_row(const char *name, const struct mlv_extent *x, struct mlv_buf *out)
{
	char a[MLV_NUM_SIZE], b[MLV_NUM_SIZE], c[MLV_NUM_SIZE];
	row(out, name);
	mlv_buf_printf(out, "peak %s (%" PRIu64 " bytes)", bytes(a, x->peak), x->peak);
	if (x->peak_event < 0)
		mlv_buf_puts(out, " at the beginning");
	else
		mlv_buf_printf(out, " after event %s", count(b, (uint64_t)x->peak_event));
	if (x->start)
		mlv_buf_printf(out, "; %s at the beginning", bytes(b, x->start));
	mlv_buf_printf(out, "; %s at the end\n", bytes(c, x->end));
}

static void oom_rows(const struct mlv_info_device *d, struct mlv_buf *out)
{
	const struct mlv_history *h = &d->history;
	unsigned shown = 0;
	char a[MLV_NUM_SIZE], b[MLV_NUM_SIZE], c[MLV_NUM_SIZE];
	for (size_t k = 0; k < h->other_count && shown < 5; k++) {
		uint32_t i = h->others[k];
		const struct mlv_mem_event *e = &h->events[i];
		if (e->action != MLV_MEM_OOM)
			continue;
		row(out, shown++ ? "" : "out of memory");
		mlv_buf_printf(out,
			       "at event %s: a request of %s failed while the device reported %s "
			       "free\n",
			       count(a, i), bytes(b, e->bytes), bytes(c, e->addr));
	}
	if (h->action_count[MLV_MEM_OOM] > shown) {
		row(out, "");
		mlv_buf_printf(out, "and %s more\n",
			       count(a, h->action_count[MLV_MEM_OOM] - shown));
	}
}

static void stacks_row(const struct mlv_info_device *d, struct mlv_buf *out)
{
	char a[MLV_NUM_SIZE], b[MLV_NUM_SIZE];
	uint64_t all = d->history.alloc_count;
	if (!all)
		return;
	row(out, "stacks");
	if (d->without_stack == all) {
		mlv_buf_puts(out, "none: recorded with context=None, or with an allocator that "
				  "keeps none\n");
		return;
	}
	mlv_buf_printf(out, "%s of %s allocations have a Python frame", count(a, d->with_python),
		       count(b, all));
	if (d->without_python)
		mlv_buf_printf(out,
			       "; %s were made with no Python on the stack (C++ threads, most "
			       "often autograd's backward)",
			       count(a, d->without_python));
	if (d->without_stack)
		mlv_buf_printf(out, "; %s have no stack recorded", count(a, d->without_stack));
	mlv_buf_putc(out, '\n');
}

static void device_text(const struct mlv_info_device *d, struct mlv_buf *out)
{
	const struct mlv_history *h = &d->history;
	char a[MLV_NUM_SIZE], b[MLV_NUM_SIZE], words[400];
	mlv_buf_printf(out, "  device %" PRIu32 "\n", d->ordinal);
	if (h->count)
		events_row(d, out);
	extent_row("requested", &h->requested, out);
	extent_row("reserved", &h->reserved, out);
	row(out, "final state");
	mlv_buf_printf(out, "%s segments, %s streams", count(a, d->segments), count(b, d->streams));
	if (d->private_pools)
		mlv_buf_printf(out, ", %s private pools (CUDA graphs or MemPool)",
			       count(a, d->private_pools));
	mlv_buf_putc(out, '\n');
	row(out, "history");
	mlv_history_in_words(h, words, sizeof(words));
	mlv_buf_printf(out, "%s\n", words);
	if (h->pending_peak) {
		row(out, "pending");
		mlv_buf_printf(out,
			       "up to %s at once were freed by the program and waited for a "
			       "stream; %s at the end\n",
			       bytes(a, h->pending_peak), bytes(b, h->pending_end));
	}
	oom_rows(d, out);
	stacks_row(d, out);
}

void mlv_info_text(const struct mlv_info *info, struct mlv_buf *out)
{
	char a[MLV_NUM_SIZE];
	struct mlv_str file = { info->run->file, strlen(info->run->file) };
	mlv_buf_safe(out, file);
	mlv_buf_printf(out, ": PyTorch memory snapshot");
	if (info->stored_bytes)
		mlv_buf_printf(out, ", %s%s%s", bytes(a, info->stored_bytes),
			       *info->stored ? " as " : "", info->stored);
	mlv_buf_putc(out, '\n');
	if (!info->device_count)
		mlv_buf_puts(out, "  no device: nothing was allocated when it was taken\n");
	for (size_t i = 0; i < info->device_count; i++)
		device_text(&info->devices[i], out);
	mlv_settings_text(info->run, out);
	mlv_annotations_text(info->run, out);
}
