/* SPDX-License-Identifier: MIT */
/* The facts of `mlviz info` in plain words. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/num.h"
#include "report/info.h"
#include "report/settings.h"
#include "report/annotations.h"
#include "report/contents.h"

static void row(struct mlv_buf *out, const char *name)
{
	mlv_buf_printf(out, "    %-14s", name);
}

/* "1 stream", "3 streams" */
static void count_of(struct mlv_buf *out, uint64_t n, const char *one, const char *many)
{
	char text[2 * MLV_NUM_SIZE];
	mlv_buf_puts(out, mlv_fmt_count_of(text, sizeof(text), n, one, many));
}

static void events_row(const struct mlv_memory_facts *d, struct mlv_buf *out)
{
	const struct mlv_history *h = &d->history;
	char a[MLV_NUM_SIZE], t[MLV_NUM_SIZE];
	row(out, "events");
	mlv_buf_puts(out, mlv_count(a, h->count));
	if (d->first_ns != MLV_NO_TIME && h->count > 1)
		mlv_buf_printf(
			out, " in %s",
			mlv_fmt_duration(t, sizeof(t), mlv_time_between(d->first_ns, d->last_ns)));
	mlv_buf_puts(out, ": ");
	count_of(out, h->action_count[MLV_MEM_ALLOC], "allocation", "allocations");
	mlv_buf_puts(out, ", ");
	count_of(
		out,
		h->action_count[h->frees_implied ? MLV_MEM_FREE_REQUESTED : MLV_MEM_FREE_COMPLETED],
		"free", "frees");
	if (h->device->bytes_are != MLV_BYTES_REQUESTED) {
		mlv_buf_putc(out, '\n');
		return;
	}
	mlv_buf_puts(out, " on ");
	count_of(out, d->streams, "stream", "streams");
	mlv_buf_puts(out, "; memory taken from the device ");
	count_of(out, h->action_count[MLV_MEM_SEGMENT_ALLOC] + h->action_count[MLV_MEM_SEGMENT_MAP],
		 "time", "times");
	mlv_buf_puts(out, ", given back ");
	count_of(out,
		 h->action_count[MLV_MEM_SEGMENT_FREE] + h->action_count[MLV_MEM_SEGMENT_UNMAP],
		 "time", "times");
	mlv_buf_putc(out, '\n');
	if (h->frees_implied) {
		row(out, "");
		mlv_buf_puts(out,
			     "free_completed was not recorded; free_requested stands for it\n");
	}
	if (h->action_count[MLV_MEM_OTHER]) {
		row(out, "");
		count_of(out, h->action_count[MLV_MEM_OTHER], "event of a kind", "events of kinds");
		mlv_buf_puts(out, " that mlviz does not know\n");
	}
}

/* What stayed the same is said once. */
static void extent_row(const char *name, const struct mlv_extent *x, bool events,
		       struct mlv_buf *out)
{
	char a[MLV_NUM_SIZE], b[MLV_NUM_SIZE];
	row(out, name);
	if (!events) {
		mlv_buf_printf(out, "%s (%" PRIu64 " bytes)\n", mlv_bytes(a, x->peak), x->peak);
		return;
	}
	mlv_buf_printf(out, "peak %s (%" PRIu64 " bytes)", mlv_bytes(a, x->peak), x->peak);
	if (x->peak_event < 0)
		mlv_buf_puts(out, " at the beginning");
	else
		mlv_buf_printf(out, " after event %s", mlv_count(b, (uint64_t)x->peak_event));
	if (x->peak_event < 0 && x->end == x->peak) {
		mlv_buf_puts(out, " and at the end\n");
		return;
	}
	if (x->start && x->peak_event >= 0)
		mlv_buf_printf(out, "; %s at the beginning", mlv_bytes(b, x->start));
	mlv_buf_printf(out, "; %s at the end\n", mlv_bytes(b, x->end));
}

enum { MOST_OOMS = 5 };

static void oom_rows(const struct mlv_memory_facts *d, struct mlv_buf *out)
{
	char a[MLV_NUM_SIZE], b[MLV_NUM_SIZE];
	for (size_t i = 0; i < d->oom_count && i < MOST_OOMS; i++) {
		const struct mlv_memory_oom *o = &d->ooms[i];
		const struct mlv_mem_event *e = &d->history.events[o->event];
		uint64_t device_free = mlv_oom_device_free(e);
		row(out, i ? "" : "out of memory");
		mlv_buf_printf(out, "at event %s: could not get %s (rounded)",
			       mlv_count(a, o->event), mlv_bytes(b, e->bytes));
		mlv_buf_printf(out, "; %s were requested and %s reserved",
			       mlv_bytes(a, o->requested), mlv_bytes(b, o->reserved));
		mlv_buf_printf(out, ", and the device reported %s free\n",
			       mlv_bytes(a, device_free));
		if (device_free / 2 > e->bytes) {
			row(out, "");
			mlv_buf_puts(out, "the device had enough: the process had a limit of its "
					  "own, most likely (set_per_process_memory_fraction)\n");
		}
	}
	if (d->oom_count > MOST_OOMS) {
		row(out, "");
		mlv_buf_printf(out, "and %s more\n", mlv_count(a, d->oom_count - MOST_OOMS));
	}
}

