/* SPDX-License-Identifier: MIT */
/*
 * Dicts become rows the moment they close: an event dict a row of mem_events,
 * a frame dict an interned frame, a list of frames a stack, a list of events
 * the ranges of its rows. Nothing is kept of them but that.
 */
#include "parsers/snapshot_build.h"

#include <string.h>

_Static_assert(W_ALLOC + MLV_MEM_SNAPSHOT == W_SNAPSHOT, "actions stand in the order of the enum");

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

bool mlv_snapshot_pool(struct mlv_snapshot *s, mlv_word id, uint16_t *pool, bool *known)
{
	struct mlv_value_iter it = mlv_values_iter(&s->values, id);
	mlv_word a, b;
	int64_t owner, number;
	*known = mlv_value_next(&it, &a) && mlv_value_next(&it, &b) && mlv_word_int(a, &owner) &&
		 mlv_word_int(b, &number);
	return !*known || mlv_run_pool(s->run, owner, number, pool);
}

/*
 * The device of the event that has just closed. Its trace is still open and
 * lies in "device_traces" as the n-th word behind a mark: that is the device,
 * in every file that PyTorch writes (a list of one trace has no mark).
 * mlv_snapshot_place_events checks it.
 */
static uint32_t guess_device(const struct mlv_values *v)
{
	size_t n = v->marks.len;
	if (n < 2 || !v->marks.data[n - 2])
		return 0;
	uint32_t behind = v->marks.data[n - 2];
	mlv_word traces = v->stack.data[behind - 1];
	uint32_t guess = v->marks.data[n - 1] - 1 - behind;
	return mlv_word_is_obj(v, traces, MLV_OBJ_LIST) && guess < MLV_MAX_DEVICES ? guess : 0;
}

static bool set_track(struct mlv_snapshot *s, struct mlv_mem_event *e, int64_t stream)
{
	uint32_t device = guess_device(&s->values);
	if (s->recent.track.i == MLV_TRACK_NONE.i || s->recent.device != device ||
	    s->recent.stream != stream) {
		mlv_trackid on;
		if (!mlv_run_track(s->run, MLV_TRACK_DEVICE, MLV_TRACK_NONE, device, &on) ||
		    !mlv_run_track(s->run, MLV_TRACK_STREAM, on, stream, &s->recent.track))
			return false;
		s->recent.device = device;
		s->recent.stream = stream;
	}
	e->track = s->recent.track;
	return true;
}

/* A field whose value is not what it should be is left at its default and counted. */
static void odd_field(struct mlv_snapshot *s, enum mlv_snapshot_word key, size_t row)
{
	if (s->values.ended)
		return; /* the event in which the input ended */
	mlv_diag_add(&s->run->diags, MLV_DAMAGE, "event-field", MLV_NO_OFFSET,
		     "\"%s\" of an event (row %zu) is not of the kind it should be",
		     mlv_run_str(s->run, (mlv_strid){ key }).p, row);
}

static void set_action(struct mlv_mem_event *e, struct mlv_note *note, mlv_strid action)
{
	if (action.i >= W_ALLOC && action.i <= W_SNAPSHOT) {
		e->action = (uint8_t)(action.i - W_ALLOC);
	} else if (action.i == W_FREE) {
		/* MemoryViz folds the two halves of a free into one. */
		e->action = MLV_MEM_FREE_COMPLETED;
	} else {
		e->action = MLV_MEM_OTHER;
		note->action = action;
	}
}

