/* SPDX-License-Identifier: MIT */
#include "render/html/spans_block.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/span_rows.h"
#include "analysis/track_label.h"
#include "render/name_colors.h"

enum { MOST_STACKS = 20000, MOST_FRAMES = 200 };
enum { OPEN = -1, INSTANT = -2 };

typedef MLV_VEC(uint32_t) u32s;
typedef MLV_VEC(int64_t) i64s;

struct writer {
	const struct mlv_spans_block *in;
	struct mlv_span_rows rows;
	struct mlv_pack pack;
	struct mlv_interner texts, keys;
	u32s name, category, status, attributes, stack;
	i64s start, length, bytes;
	u32s key, text;
	i64s number;
	struct mlv_map stack_ids; /* of (run, stack) */
	u32s stack_frames, frame;
	bool failed; /* memory ran out; told at the end */
};

static uint32_t intern(struct writer *w, struct mlv_interner *in, struct mlv_str s)
{
	mlv_strid id = MLV_STR_NONE;
	w->failed |= !mlv_intern(in, s.p, s.n, &id);
	return id.i;
}

static uint32_t text_of(struct writer *w, const struct mlv_run *run, mlv_strid id)
{
	return id.i ? intern(w, &w->texts, mlv_run_str(run, id)) : 0;
}

#define PUSH(w, column, value) ((w)->failed |= !mlv_vec_push(&(w)->column, value))

static void add_frame(struct writer *w, const struct mlv_run *run, const struct mlv_frame *f)
{
	struct mlv_buf line = { 0 };
	mlv_buf_str(&line, mlv_run_str(run, f->function));
	mlv_buf_puts(&line, "  ");
	mlv_buf_str(&line, mlv_run_str(run, f->file));
	if (f->line)
		mlv_buf_printf(&line, ":%" PRIu32, f->line);
	w->failed |= line.failed;
	if (!line.failed)
		PUSH(w, frame, intern(w, &w->texts, (struct mlv_str){ line.data, line.len }));
	mlv_buf_fini(&line);
}

/* The number of a stack, from 1; 0: there is none, or there are too many. */
static uint32_t stack_of(struct writer *w, uint32_t index, mlv_stackid stack)
{
	const struct mlv_run *run = w->in->runs[index];
	if (stack.i <= MLV_STACK_EMPTY.i || stack.i >= run->stacks.nodes.len)
		return 0;
	uint64_t key = (uint64_t)index << 32 | stack.i;
	const struct mlv_map_slot *slot = mlv_map_find(&w->stack_ids, key);
	if (slot)
		return slot->value;
	if (w->stack_frames.len >= MOST_STACKS)
		return 0;
	uint32_t n = 0;
	for (mlv_stackid s = stack; s.i > MLV_STACK_EMPTY.i && n < MOST_FRAMES; n++) {
		const struct mlv_stack_node *node = &run->stacks.nodes.data[s.i];
		add_frame(w, run, &run->stacks.frames.data[node->frame.i]);
		s = node->caller;
	}
	PUSH(w, stack_frames, n);
	w->failed |= !mlv_map_set(&w->stack_ids, key, (uint32_t)w->stack_frames.len);
	return (uint32_t)w->stack_frames.len;
}

/* What the row itself says already, and numbers that nobody reads. */
static bool is_said(struct mlv_str key)
{
	return mlv_str_eq(key, MLV_STR("external_id")) || mlv_str_eq(key, MLV_STR("bytes")) ||
	       mlv_str_has_suffix(key, MLV_STR("_ns"));
}

static void add_attribute(struct writer *w, const struct mlv_run *run, const struct mlv_attr *a)
{
	const int64_t exact = INT64_C(1) << 53;
	bool wide = !a->is_text && (a->number > exact || a->number < -exact);
	char digits[32];
	snprintf(digits, sizeof(digits), "%" PRId64, a->is_text ? 0 : a->number);
	PUSH(w, key, intern(w, &w->keys, mlv_run_str(run, a->key)));
	PUSH(w, number, a->is_text || wide ? 0 : a->number);
	/* 0 stands for a number, so an empty text is a blank. */
	struct mlv_str text = a->is_text ? mlv_run_str(run, a->text) : mlv_str_of(digits);
	PUSH(w, text, a->is_text || wide ? intern(w, &w->texts, text.n ? text : MLV_STR(" ")) : 0);
}

static void add_attributes(struct writer *w, const struct mlv_run *run, const struct mlv_span *s)
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < s->attrs.count; i++) {
		const struct mlv_attr *a = &run->attrs.data[s->attrs.first + i];
		if (is_said(mlv_run_str(run, a->key)))
			continue;
		add_attribute(w, run, a);
		n++;
	}
	PUSH(w, attributes, n);
}

