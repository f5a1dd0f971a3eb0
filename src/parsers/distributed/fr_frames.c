/* SPDX-License-Identifier: MIT */
/* The frames of flight-recorder entries, which many entries share, as stacks of the run. */
#include "parsers/distributed/fr_build.h"

/* The id of a frame's dict, which is that frame from then on: entries share them. */
static bool frame_of(struct mlv_fr *f, mlv_word w, mlv_frameid *id)
{
	struct mlv_obj *o = &f->values.objs.data[mlv_word_payload(w)];
	struct mlv_frame frame = { 0 };
	mlv_word fields[W_COUNT];
	int64_t line = 0;
	if (mlv_word_is_obj(&f->values, w, OBJ_FRAME)) {
		id->i = o->ref;
		return true;
	}
	mlv_fr_fields(f, w, fields);
	(void)mlv_word_str(fields[W_NAME], &frame.function);
	(void)mlv_word_str(fields[W_FILENAME], &frame.file);
	if (mlv_fr_int(f, fields[W_LINE], &line) && line > 0 && line <= UINT32_MAX)
		frame.line = (uint32_t)line;
	if (!mlv_frame_intern(&f->run->stacks, frame, id))
		return false;
	if (id->i <= MLV_REF_MAX)
		*o = (struct mlv_obj){ OBJ_FRAME, id->i };
	return true;
}

bool mlv_fr_stack(struct mlv_fr *f, mlv_word frames, mlv_stackid *stack)
{
	struct mlv_obj *o = &f->values.objs.data[mlv_word_payload(frames)];
	struct mlv_value_iter it = mlv_values_iter(&f->values, frames);
	mlv_frameid id;
	mlv_word w;
	*stack = MLV_STACK_NONE;
	if (mlv_word_is_obj(&f->values, frames, OBJ_STACK)) {
		stack->i = o->ref;
		return true;
	}
	if (!mlv_word_is_obj(&f->values, frames, MLV_OBJ_LIST))
		return true;
	f->frames.len = 0;
	while (mlv_value_next(&it, &w)) {
		if (!mlv_word_is_obj(&f->values, w, MLV_OBJ_DICT) &&
		    !mlv_word_is_obj(&f->values, w, OBJ_FRAME))
			continue;
		if (!frame_of(f, w, &id) || !mlv_vec_push(&f->frames, id))
			return false;
	}
	if (!mlv_stack_intern(&f->run->stacks, f->frames.data, f->frames.len, stack))
		return false;
	if (stack->i <= MLV_REF_MAX)
		*o = (struct mlv_obj){ OBJ_STACK, stack->i };
	return true;
}
