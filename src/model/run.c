/* SPDX-License-Identifier: MIT */
#include "model/run.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

bool mlv_run_init(struct mlv_run *run, const char *file)
{
	memset(run, 0, sizeof(*run));
	run->file = file;
	run->format = "";
	run->rank = -1;
	run->secret = mlv_map_random();
	struct mlv_note plain = { MLV_STR_NONE, MLV_STR_NONE, MLV_STR_NONE };
	struct mlv_pool standard = { 0, 0 };
	if (mlv_interner_init(&run->strings) && mlv_stacks_init(&run->stacks) &&
	    mlv_vec_push(&run->notes, plain) && mlv_vec_push(&run->pools, standard))
		return true;
	mlv_run_fini(run);
	return false;
}

void mlv_run_fini(struct mlv_run *run)
{
	mlv_interner_fini(&run->strings);
	mlv_stacks_fini(&run->stacks);
	mlv_vec_free(&run->tracks);
	mlv_map_fini(&run->track_ids);
	mlv_vec_free(&run->notes);
	mlv_map_fini(&run->note_ids);
	mlv_vec_free(&run->pools);
	mlv_map_fini(&run->pool_ids);
	mlv_vec_free(&run->devices);
	mlv_vec_free(&run->mem_events);
	mlv_vec_free(&run->segments);
	mlv_vec_free(&run->blocks);
	mlv_vec_free(&run->spans);
	mlv_vec_free(&run->attrs);
	mlv_vec_free(&run->groups);
	mlv_vec_free(&run->samples);
	mlv_vec_free(&run->metrics);
	mlv_vec_free(&run->findings);
	mlv_vec_free(&run->sections);
	mlv_vec_free(&run->properties);
	mlv_diags_fini(&run->diags);
}

/* A key for two numbers: rows whose keys are equal live under the next one. */
static uint64_t key_of(const struct mlv_run *run, uint64_t a, uint64_t b)
{
	uint64_t h = (run->secret ^ a) * UINT64_C(0x9e3779b97f4a7c15);
	return ((h ^ h >> 32) + b) * UINT64_C(0xd6e8feb86659fd93);
}

bool mlv_run_track(struct mlv_run *run, enum mlv_track_kind kind, mlv_trackid parent,
		   int64_t number, mlv_trackid *id)
{
	uint64_t key = key_of(run, (uint64_t)number, (uint64_t)kind << 32 | parent.i);
	for (struct mlv_map_slot *s; (s = mlv_map_find(&run->track_ids, key)); key++) {
		const struct mlv_track *t = &run->tracks.data[s->value];
		if (t->kind == kind && t->parent.i == parent.i && t->number == number) {
			id->i = s->value;
			return true;
		}
	}
	struct mlv_track track = { kind, parent, number, MLV_STR_NONE };
	if (!mlv_vec_push(&run->tracks, track))
		return false;
	id->i = (uint32_t)run->tracks.len - 1;
	return mlv_map_set(&run->track_ids, key, id->i);
}

bool mlv_run_pool(struct mlv_run *run, int64_t owner, int64_t id, uint16_t *index)
{
	*index = MLV_POOL_DEFAULT;
	if (owner == 0 && id == 0)
		return true;
	uint64_t key = key_of(run, (uint64_t)owner, (uint64_t)id);
	for (struct mlv_map_slot *s; (s = mlv_map_find(&run->pool_ids, key)); key++) {
		const struct mlv_pool *p = &run->pools.data[s->value];
		if (p->owner == owner && p->id == id) {
			*index = (uint16_t)s->value;
			return true;
		}
	}
	/* Far beyond what any program makes; what follows is lumped together. */
	if (run->pools.len >= 4096) {
		*index = MLV_POOL_UNKNOWN;
		return true;
	}
	struct mlv_pool pool = { owner, id };
	if (!mlv_vec_push(&run->pools, pool))
		return false;
	*index = (uint16_t)(run->pools.len - 1);
	return mlv_map_set(&run->pool_ids, key, *index);
}

static bool same_note(const struct mlv_note *a, const struct mlv_note *b)
{
	return a->action.i == b->action.i && a->compile_context.i == b->compile_context.i &&
	       a->user_metadata.i == b->user_metadata.i;
}

bool mlv_run_note(struct mlv_run *run, struct mlv_note note, mlv_noteid *id)
{
	/* Most rows have nothing to note, and notes come in runs of equal ones. */
	*id = MLV_NOTE_NONE;
	if (same_note(&run->notes.data[0], &note))
		return true;
	id->i = (uint32_t)run->notes.len - 1;
	if (same_note(&run->notes.data[id->i], &note))
		return true;
	uint64_t key = key_of(run, (uint64_t)note.action.i << 32 | note.compile_context.i,
			      note.user_metadata.i);
	for (struct mlv_map_slot *s; (s = mlv_map_find(&run->note_ids, key)); key++) {
		id->i = s->value;
		if (same_note(&run->notes.data[id->i], &note))
			return true;
	}
	if (run->notes.len >= UINT32_MAX || !mlv_vec_push(&run->notes, note))
		return false;
	id->i = (uint32_t)run->notes.len - 1;
	return mlv_map_set(&run->note_ids, key, id->i);
}

const struct mlv_track *mlv_run_device_of(const struct mlv_run *run, mlv_trackid track)
{
	while (track.i < run->tracks.len) {
		const struct mlv_track *t = &run->tracks.data[track.i];
		if (t->kind == MLV_TRACK_DEVICE)
			return t;
		track = t->parent;
	}
	return NULL;
}

const struct mlv_property *mlv_run_property(const struct mlv_run *run, const char *group,
					    const char *key)
{
	struct mlv_str g = mlv_str_of(group), k = mlv_str_of(key);
	for (size_t i = 0; i < run->properties.len; i++) {
		const struct mlv_property *p = &run->properties.data[i];
		if (mlv_str_eq(mlv_run_str(run, p->group), g) &&
		    mlv_str_eq(mlv_run_str(run, p->key), k))
			return p;
	}
	return NULL;
}

const char *mlv_mem_action_name(enum mlv_mem_action action)
{
	static const char *const names[] = {
		"alloc",        "free_requested", "free_completed", "segment_alloc",
		"segment_free", "segment_map",    "segment_unmap",  "oom",
		"snapshot",     "other",
	};
	return names[action];
}

const char *mlv_block_state_name(enum mlv_block_state state)
{
	static const char *const names[] = { "inactive", "active_allocated",
					     "active_pending_free" };
	return names[state];
}

const char *mlv_track_kind_name(enum mlv_track_kind kind)
{
	static const char *const names[] = { "device",  "stream", "rank", "group",
					     "process", "thread", "host" };
	return names[kind];
}

const char *mlv_finding_severity_name(enum mlv_finding_severity severity)
{
	static const char *const names[] = { "note", "warning", "error" };
	return names[severity];
}

const char *mlv_bytes_are_name(enum mlv_bytes_are what)
{
	static const char *const names[] = { "requested", "allocated", "mapped" };
	return names[what];
}

const char *mlv_device_name(const struct mlv_run *run, const struct mlv_device *d, char *name,
			    size_t size)
{
	const struct mlv_track *t = &run->tracks.data[d->track.i];
	if (t->kind == MLV_TRACK_HOST && t->number < 0)
		snprintf(name, size, "host memory");
	else if (t->kind == MLV_TRACK_HOST)
		snprintf(name, size, "host memory of process %" PRIu32, d->ordinal);
	else
		snprintf(name, size, "device %" PRIu32, d->ordinal);
	return name;
}
