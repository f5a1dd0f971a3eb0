/* SPDX-License-Identifier: MIT */
/*
 * Spans as complete events ("X"), those that never ended as begun ("B"), what
 * has no duration as an instant. Readers want the spans of a thread to nest:
 * where some overlap, they stand in threads of their own beside it. A call and
 * the kernel that it launched are joined by an arrow.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "analysis/span_order.h"
#include "analysis/track_label.h"
#include "base/map.h"
#include "report/export/chrome_write.h"

/* Frames of a stack that are written: more are told by their number. */
enum { FRAMES = 64 };

struct writing {
	struct mlv_chrome_run *r;
	uint8_t *lane;          /* of each span */
	uint8_t *lanes;         /* of each track: how many have a name */
	struct mlv_map callers; /* correlation -> span on the host */
};

static void put_stack(const struct mlv_run *run, mlv_stackid stack, struct mlv_json *j)
{
	struct mlv_buf text = { 0 };
	unsigned n = 0;
	for (mlv_stackid id = stack; mlv_stack_has_frame(id);
	     id = mlv_stack_caller(&run->stacks, id)) {
		const struct mlv_frame *f = mlv_stack_frame(&run->stacks, id);
		if (n++ == FRAMES) {
			mlv_buf_puts(&text, "\n\u2026");
			break;
		}
		if (text.len)
			mlv_buf_putc(&text, '\n');
		mlv_buf_str(&text, mlv_run_str(run, f->function));
		mlv_buf_putc(&text, ' ');
		mlv_buf_str(&text, mlv_run_str(run, f->file));
		if (f->line)
			mlv_buf_printf(&text, ":%" PRIu32, f->line);
	}
	mlv_json_key(j, "stack");
	mlv_json_str(j, (struct mlv_str){ text.data ? text.data : "", text.len });
	j->out->failed = j->out->failed || text.failed;
	mlv_buf_fini(&text);
}

/* An attribute may have the name of a member of ours, and any name twice: all stay apart. */
static void put_args(const struct mlv_run *run, const struct mlv_span *s, size_t row,
		     struct mlv_json *j)
{
	mlv_json_key_object(j, "args");
	mlv_json_key_uint(j, "span", row);
	if (s->status.i) {
		mlv_json_key(j, "status");
		mlv_json_str(j, mlv_run_str(run, s->status));
	}
	if (s->bytes >= 0)
		mlv_json_key_int(j, "bytes", s->bytes);
	if (s->line)
		mlv_json_key_uint(j, "line", s->line);
	if (mlv_stack_has_frame(s->stack))
		put_stack(run, s->stack, j);
	if (s->attrs.count)
		mlv_json_key_object(j, "attributes");
	for (uint32_t i = 0; i < s->attrs.count; i++) {
		const struct mlv_attr *a = &run->attrs.data[s->attrs.first + i];
		mlv_json_key_str(j, mlv_run_str(run, a->key));
		if (a->is_text)
			mlv_json_str(j, mlv_run_str(run, a->text));
		else
			mlv_json_int(j, a->number);
	}
	if (s->attrs.count)
		mlv_json_object_end(j);
	mlv_json_object_end(j);
}

/* Threads are numbered by tracks, and by lanes of these. */
static int64_t tid_of(const struct writing *w, size_t row)
{
	const struct mlv_run *run = w->r->run;
	uint32_t track = run->spans.data[row].track.i;
	if (track >= run->tracks.len)
		return w->lane[row];
	return (int64_t)track + 1 + (int64_t)w->lane[row] * ((int64_t)run->tracks.len + 1);
}

static enum mlv_rc name_lane(struct writing *w, size_t row, uint32_t pid, struct mlv_err *err)
{
	const struct mlv_run *run = w->r->run;
	uint32_t track = run->spans.data[row].track.i;
	char label[300], name[340];
	struct mlv_json j;
	if (track >= run->tracks.len || w->lane[row] <= w->lanes[track])
		return MLV_OK;
	w->lanes[track] = w->lane[row];
	mlv_track_label(run, (mlv_trackid){ track }, label, sizeof(label));
	snprintf(name, sizeof(name), "%s (%u)", label, w->lane[row] + 1U);
	mlv_chrome_begin(w->r->c, &j, "M", pid, tid_of(w, row), 0);
	mlv_json_key_text(&j, "name", "thread_name");
	mlv_json_key_object(&j, "args");
	mlv_json_key_text(&j, "name", name);
	mlv_json_object_end(&j);
	return mlv_chrome_end(w->r->c, &j, err);
}

static bool on_device(const struct mlv_run *run, const struct mlv_span *s)
{
	return s->track.i < run->tracks.len && mlv_run_device_of(run, s->track);
}

static bool correlation(const struct mlv_run *run, const struct mlv_span *s, uint64_t *key)
{
	const struct mlv_attr *a = mlv_run_attr(run, s->attrs, "correlation");
	*key = a && !a->is_text ? (uint64_t)a->number : 0;
	return a && !a->is_text && a->number > 0;
}

/* The call on the host that each correlation names first. */
static bool find_callers(struct writing *w)
{
	const struct mlv_run *run = w->r->run;
	for (size_t i = 0; i < run->spans.len; i++) {
		const struct mlv_span *s = &run->spans.data[i];
		uint64_t key;
		if (s->start_ns == MLV_NO_TIME || on_device(run, s) || !correlation(run, s, &key) ||
		    mlv_map_find(&w->callers, key))
			continue;
		if (!mlv_map_set(&w->callers, key, (uint32_t)i))
			return false;
	}
	return true;
}

