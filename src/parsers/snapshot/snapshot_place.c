/* SPDX-License-Identifier: MIT */
/*
 * Events learn for certain what device they belong to only when the list of
 * their trace has found its place in "device_traces". In files as PyTorch
 * writes them the rows stand in order already and their tracks were guessed
 * right: then nothing is touched. Any other file is put in order here.
 */
#include "parsers/snapshot/snapshot_build.h"

#include <stdlib.h>
#include <string.h>

struct placing {
	struct mlv_snapshot *s;
	MLV_VEC(struct mlv_mem_event) sorted; /* used when the rows are out of order */
	uint8_t *placed;                      /* a byte for each row, when out of order */
	size_t next;                          /* rows placed so far */
	bool in_order;
	bool tracks_hold;
	MLV_VEC(struct mlv_track) guessed; /* the tracks of the rows, when they do not hold */
};

static struct mlv_trace *trace_of(const struct mlv_snapshot *s, mlv_word w)
{
	if (!mlv_word_is_obj(&s->values, w, OBJ_TRACE))
		return NULL;
	return &s->traces.data[s->values.objs.data[mlv_word_payload(w)].ref];
}

/* The next trace of "device_traces" and its ordinal. */
struct walk {
	struct mlv_value_iter it;
	mlv_word alone; /* a trace in the place of the list of traces: a file of one device */
	uint32_t ordinal;
};

static struct walk walk_start(const struct mlv_snapshot *s, mlv_word traces)
{
	struct walk w = { mlv_values_iter(&s->values, traces), traces, 0 };
	return w;
}

static struct mlv_trace *walk_next(const struct mlv_snapshot *s, struct walk *w, uint32_t *ordinal)
{
	struct mlv_trace *t = trace_of(s, w->alone);
	if (t) {
		w->alone = mlv_word_make(MLV_W_UNSET, 0);
		*ordinal = 0;
		return t;
	}
	for (mlv_word word; w->ordinal < MLV_MAX_DEVICES && mlv_value_next(&w->it, &word);) {
		*ordinal = w->ordinal++;
		if ((t = trace_of(s, word)))
			return t;
	}
	return NULL;
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

/* Whether all traces, one after the other, are the rows as they stand, and their devices too. */
static void judge(struct placing *p, mlv_word traces)
{
	const struct mlv_snapshot *s = p->s;
	const struct mlv_track *tracks = s->run->tracks.data;
	struct walk w = walk_start(s, traces);
	size_t next = 0;
	uint32_t ordinal;
	p->in_order = p->tracks_hold = true;
	for (const struct mlv_trace *t; (t = walk_next(s, &w, &ordinal));) {
		p->in_order = p->in_order && in_order(s, t, &next);
		p->tracks_hold = p->tracks_hold && t->device.i != MLV_TRACK_NONE.i &&
				 tracks[t->device.i].number == ordinal;
	}
	/* Rows outside all traces go, and their tracks with them. */
	if (next != s->run->mem_events.len)
		p->tracks_hold = false;
}

/* Begin the table of tracks anew; the rows' old tracks tell their streams. */
static bool forget_tracks(struct placing *p)
{
	struct mlv_run *run = p->s->run;
	if (!mlv_vec_room(&p->guessed, run->tracks.len + 1))
		return false;
	if (run->tracks.len)
		memcpy(p->guessed.data, run->tracks.data,
		       run->tracks.len * sizeof(*run->tracks.data));
	run->tracks.len = 0;
	mlv_map_fini(&run->track_ids);
	return true;
}

static bool set_tracks(struct placing *p, struct mlv_mem_event *rows, size_t n, uint32_t device)
{
	struct mlv_run *run = p->s->run;
	mlv_trackid on, track = MLV_TRACK_NONE;
	uint32_t last = UINT32_MAX;
	if (!mlv_run_track(run, MLV_TRACK_DEVICE, MLV_TRACK_NONE, device, &on))
		return false;
	for (size_t i = 0; i < n; i++) {
		uint32_t old = rows[i].track.i;
		if (old != last &&
		    !mlv_run_track(run, MLV_TRACK_STREAM, on, p->guessed.data[old].number, &track))
			return false;
		last = old;
		rows[i].track = track;
	}
	return true;
}

static bool copy_trace(struct placing *p, struct mlv_trace *t)
{
	struct mlv_snapshot *s = p->s;
	if (t->placed) {
		mlv_diag_add(&s->run->diags, MLV_DAMAGE, "trace-twice", MLV_NO_OFFSET,
			     "one trace stands for two devices; the first one keeps it");
		return true;
	}
	t->placed = true;
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
static bool place_device(struct placing *p, struct mlv_trace *t, uint32_t ordinal)
{
	struct mlv_run *run = p->s->run;
	size_t first = p->next;
	if (!(p->in_order ? in_order(p->s, t, &p->next) : copy_trace(p, t)))
		return false;
	struct mlv_device device = {
		.ordinal = ordinal, .first_event = first, .events = p->next - first, .cut = t->cut
	};
	struct mlv_mem_event *rows = p->in_order ? run->mem_events.data : p->sorted.data;
	if (!p->tracks_hold && !set_tracks(p, rows + first, device.events, ordinal))
		return false;
	return mlv_run_track(run, MLV_TRACK_DEVICE, MLV_TRACK_NONE, ordinal, &device.track) &&
	       mlv_vec_push(&run->devices, device);
}

static bool place_all(struct placing *p, mlv_word traces)
{
	struct walk w = walk_start(p->s, traces);
	uint32_t ordinal;
	for (struct mlv_trace *t; (t = walk_next(p->s, &w, &ordinal));) {
		if (!place_device(p, t, ordinal))
			return false;
	}
	return true;
}

enum mlv_rc mlv_snapshot_place_events(struct mlv_snapshot *s, mlv_word traces, struct mlv_err *err)
{
	struct mlv_run *run = s->run;
	struct placing p = { .s = s };
	size_t rows = run->mem_events.len;
	judge(&p, traces);
	if (!p.in_order)
		p.placed = calloc(rows + 1, 1);
	bool ok = (p.in_order || p.placed) && (p.tracks_hold || forget_tracks(&p)) &&
		  place_all(&p, traces);
	free(p.placed);
	mlv_vec_free(&p.guessed);
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
	if (p.next + s->unfinished < rows)
		mlv_diag_add(&run->diags, MLV_DAMAGE, "event-outside", MLV_NO_OFFSET,
			     "%zu events stand in no device's trace and are left out",
			     rows - p.next - s->unfinished);
	run->mem_events.len = p.next;
	return MLV_OK;
}
