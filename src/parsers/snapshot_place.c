/* SPDX-License-Identifier: MIT */
/*
 * Events learn their device only when the list of their trace has found its
 * place in "device_traces". In files as PyTorch writes them the rows stand in
 * order already and only their tracks are set; a file that lists them
 * otherwise is put in order.
 */
#include "parsers/snapshot_build.h"

#include <stdlib.h>
#include <string.h>

struct placing {
	struct mlv_snapshot *s;
	MLV_VEC(struct mlv_mem_event) sorted; /* used when the rows are out of order */
	uint8_t *placed;                      /* a byte for each row, when out of order */
	size_t next;                          /* rows placed so far */
	bool in_order;
};

/* The track of the stream with this index, on this device; tracks are made once. */
static bool set_tracks(struct mlv_snapshot *s, struct mlv_mem_event *rows, size_t n,
		       uint32_t device)
{
	mlv_trackid on;
	if (!mlv_run_track(s->run, MLV_TRACK_DEVICE, MLV_TRACK_NONE, device, &on))
		return false;
	uint32_t last = UINT32_MAX;
	mlv_trackid track = MLV_TRACK_NONE;
	for (size_t i = 0; i < n; i++) {
		uint32_t stream = rows[i].track.i;
		if (stream != last) {
			int64_t handle = s->streams.data[stream];
			if (!mlv_run_track(s->run, MLV_TRACK_STREAM, on, handle, &track))
				return false;
			last = stream;
		}
		rows[i].track = track;
	}
	return true;
}

static bool in_order(const struct mlv_snapshot *s, const struct mlv_trace *t, size_t *next)
{
	for (uint32_t r = t->first_range; r != UINT32_MAX; r = s->ranges.data[r].next) {
		if (s->ranges.data[r].first != *next)
			return false;
		*next += s->ranges.data[r].count;
	}
	return true;
}

static bool copy_trace(struct placing *p, const struct mlv_trace *t)
{
	struct mlv_snapshot *s = p->s;
	for (uint32_t r = t->first_range; r != UINT32_MAX; r = s->ranges.data[r].next) {
		const struct mlv_row_range *range = &s->ranges.data[r];
		for (uint32_t i = 0; i < range->count; i++) {
			uint32_t row = range->first + i;
			if (p->placed[row]) {
				mlv_diag_add(&s->run->diags, MLV_DAMAGE, "event-twice",
					     MLV_NO_OFFSET, "an event stands in two traces");
				continue;
			}
			p->placed[row] = 1;
			if (!mlv_vec_push(&p->sorted, s->run->mem_events.data[row]))
				return false;
		}
	}
	p->next = p->sorted.len;
	return true;
}

/* Add the device's rows; the range is what `devices` will point to. */
static bool place_device(struct placing *p, const struct mlv_trace *t, uint32_t ordinal)
{
	struct mlv_run *run = p->s->run;
	size_t first = p->next;
	if (p->in_order) {
		if (!in_order(p->s, t, &p->next))
			return false;
	} else if (!copy_trace(p, t)) {
		return false;
	}
	struct mlv_device device = { .ordinal = ordinal,
				     .first_event = first,
				     .events = p->next - first };
	struct mlv_mem_event *rows = p->in_order ? run->mem_events.data : p->sorted.data;
	return set_tracks(p->s, rows + first, device.events, ordinal) &&
	       mlv_run_track(run, MLV_TRACK_DEVICE, MLV_TRACK_NONE, ordinal, &device.track) &&
	       mlv_vec_push(&run->devices, device);
}

static const struct mlv_trace *trace_of(const struct mlv_snapshot *s, mlv_word w)
{
	if (!mlv_word_is_obj(&s->values, w, OBJ_TRACE))
		return NULL;
	return &s->traces.data[s->values.objs.data[mlv_word_payload(w)].ref];
}

/* Whether all traces, one after the other, are the rows as they stand. */
static bool all_in_order(const struct mlv_snapshot *s, mlv_word traces)
{
	size_t next = 0;
	if (trace_of(s, traces))
		return in_order(s, trace_of(s, traces), &next);
	struct mlv_value_iter it = mlv_values_iter(&s->values, traces);
	for (mlv_word w; mlv_value_next(&it, &w);) {
		const struct mlv_trace *t = trace_of(s, w);
		if (t && !in_order(s, t, &next))
			return false;
	}
	return true;
}

static bool place_all(struct placing *p, mlv_word traces)
{
	/* A trace in the place of the list of traces: a file of one device. */
	if (trace_of(p->s, traces))
		return place_device(p, trace_of(p->s, traces), 0);
	uint32_t ordinal = 0;
	struct mlv_value_iter it = mlv_values_iter(&p->s->values, traces);
	for (mlv_word w; ordinal < MLV_MAX_DEVICES && mlv_value_next(&it, &w); ordinal++) {
		const struct mlv_trace *t = trace_of(p->s, w);
		if (t && !place_device(p, t, ordinal))
			return false;
	}
	return true;
}

enum mlv_rc mlv_snapshot_place_events(struct mlv_snapshot *s, mlv_word traces, struct mlv_err *err)
{
	struct mlv_run *run = s->run;
	struct placing p = { .s = s, .in_order = all_in_order(s, traces) };
	size_t rows = run->mem_events.len;
	if (!p.in_order)
		p.placed = calloc(rows + 1, 1);
	bool ok = (p.in_order || p.placed) && place_all(&p, traces);
	free(p.placed);
	if (!ok) {
		mlv_vec_free(&p.sorted);
		return mlv_err_nomem(err);
	}
	if (!p.in_order) {
		mlv_vec_free(&run->mem_events);
		run->mem_events.data = p.sorted.data;
		run->mem_events.len = p.sorted.len;
		run->mem_events.cap = p.sorted.cap;
	}
	if (p.next < rows)
		mlv_diag_add(&run->diags, MLV_DAMAGE, "event-outside", MLV_NO_OFFSET,
			     "%zu events stand in no device's trace and are left out",
			     rows - p.next);
	run->mem_events.len = p.next;
	return MLV_OK;
}