static enum mlv_rc put_arrow_end(struct writing *w, const char *ph, size_t row, uint64_t id,
				 struct mlv_err *err)
{
	const struct mlv_span *s = &w->r->run->spans.data[row];
	struct mlv_json j;
	uint32_t pid;
	enum mlv_rc rc = mlv_chrome_pid(w->r, s->track, &pid, err);
	if (rc)
		return rc;
	mlv_chrome_begin(w->r->c, &j, ph, pid, tid_of(w, row), mlv_chrome_time(w->r, s->start_ns));
	mlv_json_key_uint(&j, "id", id);
	mlv_json_key_text(&j, "cat", "launch");
	mlv_json_key_text(&j, "name", "launch");
	if (*ph == 'f')
		mlv_json_key_text(&j, "bp", "e");
	return mlv_chrome_end(w->r->c, &j, err);
}

/* From the call to what it launched. */
static enum mlv_rc put_arrow(struct writing *w, size_t row, struct mlv_err *err)
{
	const struct mlv_run *run = w->r->run;
	uint64_t key;
	if (!on_device(run, &run->spans.data[row]) ||
	    !correlation(run, &run->spans.data[row], &key))
		return MLV_OK;
	struct mlv_map_slot *caller = mlv_map_find(&w->callers, key);
	if (!caller)
		return MLV_OK;
	/* Ids are of the whole file: runs use the same numbers. */
	uint64_t id = (uint64_t)w->r->c->pids << 40 | row;
	enum mlv_rc rc = put_arrow_end(w, "s", caller->value, id, err);
	return rc ? rc : put_arrow_end(w, "f", row, id, err);
}

static enum mlv_rc put_span(struct writing *w, size_t row, struct mlv_err *err)
{
	const struct mlv_run *run = w->r->run;
	const struct mlv_span *s = &run->spans.data[row];
	struct mlv_json j;
	uint32_t pid;
	int64_t took = 0, at = s->start_ns != MLV_NO_TIME ? s->start_ns : s->end_ns;
	bool lasted = mlv_run_span_took(s, &took) && took >= 0;
	if (at == MLV_NO_TIME) {
		w->r->untimed++;
		return MLV_OK;
	}
	enum mlv_rc rc = mlv_chrome_pid(w->r, s->track, &pid, err);
	if (!rc)
		rc = name_lane(w, row, pid, err);
	if (rc)
		return rc;
	bool open = s->start_ns != MLV_NO_TIME && mlv_run_span_open(run, s);
	const char *ph = lasted ? "X" : open ? "B" : "i";
	mlv_chrome_begin(w->r->c, &j, ph, pid, tid_of(w, row), mlv_chrome_time(w->r, at));
	if (lasted) {
		char text[40];
		snprintf(text, sizeof(text), "%" PRId64 ".%03" PRId64, took / 1000, took % 1000);
		mlv_json_key(&j, "dur");
		mlv_json_raw(&j, text);
	}
	if (*ph == 'i')
		mlv_json_key_text(&j, "s", "t");
	mlv_json_key(&j, "name");
	mlv_json_str(&j, mlv_run_str(run, s->name));
	if (s->category.i) {
		mlv_json_key(&j, "cat");
		mlv_json_str(&j, mlv_run_str(run, s->category));
	}
	put_args(run, s, row, &j);
	rc = mlv_chrome_end(w->r->c, &j, err);
	return rc ? rc : put_arrow(w, row, err);
}

enum mlv_rc mlv_chrome_spans(struct mlv_chrome_run *r, struct mlv_err *err)
{
	struct writing w = { .r = r };
	enum mlv_rc rc = MLV_OK;
	if (!r->run->spans.len)
		return MLV_OK;
	w.lane = mlv_span_lanes(r->run);
	w.lanes = mlv_zeroed(r->run->tracks.len, sizeof(*w.lanes));
	if (!w.lane || !w.lanes || !find_callers(&w))
		rc = mlv_err_nomem(err);
	for (size_t i = 0; !rc && i < r->run->spans.len; i++)
		rc = put_span(&w, i, err);
	mlv_map_fini(&w.callers);
	free(w.lane);
	free(w.lanes);
	return rc;
}

/* A number that was sampled, as a counter of its own; what has no time stands at its row. */
enum mlv_rc mlv_chrome_samples(struct mlv_chrome_run *r, struct mlv_err *err)
{
	const struct mlv_run *run = r->run;
	enum mlv_rc rc = MLV_OK;
	for (size_t i = 0; !rc && i < run->samples.len; i++) {
		const struct mlv_sample *s = &run->samples.data[i];
		struct mlv_decimal bare = s->value;
		struct mlv_json j;
		char text[64];
		uint32_t pid;
		if (s->value.special)
			continue;
		rc = mlv_chrome_pid(r, s->track, &pid, err);
		if (rc)
			return rc;
		int64_t ns = s->time_ns == MLV_NO_TIME ? (int64_t)i * 1000
						       : mlv_chrome_time(r, s->time_ns);
		mlv_chrome_begin(r->c, &j, "C", pid, -1, ns);
		mlv_json_key(&j, "name");
		mlv_json_str(&j, mlv_run_str(run, s->metric));
		mlv_json_key_object(&j, "args");
		bare.unit = MLV_UNIT_NONE;
		/* The key is the name of the series: every member of args is one. */
		mlv_json_key(&j,
			     s->value.unit ? mlv_unit_name((enum mlv_unit)s->value.unit) : "value");
		mlv_json_raw(&j, mlv_decimal_text(bare, text, sizeof(text)));
		mlv_json_object_end(&j);
		rc = mlv_chrome_end(r->c, &j, err);
	}
	return rc;
}
