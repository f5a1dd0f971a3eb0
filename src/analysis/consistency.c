/* SPDX-License-Identifier: MIT */
#include "analysis/consistency.h"

#include <inttypes.h>
#include <string.h>

#include "base/map.h"

static void damage(struct mlv_diags *d, const char *code, uint32_t device, const char *text)
{
	mlv_diag_add(d, MLV_DAMAGE, code, MLV_NO_OFFSET, "device %" PRIu32 ": %s", device, text);
}

/* Blocks lie one behind the other and fill their segment. */
static void check_blocks(const struct mlv_run *run, const struct mlv_segment *seg, uint32_t device,
			 struct mlv_diags *d)
{
	uint64_t at = seg->addr, allocated = 0;
	bool tiled = true;
	for (uint32_t i = 0; i < seg->blocks; i++) {
		const struct mlv_block *b = &run->blocks.data[seg->first_block + i];
		tiled = tiled && b->addr == at;
		at = b->addr + b->bytes;
		if (b->state == MLV_BLOCK_ALLOCATED)
			allocated += b->bytes;
	}
	if (!tiled || at != seg->addr + seg->bytes)
		damage(d, "segment-blocks", device,
		       "the blocks of a segment do not fill it from end to end");
	else if (allocated != seg->allocated_bytes)
		damage(d, "segment-allocated", device,
		       "a segment's allocated_size is not the sum of its allocated blocks");
}

void mlv_check_heap(const struct mlv_run *run, struct mlv_diags *diags)
{
	for (size_t i = 0; i < run->devices.len; i++) {
		const struct mlv_device *dev = &run->devices.data[i];
		if (!dev->segments)
			continue;
		const struct mlv_segment *segs = run->segments.data + dev->first_segment;
		for (size_t k = 0; k < dev->segments; k++) {
			check_blocks(run, &segs[k], dev->ordinal, diags);
			if (k && segs[k - 1].addr + segs[k - 1].bytes > segs[k].addr)
				damage(diags, "segment-overlap", dev->ordinal,
				       "two segments share addresses: two processes may have "
				       "written this file");
		}
	}
}

/* Segments that the trace says are there at the end, by address, with their row. */
static bool trace_segments(const struct mlv_history *h, struct mlv_map *alive, uint64_t *twice)
{
	for (size_t k = 0; k < h->other_count; k++) {
		uint32_t i = h->others[k];
		const struct mlv_mem_event *e = &h->events[i];
		struct mlv_map_slot *slot;
		if (e->action == MLV_MEM_SEGMENT_ALLOC) {
			*twice += mlv_map_find(alive, e->addr) != NULL;
			if (!mlv_map_set(alive, e->addr, i))
				return false;
		} else if (e->action == MLV_MEM_SEGMENT_FREE &&
			   (slot = mlv_map_find(alive, e->addr))) {
			mlv_map_remove(alive, slot);
		}
	}
	return true;
}

static enum mlv_rc check_segments(const struct mlv_history *h, const struct mlv_device *dev,
				  struct mlv_diags *diags, struct mlv_err *err)
{
	struct mlv_map alive = { 0 };
	uint64_t twice = 0, resized = 0;
	if (!trace_segments(h, &alive, &twice)) {
		mlv_map_fini(&alive);
		return mlv_err_nomem(err);
	}
	for (size_t i = 0; i < dev->segments; i++) {
		const struct mlv_segment *seg = &h->run->segments.data[dev->first_segment + i];
		struct mlv_map_slot *slot = mlv_map_find(&alive, seg->addr);
		if (!slot || seg->expandable)
			continue;
		resized += h->events[slot->value].bytes != seg->bytes;
		mlv_map_remove(&alive, slot);
	}
	if (twice)
		mlv_diag_add(diags, MLV_DAMAGE, "segment-twice", MLV_NO_OFFSET,
			     "device %" PRIu32 ": %" PRIu64
			     " segments were allocated at an address that was still reserved",
			     dev->ordinal, twice);
	if (!dev->cut && (resized || (dev->segments && alive.len)))
		mlv_diag_add(diags, MLV_DAMAGE, "segment-final", MLV_NO_OFFSET,
			     "device %" PRIu32
			     ": of the segments that the trace allocated, %zu are "
			     "missing at the end and %" PRIu64 " have another size",
			     dev->ordinal, alive.len, resized);
	mlv_map_fini(&alive);
	return MLV_OK;
}

enum mlv_rc mlv_check_history(const struct mlv_history *h, size_t device, struct mlv_diags *diags,
			      struct mlv_err *err)
{
	const struct mlv_device *dev = &h->run->devices.data[device];
	if (h->overlaps)
		mlv_diag_add(diags, MLV_DAMAGE, "alloc-overlap", MLV_NO_OFFSET,
			     "device %" PRIu32 ": %" PRIu64
			     " allocations at an address that was still allocated, first at event "
			     "%" PRId64 ": two processes may have written this file",
			     dev->ordinal, h->overlaps, h->first_overlap);
	if (h->lost_blocks)
		mlv_diag_add(diags, MLV_DAMAGE, "block-missing", MLV_NO_OFFSET,
			     "device %" PRIu32 ": %" PRIu64
			     " allocations that the trace never freed have no block in the final "
			     "segments",
			     dev->ordinal, h->lost_blocks);
	if (h->resized_blocks)
		mlv_diag_add(diags, MLV_DAMAGE, "block-size", MLV_NO_OFFSET,
			     "device %" PRIu32 ": %" PRIu64
			     " allocations have another size in the final segments than in the "
			     "trace",
			     dev->ordinal, h->resized_blocks);
	if (h->reserved_missing)
		mlv_diag_add(diags, MLV_DAMAGE, "reserved-missing", MLV_NO_OFFSET,
			     dev->segments
				     ? "device %" PRIu32 ": the trace reserves %" PRIu64
				       " bytes more than the final segments hold"
				     : "device %" PRIu32 ": by the trace %" PRIu64
				       " bytes are reserved at the end, and the file lists no "
				       "segments",
			     dev->ordinal, h->reserved_missing);
	return check_segments(h, dev, diags, err);
}
