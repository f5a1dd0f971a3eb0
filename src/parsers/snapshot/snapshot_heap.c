/* SPDX-License-Identifier: MIT */
/*
 * The final heap: segments and their blocks. They are few beside the events
 * and are read from the stored dicts once the whole file is known. A segment
 * or block object is read once, however often a file refers to it.
 */
#include "parsers/snapshot/snapshot_build.h"

#include <stdlib.h>
#include <string.h>

static uint64_t number(const struct mlv_snapshot *s, mlv_word dict, enum mlv_snapshot_word key,
		       uint64_t otherwise)
{
	uint64_t n;
	return mlv_word_uint(&s->values, mlv_snapshot_get(s, dict, key), &n) ? n : otherwise;
}

static bool has(const struct mlv_snapshot *s, mlv_word dict, enum mlv_snapshot_word key)
{
	return mlv_word_tag(mlv_snapshot_get(s, dict, key)) != MLV_W_UNSET;
}

/* Up to 2.0, a block kept what happened to it, newest first, instead of frames. */
static bool read_history(struct mlv_snapshot *s, mlv_word dict, struct mlv_block *b)
{
	mlv_word newest;
	struct mlv_value_iter it =
		mlv_values_iter(&s->values, mlv_snapshot_get(s, dict, W_HISTORY));
	if (!mlv_value_next(&it, &newest))
		return true;
	if (!has(s, dict, W_REQUESTED_SIZE))
		b->requested = number(s, newest, W_REAL_SIZE, b->requested);
	bool ok = has(s, dict, W_FRAMES) ||
		  mlv_snapshot_stack(s, mlv_snapshot_get(s, newest, W_FRAMES), &b->stack);
	mlv_snapshot_spend(s, newest);
	return ok;
}

static uint8_t block_state(struct mlv_snapshot *s, mlv_word dict)
{
	mlv_strid state = { W_EMPTY };
	(void)mlv_word_str(mlv_snapshot_get(s, dict, W_STATE), &state);
	switch (state.i) {
	case W_ACTIVE_ALLOCATED:
		return MLV_BLOCK_ALLOCATED;
	case W_ACTIVE_PENDING_FREE:  /* what PyTorch writes */
	case W_ACTIVE_AWAITING_FREE: /* what its documentation says */
		return MLV_BLOCK_PENDING_FREE;
	case W_INACTIVE:
		return MLV_BLOCK_INACTIVE;
	default:
		mlv_diag_add(&s->run->diags, MLV_DAMAGE, "block-state", MLV_NO_OFFSET,
			     "a block has no state that mlviz knows; taken for inactive");
		return MLV_BLOCK_INACTIVE;
	}
}

/* A dict that nothing was put into takes a byte of a file, and would take a row of a table. */
static void without_size(struct mlv_snapshot *s)
{
	if (!s->values.ended)
		mlv_diag_add(&s->run->diags, MLV_DAMAGE, "heap-field", MLV_NO_OFFSET,
			     "a segment or block without its size is left out");
}

static bool is_whole(const struct mlv_snapshot *s, mlv_word block)
{
	mlv_strid state;
	return mlv_word_tag(mlv_snapshot_get(s, block, W_SIZE)) == MLV_W_INT &&
	       mlv_word_str(mlv_snapshot_get(s, block, W_STATE), &state);
}

