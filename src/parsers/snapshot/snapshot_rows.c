/* SPDX-License-Identifier: MIT */
/*
 * The hooks of the value machine: which dict or list of a snapshot is what, so
 * that it becomes a row the moment it closes and nothing else is kept of it:
 * an event dict a row of mem_events, a frame dict an interned frame, a list of
 * frames a stack, a list of events the ranges of its rows.
 */
#include "parsers/snapshot/snapshot_build.h"

#include <string.h>

/* Whether one of the first few keys of a stored dict is `word`. */
static bool begins_with(const struct mlv_values *v, uint32_t obj, enum mlv_snapshot_word word)
{
	struct mlv_value_iter it = mlv_values_iter(v, mlv_word_make(MLV_W_OBJ, obj));
	mlv_word k, value;
	for (int i = 0; i < 8 && mlv_value_next(&it, &k) && mlv_value_next(&it, &value); i++) {
		if (k == mlv_word_make(MLV_W_STR, word))
			return true;
	}
	return false;
}

/* What a dict is, by its keys: those that arrive, and those that it has if it came in parts. */
static uint32_t kind_of(const struct mlv_values *v, uint32_t obj, const mlv_word *pairs,
			size_t words)
{
	bool name = false, line = false;
	for (size_t i = 0; i < words; i += 2) {
		mlv_strid key;
		if (!mlv_word_str(pairs[i], &key))
			continue;
		if (key.i == W_ACTION)
			return OBJ_EVENT;
		if (key.i == W_FILENAME)
			return OBJ_FRAME;
		name = name || key.i == W_NAME;
		line = line || key.i == W_LINE;
	}
	if (name != line && v->objs.data[obj].ref) {
		name = name || begins_with(v, obj, W_NAME);
		line = line || begins_with(v, obj, W_LINE);
	}
	return name && line ? OBJ_FRAME : MLV_OBJ_DICT;
}

/* A stored dict turns out to be an event or a frame: take what it has before what arrives. */
static bool join_parts(struct mlv_snapshot *s, uint32_t obj, const mlv_word **pairs, size_t *words)
{
	struct mlv_value_iter it = mlv_values_iter(&s->values, mlv_word_make(MLV_W_OBJ, obj));
	s->words.len = 0;
	for (mlv_word w; mlv_value_next(&it, &w);) {
		if (!mlv_vec_push(&s->words, w))
			return false;
	}
	if (!mlv_vec_room(&s->words, *words))
		return false;
	memcpy(s->words.data + s->words.len, *pairs, *words * sizeof(**pairs));
	s->words.len += *words;
	*pairs = s->words.data;
	*words = s->words.len;
	s->values.objs.data[obj].ref = 0;
	return true;
}

enum mlv_rc mlv_snapshot_take_dict(void *ctx, struct mlv_values *v, uint32_t obj,
				   const mlv_word *pairs, size_t words, bool *taken,
				   struct mlv_err *err)
{
	struct mlv_snapshot *s = ctx;
	const struct mlv_obj *o = &v->objs.data[obj];
	uint32_t kind = o->kind >= MLV_OBJ_HOOK ? o->kind : kind_of(v, obj, pairs, words);
	*taken = kind >= MLV_OBJ_HOOK;
	if (*taken && o->kind == MLV_OBJ_DICT && o->ref && !join_parts(s, obj, &pairs, &words))
		return mlv_err_nomem(err);
	if (kind == OBJ_EVENT)
		return mlv_snapshot_take_event(s, obj, pairs, words, err);
	if (kind == OBJ_FRAME)
		return mlv_snapshot_take_frame(s, obj, pairs, words, err);
	return MLV_OK;
}

