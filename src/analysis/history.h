/* SPDX-License-Identifier: MIT */
#ifndef MLV_ANALYSIS_HISTORY_H
#define MLV_ANALYSIS_HISTORY_H
/*
 * The memory history of one device: every allocation with its life, and the
 * sums over time that PyTorch's own counters must agree with (requested_bytes,
 * reserved_bytes). Allocations older than the recording are inferred: a free
 * of something never allocated, and a final block that the trace never
 * allocated, were both alive when it began.
 *
 * Event numbers count the device's events from 0. "After event e" is the
 * state once e has happened; before event 0 is the initial state.
 */
#include <stdbool.h>
#include <stdint.h>

#include "model/run.h"

#define MLV_NEVER UINT32_MAX

enum mlv_alloc_origin {
	MLV_ALLOC_TRACED,      /* its alloc event is in the trace */
	MLV_ALLOC_ORPHAN_FREE, /* known by its free only; the stack is that of the free */
	MLV_ALLOC_FINAL_BLOCK, /* known by its block in the final heap only */
	MLV_ALLOC_COUNTED,     /* all that only the recorder's counter knows of */
};

struct mlv_alloc {
	uint64_t addr;
	uint64_t bytes;          /* requested */
	uint32_t born;           /* its alloc event; MLV_NEVER: before the recording */
	uint32_t free_requested; /* MLV_NEVER: the program kept it */
	uint32_t died;           /* its free_completed event; MLV_NEVER: alive at the end */
	mlv_stackid stack;
	mlv_trackid track;
	uint16_t pool;
	uint8_t origin; /* enum mlv_alloc_origin */
};

struct mlv_extent {
	uint64_t start, peak, end; /* bytes */
	int64_t peak_event;        /* the first event after which it stood; -1: the initial state */
};

struct mlv_history {
	const struct mlv_run *run;       /* borrowed */
	const struct mlv_device *device; /* of the run */
	const struct mlv_mem_event *events;
	size_t count;
	/*
	 * In the order of stacking: those that were there before the recording
	 * (longest-lived first), then in the order of their events.
	 */
	struct mlv_alloc *allocs;
	size_t alloc_count;
	size_t initial;   /* how many of them are older than the recording */
	uint32_t *deaths; /* the allocations that died, in the order of their deaths */
	size_t death_count;
	/* The events that neither allocate nor free, ascending: segments, out of memory, others. */
	uint32_t *others;
	size_t other_count;
	struct mlv_extent requested, reserved;
	uint64_t pending_peak; /* most bytes freed by the program and awaiting a stream at once */
	uint64_t pending_end;
	uint64_t action_count[MLV_MEM_ACTIONS];
	uint64_t orphan_frees;   /* frees of what the trace never allocated */
	uint64_t unseen_blocks;  /* final blocks in use that the trace never allocated */
	uint64_t counted_before; /* bytes of which only the recorder's counter knows */
	uint64_t overlaps;       /* allocations at an address that was still allocated */
	int64_t first_overlap;   /* event; -1: none */
	uint64_t lost_blocks;    /* alive by the trace, with no block in the final heap */
	uint64_t resized_blocks; /* alive by the trace, with another size in the final heap */
	uint64_t freed_blocks;   /* in use at the end, freed by the trace and not allocated again */
	uint64_t reserved_missing; /* by which the trace and the final segments disagree */
	/* The trace begins with an empty allocator, was read to its end and overlaps nowhere. */
	bool complete;
	bool cut;           /* the file ends within the trace: what came later is unknown */
	bool frees_implied; /* the trace holds no free_completed; free_requested stands for it */
	bool has_times;     /* every event has one */
};

/* Of run->devices[device]. MLV_E_NOMEM only. The run must outlive the history. */
enum mlv_rc mlv_history_init(struct mlv_history *h, const struct mlv_run *run, size_t device,
			     struct mlv_err *err);
void mlv_history_fini(struct mlv_history *h);

/* Change of reserved bytes by an event: positive, negative or 0. */
static inline int64_t mlv_reserved_delta(const struct mlv_mem_event *e)
{
	switch (e->action) {
	case MLV_MEM_SEGMENT_ALLOC:
	case MLV_MEM_SEGMENT_MAP:
		return (int64_t)e->bytes;
	case MLV_MEM_SEGMENT_FREE:
	case MLV_MEM_SEGMENT_UNMAP:
		return (int64_t)(0 - e->bytes);
	default:
		return 0;
	}
}

/* Whether the allocation waits for a stream after event e, for longer than the instant of its free.
 */
static inline bool mlv_alloc_pending(const struct mlv_alloc *a, uint32_t e)
{
	return a->free_requested != MLV_NEVER && a->free_requested <= e &&
	       (a->died == MLV_NEVER || (a->died > e && a->died - a->free_requested > 1));
}

#endif
