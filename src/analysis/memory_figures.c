/* SPDX-License-Identifier: MIT */
/* Peaks, ends, fragmentation and counts of two histories, as single figures side by side. */
#include "analysis/heap_sums.h"
#include "analysis/memory_diff.h"

/* A figure of both, from what each side says. */
struct two {
	uint64_t value[2];
};

static bool figure(struct mlv_memory_diff *d, const char *key, const char *label,
		   enum mlv_unit unit, bool known, struct two v)
{
	struct mlv_figure f = { .key = key, .label = label, .unit = (uint8_t)unit };
	for (unsigned side = 0; side < 2; side++) {
		f.known[side] = known;
		f.value[side] = v.value[side] > INT64_MAX ? INT64_MAX : (int64_t)v.value[side];
	}
	return mlv_vec_push(&d->figures, f);
}

/* In tenths of a percent. */
static uint64_t share(uint64_t part, uint64_t whole)
{
	return whole ? (uint64_t)((double)part * 1000 / (double)whole + 0.5) : 0;
}

/* What the program's bytes are: of a trace they are rounded already, of a system's they are mapped.
 */
static bool add_sums(struct mlv_memory_diff *d)
{
	static const char *const keys[][2] = { { "requested_peak", "requested_end" },
					       { "allocated_peak", "allocated_end" },
					       { "mapped_peak", "mapped_end" } };
	static const char *const labels[][2] = { { "requested, peak", "requested, end" },
						 { "allocated, peak", "allocated, end" },
						 { "mapped, peak", "mapped, end" } };
	const struct mlv_memory_side *a = &d->side[0], *b = &d->side[1];
	const struct mlv_history *x = a->history, *y = b->history;
	enum mlv_bytes_are what = x->device->bytes_are;
	bool allocated = a->allocated_known && b->allocated_known;
	bool ok = figure(d, keys[what][0], labels[what][0], MLV_UNIT_BYTES, true,
			 (struct two){ { x->requested.peak, y->requested.peak } }) &&
		  figure(d, keys[what][1], labels[what][1], MLV_UNIT_BYTES, true,
			 (struct two){ { x->requested.end, y->requested.end } });
	if (what != MLV_BYTES_REQUESTED)
		return ok;
	return ok &&
	       figure(d, "allocated_peak", "allocated, peak", MLV_UNIT_BYTES, allocated,
		      (struct two){ { a->allocated_peak, b->allocated_peak } }) &&
	       figure(d, "allocated_end", "allocated, end", MLV_UNIT_BYTES, allocated,
		      (struct two){ { a->allocated_end, b->allocated_end } });
}

static uint64_t per_step(const struct mlv_memory_side *side)
{
	int64_t bytes = side->verdict ? side->verdict->cumulative_bytes : 0;
	return bytes > 0 ? (uint64_t)bytes : 0;
}

static bool add_growth(struct mlv_memory_diff *d)
{
	const struct mlv_verdict *a = d->side[0].verdict, *b = d->side[1].verdict;
	bool known = a && b && a->growth && b->growth;
	return figure(d, "growth", "growth, a step", MLV_UNIT_BYTES, known,
		      (struct two){ { per_step(&d->side[0]), per_step(&d->side[1]) } });
}

bool mlv_memory_figures(struct mlv_memory_diff *d)
{
	const struct mlv_history *x = d->side[0].history, *y = d->side[1].history;
	struct mlv_heap_sums p = mlv_heap_sums_of(x), q = mlv_heap_sums_of(y);
	bool heaps = x->device->segments && y->device->segments;
	uint64_t idle[2] = { p.idle, q.idle };
#define BOTH(field) ((struct two){ { x->field, y->field } })
#define COUNT(action) BOTH(action_count[action])
	return add_sums(d) &&
	       figure(d, "reserved_peak", "reserved, peak", MLV_UNIT_BYTES, true,
		      BOTH(reserved.peak)) &&
	       figure(d, "reserved_end", "reserved, end", MLV_UNIT_BYTES, true,
		      BOTH(reserved.end)) &&
	       figure(d, "idle_end", "reserved and not active, end", MLV_UNIT_BYTES, heaps,
		      (struct two){ { idle[0], idle[1] } }) &&
	       figure(d, "fragmentation", "the same of reserved", MLV_UNIT_PERCENT, heaps,
		      (struct two){ { share(idle[0], p.reserved), share(idle[1], q.reserved) } }) &&
	       figure(d, "largest_free_end", "largest free block, end", MLV_UNIT_BYTES, heaps,
		      (struct two){ { p.largest_free, q.largest_free } }) &&
	       figure(d, "segments", "segments, end", MLV_UNIT_NONE, heaps,
		      BOTH(device->segments)) &&
	       figure(d, "segment_allocs", "taken from the device", MLV_UNIT_NONE, true,
		      (struct two){ { x->action_count[MLV_MEM_SEGMENT_ALLOC] +
					      x->action_count[MLV_MEM_SEGMENT_MAP],
				      y->action_count[MLV_MEM_SEGMENT_ALLOC] +
					      y->action_count[MLV_MEM_SEGMENT_MAP] } }) &&
	       add_growth(d) &&
	       figure(d, "allocs", "allocations", MLV_UNIT_NONE, true, COUNT(MLV_MEM_ALLOC)) &&
	       figure(d, "ooms", "out of memory", MLV_UNIT_NONE, true, COUNT(MLV_MEM_OOM));
#undef BOTH
#undef COUNT
}