/* One key of an event. False when memory runs out. */
static bool set_event_field(struct mlv_snapshot *s, struct mlv_mem_event *e, struct mlv_note *note,
			    uint32_t key, mlv_word value)
{
	const struct mlv_values *v = &s->values;
	mlv_strid text;
	int64_t n;
	uint64_t u;
	bool known, fits = true;
	switch (key) {
	case W_ACTION:
		if ((fits = mlv_word_str(value, &text)))
			set_action(e, note, text);
		break;
	case W_ADDR:
	case W_DEVICE_FREE:
		if ((fits = mlv_word_uint(v, value, &u)))
			e->addr = u;
		break;
	case W_SIZE:
		if ((fits = mlv_word_uint(v, value, &u)))
			e->bytes = u;
		break;
	case W_STREAM:
		if ((fits = mlv_word_int(value, &n)))
			return set_track(s, e, n);
		break;
	case W_TIME_US:
		fits = mlv_word_int(value, &n) && n < INT64_MAX / 1000 && n > INT64_MIN / 1000;
		if (fits)
			e->time_ns = n * 1000;
		break;
	case W_COMPILE_CONTEXT:
		if (mlv_word_str(value, &text) && text.i != W_NOT_APPLICABLE)
			note->compile_context = text;
		break;
	case W_USER_METADATA:
		if (mlv_word_str(value, &text))
			note->user_metadata = text;
		break;
	case W_FRAMES:
		return mlv_snapshot_stack(s, value, &e->stack);
	case W_POOL_ID:
		return mlv_snapshot_pool(s, value, &e->pool, &known);
	default:
		break;
	}
	if (!fits)
		odd_field(s, (enum mlv_snapshot_word)key, (size_t)(e - s->run->mem_events.data));
	return true;
}

static enum mlv_rc take_event(struct mlv_snapshot *s, uint32_t obj, const mlv_word *pairs,
			      size_t words, struct mlv_err *err)
{
	struct mlv_run *run = s->run;
	struct mlv_obj *o = &s->values.objs.data[obj];
	if (o->kind != OBJ_EVENT) {
		enum mlv_rc full = mlv_limits_room(s->limits, run->mem_events.len, "events", err);
		if (full)
			return full;
		struct mlv_mem_event fresh = { .time_ns = MLV_NO_TIME,
					       .track = MLV_TRACK_NONE,
					       .pool = MLV_POOL_UNKNOWN,
					       .action = MLV_MEM_OTHER };
		if (!mlv_vec_push(&run->mem_events, fresh))
			return mlv_err_nomem(err);
		o->kind = OBJ_EVENT;
		o->ref = (uint32_t)run->mem_events.len - 1;
	}
	struct mlv_mem_event *e = &run->mem_events.data[o->ref];
	struct mlv_note note = run->notes.data[e->note.i];
	for (size_t i = 0; i < words; i += 2) {
		mlv_strid key;
		if (mlv_word_str(pairs[i], &key) &&
		    !set_event_field(s, e, &note, key.i, pairs[i + 1]))
			return mlv_err_nomem(err);
	}
	/* Events that name no stream belong to the default one. */
	if (e->track.i == MLV_TRACK_NONE.i && !set_track(s, e, 0))
		return mlv_err_nomem(err);
	if ((note.action.i | note.compile_context.i | note.user_metadata.i) &&
	    !mlv_run_note(run, note, &e->note))
		return mlv_err_nomem(err);
	return MLV_OK;
}

static enum mlv_rc take_frame(struct mlv_snapshot *s, uint32_t obj, const mlv_word *pairs,
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
		return take_event(s, obj, pairs, words, err);
	if (kind == OBJ_FRAME)
		return take_frame(s, obj, pairs, words, err);
	return MLV_OK;
}

/* The first part of a list of frames: all of it, as a rule. */
static enum mlv_rc take_stack(struct mlv_snapshot *s, uint32_t obj, const mlv_word *items,
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
static enum mlv_rc unpack_stack(struct mlv_snapshot *s, uint32_t obj, struct mlv_err *err)
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
		return unpack_stack(s, obj, err);
	}
	*taken = kind >= MLV_OBJ_HOOK;
	if (kind == OBJ_STACK)
		return take_stack(s, obj, items, words, err);
	if (kind == OBJ_TRACE)
		return take_trace(s, obj, items, words, err);
	if (kind == OBJ_USED_STACK)
		mlv_diag_add(&s->run->diags, MLV_DAMAGE, "stack-grows", MLV_NO_OFFSET,
			     "a list of frames grows after an event has used it");
	return MLV_OK;
}