static enum mlv_rc read_blocks(struct mlv_snapshot *s, struct mlv_segment *seg, mlv_word blocks,
			       struct mlv_err *err)
{
	struct mlv_run *run = s->run;
	uint64_t at = seg->addr;
	struct mlv_value_iter it = mlv_values_iter(&s->values, blocks);
	for (mlv_word w; mlv_value_next(&it, &w);) {
		if (!mlv_word_is_obj(&s->values, w, MLV_OBJ_DICT))
			continue;
		/* The block in which the input ended may lack anything. */
		if (s->values.ended && !is_whole(s, w))
			continue;
		if (!has(s, w, W_SIZE)) {
			without_size(s);
			continue;
		}
		enum mlv_rc full = mlv_limits_room(s->limits, run->blocks.len, "blocks", err);
		if (full)
			return full;
		struct mlv_block b = { .addr = number(s, w, W_ADDRESS, at),
				       .bytes = number(s, w, W_SIZE, 0),
				       .state = block_state(s, w) };
		b.requested = number(s, w, W_REQUESTED_SIZE, b.bytes);
		if (!mlv_snapshot_stack(s, mlv_snapshot_get(s, w, W_FRAMES), &b.stack) ||
		    !read_history(s, w, &b))
			return mlv_err_nomem(err);
		/* Before 2.1 a block has no address: blocks tile their segment. */
		at = b.addr + b.bytes;
		if (!mlv_vec_push(&run->blocks, b))
			return mlv_err_nomem(err);
		seg->blocks++;
		mlv_snapshot_spend(s, w);
	}
	mlv_snapshot_spend(s, blocks);
	return MLV_OK;
}

static enum mlv_rc read_segment(struct mlv_snapshot *s, mlv_word w, struct mlv_err *err)
{
	struct mlv_run *run = s->run;
	uint64_t ordinal = number(s, w, W_DEVICE, 0);
	int64_t stream = 0;
	mlv_strid type;
	bool known, expandable;
	int64_t flag = 0;
	if (ordinal >= MLV_MAX_DEVICES) {
		mlv_diag_add(&run->diags, MLV_DAMAGE, "segment-device", MLV_NO_OFFSET,
			     "a segment of device %llu is left out", (unsigned long long)ordinal);
		return MLV_OK;
	}
	(void)mlv_word_int(mlv_snapshot_get(s, w, W_STREAM), &stream);
	expandable = mlv_word_int(mlv_snapshot_get(s, w, W_IS_EXPANDABLE), &flag) && flag;
	struct mlv_segment seg = {
		.addr = number(s, w, W_ADDRESS, 0),
		.bytes = number(s, w, W_TOTAL_SIZE, 0),
		.allocated_bytes = number(s, w, W_ALLOCATED_SIZE, 0),
		.active_bytes = number(s, w, W_ACTIVE_SIZE, 0),
		.requested_bytes = number(s, w, W_REQUESTED_SIZE, 0),
		.first_block = (uint32_t)run->blocks.len,
		.small = mlv_word_str(mlv_snapshot_get(s, w, W_SEGMENT_TYPE), &type) &&
			 type.i == W_SMALL,
		.expandable = expandable,
	};
	mlv_trackid device;
	if (!mlv_run_track(run, MLV_TRACK_DEVICE, MLV_TRACK_NONE, (int64_t)ordinal, &device) ||
	    !mlv_run_track(run, MLV_TRACK_STREAM, device, stream, &seg.track) ||
	    !mlv_snapshot_pool(s, mlv_snapshot_get(s, w, W_SEGMENT_POOL_ID), &seg.pool, &known) ||
	    !mlv_snapshot_stack(s, mlv_snapshot_get(s, w, W_FRAMES), &seg.stack))
		return mlv_err_nomem(err);
	enum mlv_rc rc = read_blocks(s, &seg, mlv_snapshot_get(s, w, W_BLOCKS), err);
	if (rc)
		return rc;
	return mlv_vec_push(&run->segments, seg) ? MLV_OK : mlv_err_nomem(err);
}

/* A segment's place: its device, then its address. */
struct place {
	uint32_t device, row;
	uint64_t addr;
};

static int by_place(const void *pa, const void *pb)
{
	const struct place *a = pa, *b = pb;
	if (a->device != b->device)
		return a->device < b->device ? -1 : 1;
	if (a->addr != b->addr)
		return a->addr < b->addr ? -1 : 1;
	return (a->row > b->row) - (a->row < b->row);
}

