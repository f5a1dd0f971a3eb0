/* SPDX-License-Identifier: MIT */
/* The facts of `mlviz info` as JSON; docs/json.md lists the keys. */
#include <string.h>

#include "report/annotations.h"
#include "report/contents.h"
#include "report/info.h"
#include "report/settings.h"

static void diags_json(const struct mlv_diags *d, struct mlv_json *j)
{
	for (size_t i = 0; i < d->list.len; i++) {
		const struct mlv_diag *x = &d->list.data[i];
		mlv_json_object(j);
		mlv_json_key_text(j, "severity", mlv_severity_name(x->severity));
		mlv_json_key_text(j, "code", x->code);
		mlv_json_key_text(j, "text", x->text);
		if (x->device >= 0)
			mlv_json_key_int(j, "device", x->device);
		if (x->offset != MLV_NO_OFFSET)
			mlv_json_key_uint(j, "offset", x->offset);
		if (x->line)
			mlv_json_key_uint(j, "line", x->line);
		mlv_json_key_uint(j, "count", x->count);
		mlv_json_object_end(j);
	}
}

static void oom_json(const struct mlv_memory_facts *d, struct mlv_json *j)
{
	mlv_json_key_array(j, "oom");
	for (size_t i = 0; i < d->oom_count; i++) {
		const struct mlv_memory_oom *o = &d->ooms[i];
		const struct mlv_mem_event *e = &d->history.events[o->event];
		mlv_json_object(j);
		mlv_json_key_uint(j, "event", o->event);
		mlv_json_key_uint(j, "rounded_bytes", e->bytes);
		mlv_json_key_uint(j, "device_free_bytes", mlv_oom_device_free(e));
		mlv_json_key_uint(j, "total_requested_bytes", o->requested);
		mlv_json_key_uint(j, "total_reserved_bytes", o->reserved);
		mlv_json_object_end(j);
	}
	mlv_json_array_end(j);
}

/* -1 stands for "the initial state" here as everywhere. */
static void extents_json(const struct mlv_history *h, struct mlv_json *j)
{
	mlv_json_key_uint(j, "requested_start_bytes", h->requested.start);
	mlv_json_key_uint(j, "requested_peak_bytes", h->requested.peak);
	mlv_json_key_int(j, "requested_peak_event", h->requested.peak_event);
	mlv_json_key_uint(j, "requested_end_bytes", h->requested.end);
	mlv_json_key_uint(j, "reserved_start_bytes", h->reserved.start);
	mlv_json_key_uint(j, "reserved_peak_bytes", h->reserved.peak);
	mlv_json_key_int(j, "reserved_peak_event", h->reserved.peak_event);
	mlv_json_key_uint(j, "reserved_end_bytes", h->reserved.end);
}

/* What a replay counts; null where it is not exact. */
static void allocated_json(const struct mlv_counters *c, struct mlv_json *j)
{
	const struct mlv_alloc_stat *s = &c->stats.allocated_bytes;
	if (c->known) {
		mlv_json_key_uint(j, "allocated_peak_bytes", s->peak);
		mlv_json_key_uint(j, "allocated_end_bytes", s->now);
		return;
	}
	mlv_json_key(j, "allocated_peak_bytes");
	mlv_json_null(j);
	mlv_json_key(j, "allocated_end_bytes");
	mlv_json_null(j);
}

static void device_json(const struct mlv_memory_facts *d, const struct mlv_counters *counters,
			struct mlv_json *j)
{
	const struct mlv_history *h = &d->history;
	char words[400];
	mlv_json_object(j);
	mlv_json_key_uint(j, "device", d->ordinal);
	mlv_json_key_uint(j, "events", h->count);
	mlv_json_key_uint(j, "allocs", h->action_count[MLV_MEM_ALLOC]);
	mlv_json_key_uint(j, "frees",
			  h->action_count[h->frees_implied ? MLV_MEM_FREE_REQUESTED
							   : MLV_MEM_FREE_COMPLETED]);
	mlv_json_key_uint(j, "segments", d->segments);
	extents_json(h, j);
	allocated_json(counters, j);
	mlv_json_key_bool(j, "history_complete", h->complete);
	mlv_history_in_words(h, words, sizeof(words));
	mlv_json_key_text(j, "history", words);
	mlv_json_key_uint(j, "orphan_frees", h->orphan_frees);
	mlv_json_key_uint(j, "unseen_blocks", h->unseen_blocks);
	mlv_json_key_uint(j, "pending_peak_bytes", h->pending_peak);
	mlv_json_key_uint(j, "pending_end_bytes", h->pending_end);
	mlv_json_key_uint(j, "oom_events", h->action_count[MLV_MEM_OOM]);
	oom_json(d, j);
	mlv_json_key_uint(j, "streams", d->streams);
	mlv_json_key_uint(j, "private_pools", d->private_pools);
	mlv_json_key_object(j, "actions");
	for (int a = 0; a < MLV_MEM_ACTIONS; a++) {
		if (h->action_count[a])
			mlv_json_key_uint(j, mlv_mem_action_name((enum mlv_mem_action)a),
					  h->action_count[a]);
	}
	mlv_json_object_end(j);
	mlv_json_key_object(j, "stacks");
	mlv_json_key_uint(j, "with_python", d->with_python);
	mlv_json_key_uint(j, "without_python", d->without_python);
	mlv_json_key_uint(j, "not_recorded", d->without_stack);
	mlv_json_object_end(j);
	mlv_json_key(j, "first_time_us");
	if (d->first_ns == MLV_NO_TIME)
		mlv_json_null(j);
	else
		mlv_json_int(j, d->first_ns / 1000);
	mlv_json_key(j, "last_time_us");
	if (d->last_ns == MLV_NO_TIME)
		mlv_json_null(j);
	else
		mlv_json_int(j, d->last_ns / 1000);
	mlv_json_object_end(j);
}

void mlv_info_json(const struct mlv_info *info, struct mlv_json *j)
{
	mlv_json_object(j);
	mlv_json_key_text(j, "file", info->run->file);
	mlv_json_key_text(j, "format", info->run->format);
	mlv_json_key(j, "compression");
	if (*info->stored)
		mlv_json_text(j, info->stored);
	else
		mlv_json_null(j);
	mlv_json_key(j, "stored_bytes");
	if (info->stored_bytes)
		mlv_json_uint(j, info->stored_bytes);
	else
		mlv_json_null(j);
	mlv_json_key(j, "rank");
	if (info->run->rank < 0)
		mlv_json_null(j);
	else
		mlv_json_int(j, info->run->rank);
	mlv_json_key_array(j, "diagnostics");
	diags_json(&info->run->diags, j);
	diags_json(&info->checks, j);
	mlv_json_array_end(j);
	mlv_json_key_array(j, "devices");
	for (size_t i = 0; i < info->device_count; i++)
		device_json(&info->devices[i], &info->counters[i], j);
	mlv_json_array_end(j);
	mlv_settings_json(info->run, j);
	mlv_annotations_json(&info->annotations, j);
	/* An allocator has nothing in the tables of other reports. */
	if (info->run->recorder != MLV_RECORDER_ALLOCATOR)
		mlv_contents_json(info->run, j);
	mlv_json_object_end(j);
}
