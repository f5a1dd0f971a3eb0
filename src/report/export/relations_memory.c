/* SPDX-License-Identifier: MIT */
/* Tables of memory: devices with their sums, events, allocations with their lives, the final heap.
 */
#include <inttypes.h>

#include "report/export/relation_row.h"

static size_t devices(const struct mlv_relation_source *s)
{
	return s->run->devices.len;
}

static void put_extent(struct mlv_relation_row *r, const struct mlv_extent *e)
{
	mlv_row_uint(r, e->start);
	mlv_row_uint(r, e->peak);
	mlv_row_int(r, e->peak_event);
	mlv_row_uint(r, e->end);
}

static bool device_row(struct mlv_relation_source *s, size_t i, struct mlv_relation_row *r)
{
	const struct mlv_device *d = &s->run->devices.data[i];
	const struct mlv_history *h = &s->histories[i];
	char name[120];
	mlv_row_int(r, d->ordinal);
	mlv_buf_puts(mlv_row_make(r, 0), mlv_device_name(s->run, d, name, sizeof(name)));
	mlv_row_made(r, 0);
	mlv_row_track(r, d->track);
	mlv_row_text(r, mlv_bytes_are_name(d->bytes_are));
	mlv_row_uint(r, d->events);
	mlv_row_uint(r, h->alloc_count);
	put_extent(r, &h->requested);
	put_extent(r, &h->reserved);
	mlv_row_int(r, h->complete);
	return true;
}

const struct mlv_relation mlv_relation_devices = {
	"devices",
	MLV_RELATION_COLUMNS({ "device", "INTEGER" }, { "name", "TEXT" }, { "track", "INTEGER" },
			     { "bytes_are", "TEXT" }, { "events", "INTEGER" },
			     { "allocations", "INTEGER" }, { "start_bytes", "INTEGER" },
			     { "peak_bytes", "INTEGER" }, { "peak_event", "INTEGER" },
			     { "end_bytes", "INTEGER" }, { "reserved_start_bytes", "INTEGER" },
			     { "reserved_peak_bytes", "INTEGER" },
			     { "reserved_peak_event", "INTEGER" },
			     { "reserved_end_bytes", "INTEGER" }, { "complete", "INTEGER" }),
	devices, device_row
};

/* Row i of all devices, which are asked for in order: of which device, and as row of that. */
static size_t device_at(struct mlv_relation_source *s, size_t *i,
			size_t (*rows)(const struct mlv_relation_source *s, size_t device))
{
	for (size_t n; *i - s->device_base >= (n = rows(s, s->device)); s->device++)
		s->device_base += n;
	*i -= s->device_base;
	return s->device;
}

static size_t all(const struct mlv_relation_source *s,
		  size_t (*rows)(const struct mlv_relation_source *s, size_t device))
{
	size_t n = 0;
	for (size_t d = 0; d < s->run->devices.len; d++)
		n += rows(s, d);
	return n;
}

static size_t device_events(const struct mlv_relation_source *s, size_t device)
{
	return s->run->devices.data[device].events;
}

static size_t events(const struct mlv_relation_source *s)
{
	return all(s, device_events);
}

static void put_pool(struct mlv_relation_row *r, uint16_t pool)
{
	mlv_row_int_unless(r, pool, MLV_POOL_UNKNOWN);
}

static bool event_row(struct mlv_relation_source *s, size_t i, struct mlv_relation_row *r)
{
	size_t d = device_at(s, &i, device_events);
	const struct mlv_mem_event *e = &s->histories[d].events[i];
	const struct mlv_note *note = &s->run->notes.data[e->note.i];
	bool oom = e->action == MLV_MEM_OOM, other = e->action == MLV_MEM_OTHER;
	mlv_row_int(r, s->run->devices.data[d].ordinal);
	mlv_row_uint(r, i);
	mlv_row_int_unless(r, e->time_ns, MLV_NO_TIME);
	if (other && note->action.i)
		mlv_row_str(r, mlv_run_str(s->run, note->action));
	else
		mlv_row_text(r, mlv_mem_action_name((enum mlv_mem_action)e->action));
	if (oom)
		mlv_row_none(r);
	else
		mlv_row_uint(r, e->addr);
	mlv_row_uint(r, e->bytes);
	if (oom)
		mlv_row_uint(r, mlv_oom_device_free(e));
	else
		mlv_row_none(r);
	mlv_row_track(r, e->track);
	put_pool(r, e->pool);
	mlv_row_stack(r, e->stack);
	mlv_row_name(r, s->run, note->compile_context);
	mlv_row_name(r, s->run, note->user_metadata);
	return true;
}

const struct mlv_relation mlv_relation_events = {
	"events",
	MLV_RELATION_COLUMNS(
		{ "device", "INTEGER" }, { "event", "INTEGER" }, { "time_ns", "INTEGER" },
		{ "action", "TEXT" }, { "address", "INTEGER" }, { "bytes", "INTEGER" },
		{ "device_free_bytes", "INTEGER" }, { "track", "INTEGER" }, { "pool", "INTEGER" },
		{ "stack", "INTEGER" }, { "compile_context", "TEXT" }, { "user_metadata", "TEXT" }),
	events, event_row
};

static size_t device_allocations(const struct mlv_relation_source *s, size_t device)
{
	return s->histories[device].alloc_count;
}

static size_t allocations(const struct mlv_relation_source *s)
{
	return all(s, device_allocations);
}