/* The file mixes the devices; the table groups them. */
static bool sort_segments(struct mlv_run *run)
{
	size_t n = run->segments.len;
	struct place *places = malloc((n + 1) * sizeof(*places));
	struct mlv_segment *sorted = malloc((n + 1) * sizeof(*sorted));
	if (!places || !sorted) {
		free(places);
		free(sorted);
		return false;
	}
	for (size_t i = 0; i < n; i++) {
		const struct mlv_segment *seg = &run->segments.data[i];
		int64_t device = mlv_run_device_of(run, seg->track)->number;
		places[i] = (struct place){ (uint32_t)device, (uint32_t)i, seg->addr };
	}
	qsort(places, n, sizeof(*places), by_place);
	for (size_t i = 0; i < n; i++)
		sorted[i] = run->segments.data[places[i].row];
	free(places);
	free(run->segments.data);
	run->segments.data = sorted;
	run->segments.cap = n + 1;
	return true;
}

enum mlv_rc mlv_snapshot_read_segments(struct mlv_snapshot *s, mlv_word segments,
				       struct mlv_err *err)
{
	struct mlv_value_iter it = mlv_values_iter(&s->values, segments);
	for (mlv_word w; mlv_value_next(&it, &w);) {
		if (!mlv_word_is_obj(&s->values, w, MLV_OBJ_DICT))
			continue;
		if (!has(s, w, W_TOTAL_SIZE)) {
			without_size(s);
			continue;
		}
		enum mlv_rc rc = read_segment(s, w, err);
		if (rc)
			return rc;
		mlv_snapshot_spend(s, w);
	}
	return sort_segments(s->run) ? MLV_OK : mlv_err_nomem(err);
}

static struct mlv_device *device_with(struct mlv_run *run, uint32_t ordinal)
{
	for (size_t i = 0; i < run->devices.len; i++) {
		if (run->devices.data[i].ordinal == ordinal)
			return &run->devices.data[i];
	}
	struct mlv_device d = { .ordinal = ordinal };
	if (!mlv_run_track(run, MLV_TRACK_DEVICE, MLV_TRACK_NONE, ordinal, &d.track) ||
	    !mlv_vec_push(&run->devices, d))
		return NULL;
	return &run->devices.data[run->devices.len - 1];
}

static int by_ordinal(const void *pa, const void *pb)
{
	const struct mlv_device *a = pa, *b = pb;
	return (a->ordinal > b->ordinal) - (a->ordinal < b->ordinal);
}

/* A trace that holds nothing but the mark of an earlier snapshot belongs to a device that did
 * nothing. */
static bool did_something(const struct mlv_run *run, const struct mlv_device *d)
{
	for (size_t i = 0; i < d->events; i++) {
		uint8_t action = run->mem_events.data[d->first_event + i].action;
		if (action != MLV_MEM_SNAPSHOT && action != MLV_MEM_OTHER)
			return true;
	}
	return d->segments > 0;
}

enum mlv_rc mlv_snapshot_list_devices(struct mlv_snapshot *s, struct mlv_err *err)
{
	struct mlv_run *run = s->run;
	for (size_t i = 0; i < run->segments.len;) {
		const struct mlv_track *t = mlv_run_device_of(run, run->segments.data[i].track);
		struct mlv_device *d = device_with(run, (uint32_t)t->number);
		if (!d)
			return mlv_err_nomem(err);
		d->first_segment = i;
		for (; i < run->segments.len &&
		       mlv_run_device_of(run, run->segments.data[i].track) == t;
		     i++)
			d->segments++;
	}
	size_t kept = 0;
	for (size_t i = 0; i < run->devices.len; i++) {
		if (did_something(run, &run->devices.data[i]))
			run->devices.data[kept++] = run->devices.data[i];
	}
	run->devices.len = kept;
	if (kept)
		qsort(run->devices.data, kept, sizeof(*run->devices.data), by_ordinal);
	return MLV_OK;
}
