/* SPDX-License-Identifier: MIT */
#include "replay/recorded_device.h"

static const struct mlv_mem_event *next(const struct mlv_recorded_device *d)
{
	return d->at < d->pending.len ? &d->result->history->events[d->pending.data[d->at]] : NULL;
}

void mlv_recorded_differ(struct mlv_recorded_device *d, struct mlv_difference what)
{
	if (d->result->different)
		return;
	what.event = d->event;
	what.bytes = d->bytes;
	what.stream = d->stream;
	what.pool = d->pool;
	d->result->different = true;
	d->result->first = what;
}

/* Compare what the model does with the next recorded event, and go past that. */
static bool same(struct mlv_recorded_device *d, enum mlv_mem_action action, uint64_t addr,
		 uint64_t bytes)
{
	const struct mlv_mem_event *e = next(d);
	struct mlv_difference what = { .kind = MLV_DIFFERENT_SEGMENT,
				       .recorded_action = MLV_MEM_ACTIONS,
				       .model_action = (uint8_t)action,
				       .model_addr = addr,
				       .model_bytes = bytes };
	if (e) {
		what.recorded_action = e->action;
		what.recorded_addr = e->addr;
		what.recorded_bytes = e->bytes;
	}
	if (e && e->action == action && e->addr == addr && e->bytes == bytes) {
		d->result->segment_events_exact++;
		d->at++;
		return true;
	}
	/* One of the same kind is taken for the same step, done otherwise. */
	if (e && e->action == action)
		d->at++;
	mlv_recorded_differ(d, what);
	return false;
}

static bool is_release(const struct mlv_mem_event *e)
{
	return e->action == MLV_MEM_SEGMENT_FREE || e->action == MLV_MEM_SEGMENT_UNMAP;
}

/* Whether the device had no memory: the recording goes on with giving back, or failed. */
static bool had_none(const struct mlv_recorded_device *d)
{
	const struct mlv_mem_event *e = next(d);
	return d->lead == MLV_REPLAY_RECORDED && (e ? is_release(e) : d->failing);
}

static uint64_t invent(struct mlv_recorded_device *d, uint64_t bytes)
{
	uint64_t addr = d->invented;
	d->invented += (bytes + MLV_ALLOC_BUFFER) / MLV_ALLOC_BUFFER * MLV_ALLOC_BUFFER;
	return addr;
}

static bool device_alloc(void *state, uint64_t bytes, uint64_t stream, uint64_t *addr)
{
	struct mlv_recorded_device *d = state;
	const struct mlv_mem_event *e = next(d);
	(void)stream;
	if (had_none(d))
		return false;
	*addr = e && e->action == MLV_MEM_SEGMENT_ALLOC ? e->addr : invent(d, bytes);
	(void)same(d, MLV_MEM_SEGMENT_ALLOC, *addr, bytes);
	return true;
}

static void device_free(void *state, uint64_t addr, uint64_t bytes)
{
	(void)same(state, MLV_MEM_SEGMENT_FREE, addr, bytes);
}

/*
 * How much a range has depends on the device's memory, which no recording
 * tells; only that it is more than is ever mapped is of importance.
 */
#define RANGE_BYTES (UINT64_C(1) << 42)

static bool device_reserve(void *state, uint64_t granule, uint64_t stream, uint64_t *addr,
			   uint64_t *bytes)
{
	struct mlv_recorded_device *d = state;
	const struct mlv_mem_event *e = next(d);
	(void)stream;
	*bytes = RANGE_BYTES / granule * granule;
	*addr = e && e->action == MLV_MEM_SEGMENT_MAP ? e->addr : invent(d, *bytes);
	return true;
}

static void device_release(void *state, uint64_t addr, uint64_t bytes)
{
	(void)state;
	(void)addr;
	(void)bytes;
}

static bool device_map(void *state, uint64_t addr, uint64_t bytes)
{
	struct mlv_recorded_device *d = state;
	if (had_none(d))
		return false;
	(void)same(d, MLV_MEM_SEGMENT_MAP, addr, bytes);
	return true;
}

static void device_unmap(void *state, uint64_t addr, uint64_t bytes)
{
	(void)same(state, MLV_MEM_SEGMENT_UNMAP, addr, bytes);
}

void mlv_recorded_complete_frees(void *state)
{
	struct mlv_recorded_device *d = state;
	for (size_t i = 0; i < d->late.len; i++) {
		mlv_blockid *block = &d->result->blocks[d->late.data[i]];
		if (*block)
			mlv_allocator_free(&d->result->allocator, *block);
		*block = 0;
	}
	d->late.len = 0;
}

/* The recording shows a release where the model is about to ask for memory. */
static bool device_collecting(void *state)
{
	const struct mlv_mem_event *e = next(state);
	return e && e->action == MLV_MEM_SEGMENT_FREE;
}

struct mlv_backend mlv_recorded_backend(struct mlv_recorded_device *d)
{
	return (struct mlv_backend){ .state = d,
				     .alloc = device_alloc,
				     .free = device_free,
				     .reserve = device_reserve,
				     .release = device_release,
				     .map = device_map,
				     .unmap = device_unmap,
				     .collecting = device_collecting };
}

void mlv_recorded_done(struct mlv_recorded_device *d)
{
	for (; next(d); d->at++) {
		const struct mlv_mem_event *e = next(d);
		mlv_recorded_differ(d, (struct mlv_difference){ .kind = MLV_DIFFERENT_SEGMENT,
								.recorded_action = e->action,
								.recorded_addr = e->addr,
								.recorded_bytes = e->bytes,
								.model_action = MLV_MEM_ACTIONS });
	}
	d->pending.len = d->at = 0;
	mlv_recorded_complete_frees(d);
}
