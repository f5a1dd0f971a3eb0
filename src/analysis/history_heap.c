/* SPDX-License-Identifier: MIT */
/*
 * The end of a history: blocks in use in the final segments are either known
 * from the trace or older than it, and what disagrees is counted.
 */
#include "analysis/history_scan.h"

bool mlv_history_frees_implied(const struct mlv_history *h, const struct mlv_device *d)
{
	const struct mlv_run *run = h->run;
	uint64_t waiting = 0;
	for (size_t i = 0; i < d->segments; i++) {
		const struct mlv_segment *seg = &run->segments.data[d->first_segment + i];
		for (uint32_t k = 0; k < seg->blocks; k++)
			waiting += run->blocks.data[seg->first_block + k].state ==
				   MLV_BLOCK_PENDING_FREE;
	}
	return !h->action_count[MLV_MEM_FREE_COMPLETED] &&
	       h->action_count[MLV_MEM_FREE_REQUESTED] > waiting;
}

/* A block in use at the end: known from the trace, or older than it. */
static bool match_block(struct mlv_history_scan *s, const struct mlv_segment *seg,
			const struct mlv_block *b)
{
	struct mlv_map_slot *slot = mlv_map_find(&s->living, b->addr);
	if (slot) {
		struct mlv_alloc *a = mlv_history_living(s, slot->value);
		if (a->bytes != b->requested)
			s->h->resized_blocks++;
		/* The recorder may have had frames for blocks only (context="state"). */
		if (!mlv_stack_has_frame(a->stack) && mlv_stack_has_frame(b->stack))
			a->stack = b->stack;
		a->pool = seg->pool;
		mlv_map_remove(&s->living, slot);
		return true;
	}
	struct mlv_alloc a = { .addr = b->addr,
			       .bytes = b->requested,
			       .born = MLV_NEVER,
			       .free_requested = MLV_NEVER,
			       .died = MLV_NEVER,
			       .stack = b->stack,
			       .track = seg->track,
			       .pool = seg->pool,
			       .origin = MLV_ALLOC_FINAL_BLOCK };
	s->h->unseen_blocks++;
	return mlv_vec_push(&s->older, a);
}

/* Where a request for a free stands for the free itself, what waits for a stream is gone. */
static bool is_in_use(const struct mlv_history *h, const struct mlv_block *b)
{
	return b->state == MLV_BLOCK_ALLOCATED ||
	       (b->state == MLV_BLOCK_PENDING_FREE && !h->frees_implied);
}

/*
 * Blocks in use at the end that the trace freed and did not allocate again.
 * Walks the deaths only if there are blocks that the trace did not allocate.
 */
static bool count_freed_blocks(struct mlv_history_scan *s)
{
	struct mlv_history *h = s->h;
	struct mlv_map unseen = { 0 };
	bool ok = true;
	/* A recorder told to skip allocations says nothing of what came after a free. */
	if (!h->unseen_blocks || !h->action_count[MLV_MEM_ALLOC])
		return true;
	for (size_t i = h->orphan_frees; ok && i < s->older.len; i++)
		ok = mlv_map_set(&unseen, s->older.data[i].addr, 0);
	for (size_t i = 0; ok && i < s->deaths.len; i++) {
		uint64_t addr = mlv_history_living(s, s->deaths.data[i])->addr;
		struct mlv_map_slot *slot = mlv_map_find(&unseen, addr);
		if (!slot)
			continue;
		h->freed_blocks++;
		mlv_map_remove(&unseen, slot);
	}
	mlv_map_fini(&unseen);
	return ok;
}

static bool match_blocks(struct mlv_history_scan *s, const struct mlv_device *device,
			 uint64_t *reserved)
{
	const struct mlv_run *run = s->h->run;
	*reserved = 0;
	if (device->cut) {
		/* The final heap is of a later moment. What the trace gave back was there before.
		 */
		*reserved =
			(uint64_t)mlv_history_plus(s->reserved, 0 - (uint64_t)s->reserved_least);
		return true;
	}
	for (size_t i = 0; i < device->segments; i++) {
		const struct mlv_segment *seg = &run->segments.data[device->first_segment + i];
		*reserved += seg->bytes;
		for (uint32_t k = 0; k < seg->blocks; k++) {
			const struct mlv_block *b = &run->blocks.data[seg->first_block + k];
			if (is_in_use(s->h, b) && !match_block(s, seg, b))
				return false;
		}
	}
	/* A list of segments that a damaged file lacks is no evidence against the trace. */
	if (device->segments)
		s->h->lost_blocks = s->living.len;
	return count_freed_blocks(s);
}

/* What the recorder counted before its first event and never saw freed, as one. */
static bool add_counted(struct mlv_history_scan *s, const struct mlv_device *device)
{
	uint64_t older = 0;
	for (size_t i = 0; i < s->older.len; i++)
		older += s->older.data[i].bytes;
	if (device->before_bytes <= older)
		return true;
	struct mlv_alloc a = { .bytes = device->before_bytes - older,
			       .born = MLV_NEVER,
			       .free_requested = MLV_NEVER,
			       .died = MLV_NEVER,
			       .stack = MLV_STACK_NONE,
			       .track = device->track,
			       .pool = MLV_POOL_UNKNOWN,
			       .origin = MLV_ALLOC_COUNTED };
	s->h->counted_before = a.bytes;
	return mlv_vec_push(&s->older, a);
}

bool mlv_history_match_heap(struct mlv_history_scan *s, const struct mlv_device *device,
			    uint64_t *reserved)
{
	return match_blocks(s, device, reserved) && add_counted(s, device);
}