static void add_row(struct writer *w, const struct mlv_span_item *row)
{
	uint32_t index = w->rows.tracks.data[row->track].run;
	const struct mlv_run *run = w->in->runs[index];
	const struct mlv_span *s = &run->spans.data[row->span];
	int64_t length = mlv_time_between(row->start, row->end);
	PUSH(w, start, mlv_time_between(w->rows.t0, row->start));
	PUSH(w, length, s->instant ? INSTANT : row->end == INT64_MAX ? OPEN : length);
	PUSH(w, name, text_of(w, run, s->name));
	PUSH(w, category, text_of(w, run, s->category));
	PUSH(w, status, text_of(w, run, s->status));
	PUSH(w, bytes, s->bytes);
	PUSH(w, stack, stack_of(w, index, s->stack));
	add_attributes(w, run, s);
}

static void list_texts(struct mlv_json *j, const char *key, const struct mlv_interner *in)
{
	mlv_json_key_array(j, key);
	for (size_t i = 0; i < in->strings.len; i++)
		mlv_json_str(j, in->strings.data[i]);
	mlv_json_array_end(j);
}

static void list_tracks(struct writer *w)
{
	struct mlv_json *j = &w->pack.meta;
	char label[300];
	mlv_json_key_array(j, "tracks");
	for (size_t i = 0; i < w->rows.tracks.len; i++) {
		const struct mlv_span_track *t = &w->rows.tracks.data[i];
		const struct mlv_run *run = w->in->runs[t->run];
		mlv_track_label(run, t->track, label, sizeof(label));
		mlv_json_object(j);
		mlv_json_key_text(j, "label", label);
		mlv_json_key_text(j, "kind",
				  mlv_track_kind_name(run->tracks.data[t->track.i].kind));
		mlv_json_key(j, "file");
		mlv_json_str(j, mlv_str_basename(mlv_str_of(run->file)));
		mlv_json_key_uint(j, "rows", t->count);
		mlv_json_object_end(j);
	}
	mlv_json_array_end(j);
}

static void write_meta(struct writer *w)
{
	struct mlv_json *j = &w->pack.meta;
	char digits[32];
	snprintf(digits, sizeof(digits), "%" PRId64, w->rows.t0);
	mlv_json_key_text(j, "title", w->in->title);
	mlv_json_key_int(j, "rank", w->in->rank);
	mlv_json_key_text(j, "start", digits);
	mlv_json_key_int(j, "length", mlv_time_between(w->rows.t0, w->rows.t1));
	mlv_json_key_text(j, "clock", w->in->unix_clock ? "unix" : "own");
	mlv_json_key_uint(j, "total", w->rows.total);
	mlv_json_key_uint(j, "untimed", w->rows.untimed);
	mlv_json_key_int(j, "parts", MLV_SPAN_PARTS);
	list_tracks(w);
	list_texts(j, "keys", &w->keys);
	list_texts(j, "texts", &w->texts);
}

/* A name that no kept span has is no text here, and needs no colour. */
static enum mlv_rc write_colors(struct writer *w, struct mlv_err *err)
{
	struct mlv_name_totals names;
	u32s text = { 0 }, colour = { 0 };
	enum mlv_rc rc = mlv_name_totals_init(&names, w->in->runs, w->in->count, err);
	struct mlv_color *colors = rc ? NULL : mlv_name_colors(&names, MLV_NAMES_COLORED);
	size_t texts = w->texts.strings.len;
	for (size_t i = 0; colors && i < names.list.len; i++) {
		struct mlv_color c = colors[i];
		uint32_t rgb = (uint32_t)c.r << 16 | (uint32_t)c.g << 8 | c.b;
		uint32_t id = intern(w, &w->texts, names.list.data[i].name);
		if (id < texts)
			w->failed |= !mlv_vec_push(&text, id) || !mlv_vec_push(&colour, rgb);
	}
	mlv_pack_u32(&w->pack, "name_text", text.data, text.len);
	mlv_pack_u32(&w->pack, "name_colour", colour.data, colour.len);
	mlv_name_totals_fini(&names);
	free(colors);
	mlv_vec_free(&text);
	mlv_vec_free(&colour);
	return rc ? rc : colors ? MLV_OK : mlv_err_nomem(err);
}

static void write_rest(struct writer *w)
{
	u32s track = { 0 }, part = { 0 }, count = { 0 };
	i64s ns = { 0 };
	for (size_t i = 0; i < w->rows.rest.len; i++) {
		const struct mlv_span_rest *r = &w->rows.rest.data[i];
		w->failed |= !mlv_vec_push(&track, r->track) || !mlv_vec_push(&part, r->part) ||
			     !mlv_vec_push(&count, r->count) || !mlv_vec_push(&ns, r->ns);
	}
	mlv_pack_u32(&w->pack, "rest_track", track.data, track.len);
	mlv_pack_u32(&w->pack, "rest_part", part.data, part.len);
	mlv_pack_u32(&w->pack, "rest_count", count.data, count.len);
	mlv_pack_i64(&w->pack, "rest_ns", ns.data, ns.len);
	mlv_vec_free(&track);
	mlv_vec_free(&part);
	mlv_vec_free(&count);
	mlv_vec_free(&ns);
}