static bool add_row(struct mlv_snapshot *s, struct mlv_trace *trace, uint32_t row)
{
	mlv_trackid track = s->run->mem_events.data[row].track;
	mlv_trackid device = s->run->tracks.data[track.i].parent;
	if (trace->last_range == UINT32_MAX)
		trace->device = device;
	else if (trace->device.i != device.i)
		trace->device = MLV_TRACK_NONE;
	if (trace->last_range != UINT32_MAX) {
		struct mlv_row_range *last = &s->ranges.data[trace->last_range];
		if (last->first + last->count == row) {
			last->count++;
			return true;
		}
	}
	struct mlv_row_range range = { row, 1, UINT32_MAX };
	if (!mlv_vec_push(&s->ranges, range))
		return false;
	uint32_t added = (uint32_t)s->ranges.len - 1;
	if (trace->last_range == UINT32_MAX)
		trace->first_range = added;
	else
		s->ranges.data[trace->last_range].next = added;
	trace->last_range = added;
	return true;
}

static void odd_item(struct mlv_snapshot *s)
{
	mlv_diag_add(&s->run->diags, MLV_DAMAGE, "trace-item", MLV_NO_OFFSET,
		     "an item of a device's trace is not an event");
}

static enum mlv_rc take_trace(struct mlv_snapshot *s, uint32_t obj, const mlv_word *items,
			      size_t words, struct mlv_err *err)
{
	struct mlv_values *v = &s->values;
	struct mlv_obj *o = &v->objs.data[obj];
	if (o->kind != OBJ_TRACE) {
		struct mlv_trace fresh = { UINT32_MAX, UINT32_MAX, MLV_TRACK_NONE, false, false };
		if (!mlv_vec_push(&s->traces, fresh))
			return mlv_err_nomem(err);
		if (o->ref) /* began with something else */
			odd_item(s);
		o->kind = OBJ_TRACE;
		o->ref = (uint32_t)s->traces.len - 1;
	}
	struct mlv_trace *trace = &s->traces.data[o->ref];
	/* The event in which the input ended may lack anything. */
	if (v->ended && mlv_word_is_obj(v, items[words - 1], OBJ_EVENT)) {
		s->unfinished++;
		words--;
	} else if (v->ended && mlv_word_is_obj(v, items[words - 1], MLV_OBJ_DICT)) {
		words--;
	}
	for (size_t i = 0; i < words; i++) {
		if (!mlv_word_is_obj(v, items[i], OBJ_EVENT))
			odd_item(s);
		else if (!add_row(s, trace, v->objs.data[mlv_word_payload(items[i])].ref))
			return mlv_err_nomem(err);
	}
	return MLV_OK;
}

/* What a list is, by its first item that is an event or a frame. */
static uint32_t list_kind(const struct mlv_values *v, const mlv_word *items, size_t words)
{
	for (size_t i = 0; i < words; i++) {
		if (mlv_word_is_obj(v, items[i], OBJ_FRAME))
			return OBJ_STACK;
		if (mlv_word_is_obj(v, items[i], OBJ_EVENT))
			return OBJ_TRACE;
	}
	return MLV_OBJ_LIST;
}

enum mlv_rc mlv_snapshot_take_list(void *ctx, struct mlv_values *v, uint32_t obj,
				   const mlv_word *items, size_t words, bool *taken,
				   struct mlv_err *err)
{
	struct mlv_snapshot *s = ctx;
	const struct mlv_obj *o = &v->objs.data[obj];
	uint32_t kind = o->kind;
	if (kind == MLV_OBJ_LIST) {
		kind = list_kind(v, items, words);
		if (kind == OBJ_STACK && o->ref)
			kind = MLV_OBJ_LIST; /* mlv_snapshot_stack sees to it */
	} else if (kind == OBJ_STACK) {
		*taken = false;
		return mlv_snapshot_unpack_stack(s, obj, err);
	}
	*taken = kind >= MLV_OBJ_HOOK;
	if (kind == OBJ_STACK)
		return mlv_snapshot_take_stack(s, obj, items, words, err);
	if (kind == OBJ_TRACE)
		return take_trace(s, obj, items, words, err);
	if (kind == OBJ_USED_STACK)
		mlv_diag_add(&s->run->diags, MLV_DAMAGE, "stack-grows", MLV_NO_OFFSET,
			     "a list of frames grows after an event has used it");
	return MLV_OK;
}
