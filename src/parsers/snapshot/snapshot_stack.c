/* SPDX-License-Identifier: MIT */
/*
 * Frames and stacks: a frame dict is interned when it closes, a list of frames
 * once all of it is known.
 */
#include "parsers/snapshot/snapshot_build.h"

/* Intern the frames gathered in s->frames as the stack of the list `o`. */
static bool finish_stack(struct mlv_snapshot *s, struct mlv_obj *o, uint32_t kind)
{
	mlv_stackid id;
	if (!mlv_stack_intern(&s->run->stacks, s->frames.data, s->frames.len, &id))
		return false;
	o->kind = kind;
	o->ref = id.i;
	return true;
}

static bool gather_frame(struct mlv_snapshot *s, mlv_word item)
{
	if (!mlv_word_is_obj(&s->values, item, OBJ_FRAME))
		return true;
	mlv_frameid id = { s->values.objs.data[mlv_word_payload(item)].ref };
	return mlv_vec_push(&s->frames, id);
}

bool mlv_snapshot_stack(struct mlv_snapshot *s, mlv_word frames, mlv_stackid *stack)
{
	*stack = MLV_STACK_NONE;
	if (mlv_word_tag(frames) != MLV_W_OBJ)
		return true;
	struct mlv_obj *o = &s->values.objs.data[mlv_word_payload(frames)];
	if (o->kind == MLV_OBJ_LIST) {
		/* Came in several parts, or has no frame at all. */
		s->frames.len = 0;
		struct mlv_value_iter it = mlv_values_iter(&s->values, frames);
		for (mlv_word w; mlv_value_next(&it, &w);) {
			if (!gather_frame(s, w))
				return false;
		}
		if (!finish_stack(s, o, OBJ_USED_STACK))
			return false;
	}
	if (o->kind == OBJ_STACK)
		o->kind = OBJ_USED_STACK;
	if (o->kind == OBJ_USED_STACK)
		stack->i = o->ref;
	return true;
}

enum mlv_rc mlv_snapshot_take_frame(struct mlv_snapshot *s, uint32_t obj, const mlv_word *pairs,
				    size_t words, struct mlv_err *err)
{
	struct mlv_obj *o = &s->values.objs.data[obj];
	struct mlv_frame frame = { MLV_STR_NONE, MLV_STR_NONE, 0 };
	if (o->kind == OBJ_FRAME)
		frame = s->run->stacks.frames.data[o->ref];
	for (size_t i = 0; i < words; i += 2) {
		mlv_strid key;
		int64_t n;
		if (!mlv_word_str(pairs[i], &key))
			continue;
		if (key.i == W_NAME)
			(void)mlv_word_str(pairs[i + 1], &frame.function);
		else if (key.i == W_FILENAME)
			(void)mlv_word_str(pairs[i + 1], &frame.file);
		else if (key.i == W_LINE && mlv_word_int(pairs[i + 1], &n) && n > 0 &&
			 n <= UINT32_MAX)
			frame.line = (uint32_t)n;
	}
	mlv_frameid id;
	if (!mlv_frame_intern(&s->run->stacks, frame, &id))
		return mlv_err_nomem(err);
	o->kind = OBJ_FRAME;
	o->ref = id.i;
	return MLV_OK;
}

/* The first part of a list of frames: all of it, as a rule. */
enum mlv_rc mlv_snapshot_take_stack(struct mlv_snapshot *s, uint32_t obj, const mlv_word *items,
				    size_t words, struct mlv_err *err)
{
	enum mlv_rc full = mlv_limits_room(s->limits, s->run->stacks.nodes.len,
					   "frames in distinct stacks", err);
	if (full)
		return full;
	s->frames.len = 0;
	for (size_t i = 0; i < words; i++) {
		if (!gather_frame(s, items[i]))
			return mlv_err_nomem(err);
	}
	return finish_stack(s, &s->values.objs.data[obj], OBJ_STACK) ? MLV_OK : mlv_err_nomem(err);
}

/*
 * A list of frames that goes on: store it as a list again, to be interned once
 * it is used. Interning each part anew would take the square of its length.
 */
enum mlv_rc mlv_snapshot_unpack_stack(struct mlv_snapshot *s, uint32_t obj, struct mlv_err *err)
{
	struct mlv_values *v = &s->values;
	const struct mlv_stacks *stacks = &s->run->stacks;
	mlv_stackid id = { v->objs.data[obj].ref };
	v->objs.data[obj] = (struct mlv_obj){ MLV_OBJ_LIST, 0 };
	for (; mlv_stack_has_frame(id); id = mlv_stack_caller(stacks, id)) {
		mlv_word frame;
		enum mlv_rc rc = mlv_values_object(v, OBJ_FRAME, &frame, err);
		if (rc)
			return rc;
		v->objs.data[mlv_word_payload(frame)].ref = stacks->nodes.data[id.i].frame.i;
		rc = mlv_values_store(v, obj, &frame, 1, err);
		if (rc)
			return rc;
	}
	return MLV_OK;
}