static void write_columns(struct writer *w)
{
	mlv_pack_i64(&w->pack, "start", w->start.data, w->start.len);
	mlv_pack_i64(&w->pack, "length", w->length.data, w->length.len);
	mlv_pack_i64(&w->pack, "bytes", w->bytes.data, w->bytes.len);
	mlv_pack_u32(&w->pack, "name", w->name.data, w->name.len);
	mlv_pack_u32(&w->pack, "category", w->category.data, w->category.len);
	mlv_pack_u32(&w->pack, "status", w->status.data, w->status.len);
	mlv_pack_u32(&w->pack, "stack", w->stack.data, w->stack.len);
	mlv_pack_u32(&w->pack, "attributes", w->attributes.data, w->attributes.len);
	mlv_pack_u32(&w->pack, "attribute_key", w->key.data, w->key.len);
	mlv_pack_u32(&w->pack, "attribute_text", w->text.data, w->text.len);
	mlv_pack_i64(&w->pack, "attribute_number", w->number.data, w->number.len);
	mlv_pack_u32(&w->pack, "stack_frames", w->stack_frames.data, w->stack_frames.len);
	mlv_pack_u32(&w->pack, "frame", w->frame.data, w->frame.len);
}

static void fini(struct writer *w)
{
	mlv_span_rows_fini(&w->rows);
	mlv_pack_fini(&w->pack);
	mlv_interner_fini(&w->texts);
	mlv_interner_fini(&w->keys);
	mlv_vec_free(&w->name);
	mlv_vec_free(&w->category);
	mlv_vec_free(&w->status);
	mlv_vec_free(&w->attributes);
	mlv_vec_free(&w->stack);
	mlv_vec_free(&w->start);
	mlv_vec_free(&w->length);
	mlv_vec_free(&w->bytes);
	mlv_vec_free(&w->key);
	mlv_vec_free(&w->text);
	mlv_vec_free(&w->number);
	mlv_map_fini(&w->stack_ids);
	mlv_vec_free(&w->stack_frames);
	mlv_vec_free(&w->frame);
}

enum mlv_rc mlv_spans_block_add(struct mlv_html *html, const char *id,
				const struct mlv_spans_block *block, struct mlv_spans_written *ret,
				struct mlv_err *err)
{
	struct writer w = { .in = block };
	memset(ret, 0, sizeof(*ret));
	mlv_pack_init(&w.pack);
	bool texts = mlv_interner_init(&w.texts), keys = mlv_interner_init(&w.keys);
	enum mlv_rc rc = texts && keys ? MLV_OK : mlv_err_nomem(err);
	if (!rc)
		rc = mlv_span_rows_init(&w.rows, block->runs, block->count, block->most, err);
	for (size_t i = 0; !rc && i < w.rows.list.len; i++)
		add_row(&w, &w.rows.list.data[i]);
	if (!rc && w.rows.total) {
		write_meta(&w);
		write_columns(&w);
		write_rest(&w);
		rc = write_colors(&w, err);
		if (!rc)
			rc = w.failed
				     ? mlv_err_nomem(err)
				     : mlv_html_pack(html, id, "spans", block->title, &w.pack, err);
		*ret = (struct mlv_spans_written){ w.rows.t0, w.rows.t1, w.rows.total,
						   w.rows.list.len };
	}
	fini(&w);
	return rc;
}

enum mlv_rc mlv_span_waits_add(struct mlv_html *html, const char *id, const char *spans,
			       const struct mlv_span_wait *waits, size_t count, int64_t zero,
			       struct mlv_err *err)
{
	struct mlv_pack pack;
	i64s start = { 0 }, length = { 0 };
	bool ok = true;
	for (size_t i = 0; ok && i < count; i++)
		ok = mlv_vec_push(&start, mlv_time_between(zero, waits[i].start_ns)) &&
		     mlv_vec_push(&length, waits[i].wait_ns);
	mlv_pack_init(&pack);
	mlv_json_key_text(&pack.meta, "spans", spans);
	mlv_pack_i64(&pack, "start", start.data, start.len);
	mlv_pack_i64(&pack, "wait", length.data, length.len);
	enum mlv_rc rc = ok ? mlv_html_pack(html, id, "waits", "", &pack, err) : mlv_err_nomem(err);
	mlv_pack_fini(&pack);
	mlv_vec_free(&start);
	mlv_vec_free(&length);
	return rc;
}
