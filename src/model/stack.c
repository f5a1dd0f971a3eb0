/* SPDX-License-Identifier: MIT */
#include "model/stack.h"

#include <string.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

bool mlv_stacks_init(struct mlv_stacks *s)
{
	memset(s, 0, sizeof(*s));
	s->seed = mlv_map_random();
	struct mlv_stack_node none = { { 0 }, MLV_STACK_NONE };
	struct mlv_stack_node empty = { { 0 }, MLV_STACK_NONE };
	if (mlv_vec_push(&s->nodes, none) && mlv_vec_push(&s->nodes, empty))
		return true;
	mlv_stacks_fini(s);
	return false;
}

void mlv_stacks_fini(struct mlv_stacks *s)
{
	mlv_vec_free(&s->frames);
	mlv_vec_free(&s->nodes);
	mlv_map_fini(&s->frame_ids);
	mlv_map_fini(&s->node_ids);
	mlv_map_fini(&s->list_ids);
}

bool mlv_frame_intern(struct mlv_stacks *s, struct mlv_frame frame, mlv_frameid *id)
{
	uint32_t words[3] = { frame.function.i, frame.file.i, frame.line };
	uint64_t key = XXH3_64bits_withSeed(words, sizeof(words), s->seed);
	/* Two frames of one hash: the second lives under the next key. */
	for (struct mlv_map_slot *slot; (slot = mlv_map_find(&s->frame_ids, key)); key++) {
		const struct mlv_frame *known = &s->frames.data[slot->value];
		if (known->function.i == frame.function.i && known->file.i == frame.file.i &&
		    known->line == frame.line) {
			id->i = slot->value;
			return true;
		}
	}
	if (s->frames.len >= UINT32_MAX || !mlv_vec_push(&s->frames, frame))
		return false;
	id->i = (uint32_t)s->frames.len - 1;
	return mlv_map_set(&s->frame_ids, key, id->i);
}

bool mlv_stack_push(struct mlv_stacks *s, mlv_frameid frame, mlv_stackid caller, mlv_stackid *id)
{
	uint64_t key = (uint64_t)frame.i << 32 | caller.i;
	struct mlv_map_slot *slot = mlv_map_find(&s->node_ids, key);
	if (slot) {
		id->i = slot->value;
		return true;
	}
	struct mlv_stack_node node = { frame, caller };
	if (s->nodes.len >= UINT32_MAX || !mlv_vec_push(&s->nodes, node))
		return false;
	id->i = (uint32_t)s->nodes.len - 1;
	return mlv_map_set(&s->node_ids, key, id->i);
}

static bool is_list(const struct mlv_stacks *s, mlv_stackid id, const mlv_frameid *frames, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (!mlv_stack_has_frame(id) || s->nodes.data[id.i].frame.i != frames[i].i)
			return false;
		id = s->nodes.data[id.i].caller;
	}
	return !mlv_stack_has_frame(id);
}

bool mlv_stack_intern(struct mlv_stacks *s, const mlv_frameid *frames, size_t n, mlv_stackid *id)
{
	/*
	 * The same few hundred stacks come with every event: one hash over the
	 * whole list and one walk to be sure cost far less than a look-up a frame.
	 */
	uint64_t key = XXH3_64bits_withSeed(frames, n * sizeof(*frames), s->seed);
	struct mlv_map_slot *slot = mlv_map_find(&s->list_ids, key);
	if (slot && is_list(s, (mlv_stackid){ slot->value }, frames, n)) {
		id->i = slot->value;
		return true;
	}
	mlv_stackid stack = MLV_STACK_EMPTY;
	for (size_t i = n; i-- > 0;) {
		if (!mlv_stack_push(s, frames[i], stack, &stack))
			return false;
	}
	*id = stack;
	return mlv_map_set(&s->list_ids, key, stack.i);
}
