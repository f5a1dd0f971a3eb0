/* SPDX-License-Identifier: MIT */
#include "analysis/consistency.h"

#include <inttypes.h>
#include <string.h>

#include "base/map.h"

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
		mlv_diag_add_device(d, MLV_DAMAGE, "segment-blocks", device,
				    "the blocks of a segment do not fill it from end to end");
	else if (allocated != seg->allocated_bytes)
		mlv_diag_add_device(
			d, MLV_DAMAGE, "segment-allocated", device,
			"a segment's allocated_size is not the sum of its allocated blocks");
}

static void check_heap(const struct mlv_run *run, const struct mlv_device *dev,
		       struct mlv_diags *diags)
{
	for (size_t k = 0; k < dev->segments; k++) {
		const struct mlv_segment *seg = &run->segments.data[dev->first_segment + k];
		check_blocks(run, seg, dev->ordinal, diags);
		if (k && seg[-1].addr + seg[-1].bytes > seg->addr)
			mlv_diag_add_device(diags, MLV_DAMAGE, "segment-overlap", dev->ordinal,
					    "two segments share addresses: two processes may have "
					    "written this file");
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

/* So many of something that cannot be. */
static void told(struct mlv_diags *diags, const struct mlv_device *dev, const char *code,
		 uint64_t count, const char *what)
{
	if (count)
		mlv_diag_add_device(diags, MLV_DAMAGE, code, dev->ordinal, "%" PRIu64 " %s", count,
				    what);
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
	told(diags, dev, "segment-twice", twice,
	     "segments were allocated at an address that was still reserved");
	if (!dev->cut && (resized || (dev->segments && alive.len)))
		mlv_diag_add_device(diags, MLV_DAMAGE, "segment-final", dev->ordinal,
				    "of the segments that the trace allocated, %zu are "
				    "missing at the end and %" PRIu64 " have another size",
				    alive.len, resized);
	mlv_map_fini(&alive);
	return MLV_OK;
}

enum mlv_rc mlv_check_device(const struct mlv_history *h, size_t device, struct mlv_diags *diags,
			     struct mlv_err *err)
{
	const struct mlv_device *dev = &h->run->devices.data[device];
	if (h->overlaps)
		mlv_diag_add_device(
			diags, MLV_DAMAGE, "alloc-overlap", dev->ordinal,
			"%" PRIu64
			" allocations at an address that was still allocated, first at event "
			"%" PRId64 ": two processes may have written this file",
			h->overlaps, h->first_overlap);
	told(diags, dev, "block-missing", h->lost_blocks,
	     "allocations that the trace never freed have no block in the final segments");
	told(diags, dev, "block-size", h->resized_blocks,
	     "allocations have another size in the final segments than in the trace");
	told(diags, dev, "block-freed", h->freed_blocks,
	     "blocks of the final segments are in use, although the trace freed them and did not "
	     "allocate them again");
	if (h->reserved_missing)
		mlv_diag_add_device(
			diags, MLV_DAMAGE, "reserved-missing", dev->ordinal,
			dev->segments ? "the trace reserves %" PRIu64
					" bytes more than the final segments hold"
				      : "by the trace %" PRIu64
					" bytes are reserved at the end, and the file lists no "
					"segments",
			h->reserved_missing);
	check_heap(h->run, dev, diags);
	return check_segments(h, dev, diags, err);
}