static void stacks_row(const struct mlv_memory_facts *d, struct mlv_buf *out)
{
	char a[MLV_NUM_SIZE];
	uint64_t all = d->history.alloc_count;
	if (!all)
		return;
	row(out, "stacks");
	if (d->without_stack == all) {
		mlv_buf_puts(out,
			     d->history.count
				     ? "none: recorded with context=None, or with an allocator "
				       "that keeps none\n"
				     : "none: they are kept while recording is on\n");
		return;
	}
	mlv_buf_printf(out, "%s of ", mlv_count(a, d->with_python));
	count_of(out, all, "allocation", "allocations");
	mlv_buf_puts(out, " with a Python frame");
	if (d->without_python)
		mlv_buf_printf(out,
			       "; %s with no Python on the stack (C++ threads, most often "
			       "autograd's backward)",
			       mlv_count(a, d->without_python));
	if (d->without_stack)
		mlv_buf_printf(out, "; %s without recorded frames", mlv_count(a, d->without_stack));
	mlv_buf_putc(out, '\n');
}

static void history_row(const struct mlv_history *h, struct mlv_buf *out)
{
	char words[400];
	row(out, "history");
	mlv_history_in_words(h, words, sizeof(words));
	mlv_buf_printf(out, "%s\n", words);
}

/* A trace or a log tells neither what the allocator keeps nor from where it was called. */
static void watched_device(const struct mlv_memory_facts *d, struct mlv_buf *out)
{
	const struct mlv_history *h = &d->history;
	events_row(d, out);
	extent_row(mlv_bytes_are_name(h->device->bytes_are), &h->requested, true, out);
	history_row(h, out);
	for (size_t i = 0; i < d->oom_count && i < MOST_OOMS; i++) {
		char event[MLV_NUM_SIZE], size[MLV_NUM_SIZE];
		row(out, i ? "" : "out of memory");
		mlv_buf_printf(out, "at event %s: could not get %s\n",
			       mlv_count(event, d->ooms[i].event),
			       mlv_bytes(size, h->events[d->ooms[i].event].bytes));
	}
}

/* Rounded up to blocks, as PyTorch counts. What a replay that is not exact says is kept silent. */
static void allocated_row(const struct mlv_memory_facts *d, const struct mlv_counters *c,
			  struct mlv_buf *out)
{
	const struct mlv_alloc_stat *s = &c->stats.allocated_bytes;
	char a[MLV_NUM_SIZE], b[MLV_NUM_SIZE];
	if (!c->known)
		return;
	row(out, "allocated");
	if (d->history.count)
		mlv_buf_printf(out, "peak %s (%" PRIu64 " bytes); %s at the end\n",
			       mlv_bytes(a, s->peak), s->peak, mlv_bytes(b, s->now));
	else
		mlv_buf_printf(out, "%s (%" PRIu64 " bytes)\n", mlv_bytes(a, s->now), s->now);
}

static void snapshot_device(const struct mlv_memory_facts *d, const struct mlv_counters *counters,
			    struct mlv_buf *out)
{
	const struct mlv_history *h = &d->history;
	char a[MLV_NUM_SIZE], b[MLV_NUM_SIZE];
	if (h->count)
		events_row(d, out);
	extent_row("requested", &h->requested, h->count > 0, out);
	allocated_row(d, counters, out);
	extent_row("reserved", &h->reserved, h->count > 0, out);
	row(out, "final state");
	count_of(out, d->segments, "segment", "segments");
	if (!h->count) {
		mlv_buf_puts(out, ", ");
		count_of(out, d->streams, "stream", "streams");
	}
	if (d->private_pools) {
		mlv_buf_puts(out, ", ");
		count_of(out, d->private_pools, "private pool", "private pools");
		mlv_buf_puts(out, " (CUDA graphs or MemPool)");
	}
	mlv_buf_putc(out, '\n');
	history_row(h, out);
	if (h->pending_peak) {
		row(out, "pending");
		mlv_buf_printf(out,
			       "up to %s at once were freed by the program and waited for a "
			       "stream; %s at the end\n",
			       mlv_bytes(a, h->pending_peak), mlv_bytes(b, h->pending_end));
	}
	oom_rows(d, out);
	stacks_row(d, out);
}

static void device_text(const struct mlv_memory_facts *d, const struct mlv_counters *counters,
			struct mlv_buf *out)
{
	const struct mlv_history *h = &d->history;
	char name[64];
	mlv_buf_printf(out, "  %s\n", mlv_device_name(h->run, h->device, name, sizeof(name)));
	if (h->device->bytes_are == MLV_BYTES_REQUESTED)
		snapshot_device(d, counters, out);
	else
		watched_device(d, out);
}

void mlv_info_text(const struct mlv_info *info, struct mlv_buf *out)
{
	char a[MLV_NUM_SIZE];
	struct mlv_str file = mlv_str_of(info->run->file);
	mlv_buf_safe(out, file);
	mlv_buf_printf(out, ": %s", info->run->title ? info->run->title : info->run->format);
	if (info->stored_bytes)
		mlv_buf_printf(out, ", %s%s%s", mlv_bytes(a, info->stored_bytes),
			       *info->stored ? " as " : "", info->stored);
	if (info->run->rank >= 0)
		mlv_buf_printf(out, ", rank %" PRId64, info->run->rank);
	mlv_buf_putc(out, '\n');
	bool snapshot = info->run->recorder == MLV_RECORDER_ALLOCATOR;
	if (snapshot && !info->device_count)
		mlv_buf_puts(out, "  no device: nothing was allocated when it was taken\n");
	for (size_t i = 0; i < info->device_count; i++)
		device_text(&info->devices[i], &info->counters[i], out);
	if (snapshot) {
		mlv_settings_text(info->run, out);
		mlv_annotations_text(&info->annotations, out);
	}
	mlv_contents_text(info->run, out);
}
