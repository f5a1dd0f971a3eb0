/* SPDX-License-Identifier: MIT */
/* How much memory a run takes: what the limit on memory is held against while a file is read. */
#include "model/run.h"

static uint64_t interner_bytes(const struct mlv_interner *in)
{
	return in->arena.bytes + in->strings.len * sizeof(*in->strings.data) +
	       (in->mask + 1) * sizeof(*in->slots);
}

static uint64_t map_bytes(const struct mlv_map *m)
{
	return m->slots ? (m->mask + 1) * sizeof(*m->slots) : 0;
}

static uint64_t stacks_bytes(const struct mlv_stacks *s)
{
	return s->frames.len * sizeof(*s->frames.data) + s->nodes.len * sizeof(*s->nodes.data) +
	       map_bytes(&s->frame_ids) + map_bytes(&s->node_ids) + map_bytes(&s->list_ids);
}

/* Rows, not capacity: large tables reserve room that they have not touched yet. */
uint64_t mlv_run_bytes(const struct mlv_run *run)
{
#define TABLE(name) (run->name.len * sizeof(*run->name.data))
	return interner_bytes(&run->strings) + stacks_bytes(&run->stacks) +
	       map_bytes(&run->track_ids) + map_bytes(&run->note_ids) + map_bytes(&run->pool_ids) +
	       TABLE(tracks) + TABLE(notes) + TABLE(pools) + TABLE(devices) + TABLE(mem_events) +
	       TABLE(segments) + TABLE(blocks) + TABLE(spans) + TABLE(attrs) + TABLE(groups) +
	       TABLE(samples) + TABLE(metrics) + TABLE(findings) + TABLE(sections) +
	       TABLE(properties);
#undef TABLE
}