static void put_time(struct mlv_relation_row *r, const struct mlv_history *h, uint32_t event)
{
	if (event == MLV_NEVER || h->events[event].time_ns == MLV_NO_TIME)
		mlv_row_none(r);
	else
		mlv_row_int(r, h->events[event].time_ns);
}

static bool allocation_row(struct mlv_relation_source *s, size_t i, struct mlv_relation_row *r)
{
	static const char *const origins[] = {
		[MLV_ALLOC_TRACED] = "allocated in the recording",
		[MLV_ALLOC_ORPHAN_FREE] = "known by its free",
		[MLV_ALLOC_FINAL_BLOCK] = "known by its final block",
		[MLV_ALLOC_COUNTED] = "counted before the recording",
	};
	size_t d = device_at(s, &i, device_allocations);
	const struct mlv_history *h = &s->histories[d];
	const struct mlv_alloc *a = &h->allocs[i];
	mlv_row_int(r, s->run->devices.data[d].ordinal);
	mlv_row_uint(r, i);
	mlv_row_uint(r, a->addr);
	mlv_row_uint(r, a->bytes);
	mlv_row_int_unless(r, a->born, MLV_NEVER);
	mlv_row_int_unless(r, a->free_requested, MLV_NEVER);
	mlv_row_int_unless(r, a->died, MLV_NEVER);
	put_time(r, h, a->born);
	put_time(r, h, a->died);
	mlv_row_track(r, a->track);
	put_pool(r, a->pool);
	mlv_row_stack(r, a->stack);
	mlv_row_text(r, origins[a->origin]);
	return true;
}

const struct mlv_relation mlv_relation_allocations = {
	"allocations",
	MLV_RELATION_COLUMNS({ "device", "INTEGER" }, { "allocation", "INTEGER" },
			     { "address", "INTEGER" }, { "bytes", "INTEGER" },
			     { "born_event", "INTEGER" }, { "free_requested_event", "INTEGER" },
			     { "died_event", "INTEGER" }, { "born_ns", "INTEGER" },
			     { "died_ns", "INTEGER" }, { "track", "INTEGER" },
			     { "pool", "INTEGER" }, { "stack", "INTEGER" }, { "origin", "TEXT" }),
	allocations, allocation_row
};

static size_t segments(const struct mlv_relation_source *s)
{
	return s->run->segments.len;
}

static bool segment_row(struct mlv_relation_source *s, size_t i, struct mlv_relation_row *r)
{
	const struct mlv_segment *g = &s->run->segments.data[i];
	const struct mlv_track *on = mlv_run_device_of(s->run, g->track);
	mlv_row_uint(r, i);
	if (on)
		mlv_row_int(r, on->number);
	else
		mlv_row_none(r);
	mlv_row_uint(r, g->addr);
	mlv_row_uint(r, g->bytes);
	mlv_row_uint(r, g->allocated_bytes);
	mlv_row_uint(r, g->active_bytes);
	mlv_row_uint(r, g->requested_bytes);
	mlv_row_track(r, g->track);
	put_pool(r, g->pool);
	mlv_row_int(r, g->small);
	mlv_row_int(r, g->expandable);
	mlv_row_stack(r, g->stack);
	return true;
}

const struct mlv_relation mlv_relation_segments = {
	"segments",
	MLV_RELATION_COLUMNS({ "segment", "INTEGER" }, { "device", "INTEGER" },
			     { "address", "INTEGER" }, { "bytes", "INTEGER" },
			     { "allocated_bytes", "INTEGER" }, { "active_bytes", "INTEGER" },
			     { "requested_bytes", "INTEGER" }, { "track", "INTEGER" },
			     { "pool", "INTEGER" }, { "small", "INTEGER" },
			     { "expandable", "INTEGER" }, { "stack", "INTEGER" }),
	segments, segment_row
};

static size_t blocks(const struct mlv_relation_source *s)
{
	return s->run->blocks.len;
}

static bool block_row(struct mlv_relation_source *s, size_t i, struct mlv_relation_row *r)
{
	const struct mlv_block *b = &s->run->blocks.data[i];
	mlv_row_uint(r, i);
	mlv_row_uint(r, s->segment_of[i]);
	mlv_row_uint(r, b->addr);
	mlv_row_uint(r, b->bytes);
	mlv_row_uint(r, b->requested);
	mlv_row_text(r, mlv_block_state_name((enum mlv_block_state)b->state));
	mlv_row_stack(r, b->stack);
	return true;
}

const struct mlv_relation mlv_relation_blocks = {
	"blocks",
	MLV_RELATION_COLUMNS({ "block", "INTEGER" }, { "segment", "INTEGER" },
			     { "address", "INTEGER" }, { "bytes", "INTEGER" },
			     { "requested_bytes", "INTEGER" }, { "state", "TEXT" },
			     { "stack", "INTEGER" }),
	blocks, block_row
};

static size_t pools(const struct mlv_relation_source *s)
{
	return s->run->pools.len;
}

static bool pool_row(struct mlv_relation_source *s, size_t i, struct mlv_relation_row *r)
{
	mlv_row_uint(r, i);
	mlv_row_int(r, s->run->pools.data[i].owner);
	mlv_row_int(r, s->run->pools.data[i].id);
	return true;
}

const struct mlv_relation mlv_relation_pools = {
	"pools",
	MLV_RELATION_COLUMNS({ "pool", "INTEGER" }, { "owner", "INTEGER" }, { "id", "INTEGER" }),
	pools, pool_row
};
