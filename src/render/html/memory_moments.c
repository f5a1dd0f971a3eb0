/* SPDX-License-Identifier: MIT */
/* What a history holds besides allocations: times, other events, annotations. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "render/html/memory_rows.h"

static uint64_t greatest_divisor(uint64_t a, uint64_t b)
{
	while (b) {
		uint64_t rest = a % b;
		a = b;
		b = rest;
	}
	return a;
}

/* Recorders count microseconds: in their own unit times are a third as long. */
enum mlv_rc mlv_memory_rows_times(struct mlv_pack *pack, const struct mlv_history *h,
				  struct mlv_err *err)
{
	if (!h->has_times)
		return MLV_OK;
	int64_t *times = malloc(h->count * sizeof(*times));
	if (!times)
		return mlv_err_nomem(err);
	uint64_t unit = 0;
	for (size_t i = 0; i < h->count; i++) {
		times[i] = mlv_time_between(h->events[0].time_ns, h->events[i].time_ns);
		unit = greatest_divisor(unit,
					times[i] < 0 ? 0 - (uint64_t)times[i] : (uint64_t)times[i]);
	}
	/* Within the signed numbers by which it divides. */
	if (!unit || unit > INT64_MAX)
		unit = 1;
	for (size_t i = 0; i < h->count; i++)
		times[i] /= (int64_t)unit;
	mlv_pack_i64(pack, "time", times, h->count);
	free(times);
	mlv_json_key_uint(&pack->meta, "time_unit", unit);
	/* As text: a number of the page would lose the last digits. */
	char start[24];
	snprintf(start, sizeof(start), "%" PRId64, h->events[0].time_ns);
	mlv_json_key_text(&pack->meta, "time_start", start);
	return MLV_OK;
}

enum { EVENT, ACTION, HIGH, LOW, STACK, NOTE, NARROW, BYTES = NARROW, STREAM, WIDE };

static const char *const other_columns[] = { "other_event",    "other_action", "other_addr_high",
					     "other_addr_low", "other_stack",  "other_note",
					     "other_bytes",    "other_stream" };

static int64_t stream_of(const struct mlv_run *run, mlv_trackid track)
{
	return track.i < run->tracks.len ? run->tracks.data[track.i].number : -1;
}

static int64_t other_value(const struct mlv_history *h, struct mlv_stack_table *t, uint32_t event,
			   int column)
{
	const struct mlv_mem_event *e = &h->events[event];
	switch (column) {
	case EVENT:
		return event;
	case ACTION:
		return e->action;
	case HIGH:
		return (int64_t)(e->addr >> 32);
	case LOW:
		return (int64_t)(e->addr & UINT32_MAX);
	case STACK:
		return mlv_stack_table_id(t, e->stack);
	case NOTE:
		return mlv_stack_table_text(t, h->run->notes.data[e->note.i].action);
	case BYTES:
		return mlv_page_bytes(e->bytes);
	default:
		return stream_of(h->run, e->track);
	}
}

enum mlv_rc mlv_memory_rows_others(struct mlv_pack *pack, const struct mlv_history *h,
				   struct mlv_stack_table *t, struct mlv_err *err)
{
	size_t n = h->other_count;
	int64_t *wide = malloc((n + 1) * sizeof(*wide));
	uint32_t *narrow = malloc((n + 1) * sizeof(*narrow));
	bool ok = wide && narrow;
	for (int c = 0; ok && c < WIDE; c++) {
		for (size_t i = 0; i < n; i++) {
			wide[i] = other_value(h, t, h->others[i], c);
			narrow[i] = (uint32_t)wide[i];
		}
		if (c < NARROW)
			mlv_pack_u32(pack, other_columns[c], narrow, n);
		else
			mlv_pack_i64(pack, other_columns[c], wide, n);
	}
	free(wide);
	free(narrow);
	if (!ok)
		return mlv_err_nomem(err);
	mlv_json_key_array(&pack->meta, "actions");
	for (int a = 0; a < MLV_MEM_ACTIONS; a++)
		mlv_json_text(&pack->meta, mlv_mem_action_name((enum mlv_mem_action)a));
	mlv_json_array_end(&pack->meta);
	return MLV_OK;
}

/* Since the first event; of a recording without times there is none. */
enum mlv_rc mlv_memory_rows_spans(struct mlv_pack *pack, const struct mlv_history *h,
				  mlv_trackid device, struct mlv_stack_table *t,
				  struct mlv_err *err)
{
	enum { BEGAN_BEFORE = 1, NEVER_ENDED = 2 };
	const struct mlv_run *run = h->run;
	if (!h->has_times)
		return MLV_OK;
	size_t n = 0, most = run->spans.len + 1;
	int64_t *from = malloc(most * sizeof(*from)), *to = malloc(most * sizeof(*to));
	uint32_t *name = malloc(most * sizeof(*name)), *open = malloc(most * sizeof(*open));
	bool ok = from && to && name && open;
	int64_t t0 = h->events[0].time_ns, t1 = h->events[h->count - 1].time_ns;
	for (size_t i = 0; ok && i < run->spans.len; i++) {
		const struct mlv_span *s = &run->spans.data[i];
		if (s->track.i != device.i)
			continue;
		from[n] = s->start_ns == MLV_NO_TIME ? 0 : mlv_time_between(t0, s->start_ns);
		to[n] = mlv_time_between(t0, s->end_ns == MLV_NO_TIME ? t1 : s->end_ns);
		open[n] = (s->start_ns == MLV_NO_TIME ? BEGAN_BEFORE : 0) |
			  (s->end_ns == MLV_NO_TIME ? NEVER_ENDED : 0);
		name[n++] = mlv_stack_table_text(t, s->name);
	}
	if (ok) {
		mlv_pack_i64(pack, "span_from", from, n);
		mlv_pack_i64(pack, "span_to", to, n);
		mlv_pack_u32(pack, "span_name", name, n);
		mlv_pack_u32(pack, "span_open", open, n);
	}
	free(from);
	free(to);
	free(name);
	free(open);
	return ok ? MLV_OK : mlv_err_nomem(err);
}
