/* SPDX-License-Identifier: MIT */
/* An event of a trace: from the keys of its dict to a row of mem_events. */
#include "parsers/snapshot/snapshot_build.h"

_Static_assert(W_ALLOC + MLV_MEM_SNAPSHOT == W_SNAPSHOT, "actions stand in the order of the enum");

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

enum mlv_rc mlv_snapshot_take_event(struct mlv_snapshot *s, uint32_t obj, const mlv_word *pairs,
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
