/* SPDX-License-Identifier: MIT */
/*
 * [memory] and [OutOfMemory] instants: the allocator's events as the profiler
 * saw them, with the sums after each. They are written thread by thread and
 * not in the order of time, and end with frees of what was allocated before
 * the profiler began. Their bytes are rounded to blocks.
 */
#include "parsers/profiler/kineto.h"

#include <stdlib.h>

bool mlv_kineto_add_memory(struct kineto *k, const struct kineto_event *e)
{
	struct kineto_memory m = { .ts = e->ts,
				   .bytes = e->numbers[ARG_BYTES],
				   .allocated = -1,
				   .reserved = -1,
				   .device = -1,
				   .pid = e->pid.number,
				   .order = (uint32_t)k->memories.len,
				   .oom = e->name.i == k->out_of_memory.i };
	if (e->has & 1U << ARG_ADDRESS)
		m.address = (uint64_t)e->numbers[ARG_ADDRESS];
	if (e->has & 1U << ARG_ALLOCATED)
		m.allocated = e->numbers[ARG_ALLOCATED];
	if (e->has & 1U << ARG_RESERVED)
		m.reserved = e->numbers[ARG_RESERVED];
	/* Device type 0 is the CPU; a writer without types has only device ids. */
	bool host = (e->has & 1U << ARG_DEVICE_TYPE) && e->numbers[ARG_DEVICE_TYPE] == 0;
	if (!host && (e->has & 1U << ARG_DEVICE_ID) && e->numbers[ARG_DEVICE_ID] >= 0 &&
	    e->numbers[ARG_DEVICE_ID] < UINT32_MAX)
		m.device = e->numbers[ARG_DEVICE_ID];
	return mlv_vec_push(&k->memories, m);
}

/* Host first, then by device; in each by time, and as written at the same time. */
static int compare(const void *a, const void *b)
{
	const struct kineto_memory *x = a, *y = b;
	if (x->device != y->device)
		return x->device < y->device ? -1 : 1;
	if (x->ts != y->ts)
		return x->ts < y->ts ? -1 : 1;
	return (x->order > y->order) - (x->order < y->order);
}

static bool add_sample(struct kineto *k, mlv_trackid track, mlv_strid metric, int64_t time,
		       int64_t bytes)
{
	struct mlv_sample s = { .time_ns = time,
				.track = track,
				.metric = metric,
				.step = MLV_NO_STEP,
				.value = mlv_decimal_int(bytes, MLV_UNIT_BYTES) };
	return bytes < 0 || mlv_vec_push(&k->run->samples, s);
}

static bool add_event(struct kineto *k, const struct kineto_memory *m, struct mlv_device *d)
{
	struct mlv_mem_event e = {
		.time_ns = m->ts,
		.addr = m->address,
		.bytes = m->bytes < 0 ? 0 - (uint64_t)m->bytes : (uint64_t)m->bytes,
		.stack = MLV_STACK_NONE,
		.track = d->track,
		.note = MLV_NOTE_NONE,
		.pool = MLV_POOL_UNKNOWN,
		.action = m->oom         ? MLV_MEM_OOM
			  : m->bytes < 0 ? MLV_MEM_FREE_COMPLETED
					 : MLV_MEM_ALLOC,
	};
	d->events++;
	return mlv_vec_push(&k->run->mem_events, e);
}

/* Each row carries the total behind it. */
static uint64_t before(const struct kineto_memory *m)
{
	int64_t total;
	return m->oom || __builtin_sub_overflow(m->allocated, m->bytes, &total) || total < 0
		       ? 0
		       : (uint64_t)total;
}

/* The rows [first, last) of one device, or of the host. */
static bool add_place(struct kineto *k, size_t first, size_t last)
{
	static const struct mlv_str host_metric = MLV_STR_INIT("host allocated");
	mlv_strid allocated, reserved, host;
	int64_t device = k->memories.data[first].device;
	struct mlv_device d = { .ordinal = (uint32_t)device,
				.bytes_are = MLV_BYTES_ALLOCATED,
				.before_bytes = before(&k->memories.data[first]),
				.first_event = k->run->mem_events.len };
	if (!mlv_run_intern(k->run, MLV_STR("allocated"), &allocated) ||
	    !mlv_run_intern(k->run, MLV_STR("reserved"), &reserved) ||
	    !mlv_run_intern(k->run, host_metric, &host))
		return false;
	if (device >= 0 &&
	    !mlv_run_track(k->run, MLV_TRACK_DEVICE, MLV_TRACK_NONE, device, &d.track))
		return false;
	for (size_t i = first; i < last; i++) {
		const struct kineto_memory *m = &k->memories.data[i];
		if (device < 0) {
			if (!mlv_run_track(k->run, MLV_TRACK_HOST, MLV_TRACK_NONE, m->pid,
					   &d.track) ||
			    !add_sample(k, d.track, host, m->ts, m->allocated))
				return false;
		} else if (!add_event(k, m, &d) ||
			   !add_sample(k, d.track, allocated, m->ts, m->allocated) ||
			   !add_sample(k, d.track, reserved, m->ts, m->reserved)) {
			return false;
		}
	}
	return device < 0 || mlv_vec_push(&k->run->devices, d);
}

enum mlv_rc mlv_kineto_memory_rows(struct kineto *k, struct mlv_err *err)
{
	size_t n = k->memories.len;
	struct kineto_memory *rows = k->memories.data;
	if (!n)
		return MLV_OK;
	qsort(rows, n, sizeof(*rows), compare);
	for (size_t first = 0, last; first < n; first = last) {
		for (last = first + 1; last < n && rows[last].device == rows[first].device; last++)
			;
		if (!add_place(k, first, last))
			return mlv_err_nomem(err);
	}
	return mlv_run_property_text(k->run, "trace", "bytes", MLV_STR("rounded"))
		       ? MLV_OK
		       : mlv_err_nomem(err);
}
