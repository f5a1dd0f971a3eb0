/* SPDX-License-Identifier: MIT */
/*
 * The Trace Event Format, as Perfetto and chrome://tracing read it: processes
 * and threads for the tracks of each run, and one clock for all of them. An
 * event is written as it comes; what a process is called is told before its
 * first event.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/track_label.h"
#include "report/export/chrome_write.h"

/* Runs whose times are further apart than this have clocks of their own. */
static const int64_t one_day = INT64_C(86400) * 1000000000;

void mlv_chrome_ts(struct mlv_buf *b, int64_t ns)
{
	uint64_t n = ns < 0 ? 0 - (uint64_t)ns : (uint64_t)ns;
	unsigned rest = (unsigned)(n % 1000);
	const char fraction[] = { '.', (char)('0' + rest / 100), (char)('0' + rest / 10 % 10),
				  (char)('0' + rest % 10) };
	if (ns < 0)
		mlv_buf_putc(b, '-');
	mlv_buf_int(b, (int64_t)(n / 1000));
	mlv_buf_add(b, fraction, sizeof(fraction));
}

int64_t mlv_chrome_time(const struct mlv_chrome_run *r, int64_t time_ns)
{
	return r->zero == MLV_NO_TIME ? time_ns : mlv_time_between(r->zero, time_ns);
}

void mlv_chrome_begin(struct mlv_chrome *c, struct mlv_json *j, const char *ph, uint32_t pid,
		      int64_t tid, int64_t ns)
{
	char text[40];
	struct mlv_buf ts = { 0 };
	mlv_buf_puts(&c->out, c->any ? ",\n" : "\n");
	c->any = true;
	mlv_json_init_compact(j, &c->out);
	mlv_json_object(j);
	mlv_json_key_text(j, "ph", ph);
	mlv_json_key_uint(j, "pid", pid);
	if (tid >= 0)
		mlv_json_key_int(j, "tid", tid);
	mlv_chrome_ts(&ts, ns);
	snprintf(text, sizeof(text), "%s", ts.data ? ts.data : "0");
	mlv_buf_fini(&ts);
	mlv_json_key(j, "ts");
	mlv_json_raw(j, text);
}

enum mlv_rc mlv_chrome_end(struct mlv_chrome *c, struct mlv_json *j, struct mlv_err *err)
{
	mlv_json_object_end(j);
	c->events++;
	return mlv_sink_drain(c->sink, &c->out, err);
}

static enum mlv_rc name_event(struct mlv_chrome *c, const char *what, uint32_t pid, int64_t tid,
			      const char *name, struct mlv_err *err)
{
	struct mlv_json j;
	mlv_chrome_begin(c, &j, "M", pid, tid, 0);
	mlv_json_key_text(&j, "name", what);
	mlv_json_key_object(&j, "args");
	mlv_json_key_text(&j, "name", name);
	mlv_json_object_end(&j);
	return mlv_chrome_end(c, &j, err);
}

/* The track whose process it is: a thread's, a stream's or a group's is what stands above it. */
static mlv_trackid process_of(const struct mlv_run *run, mlv_trackid track)
{
	const struct mlv_track *t = &run->tracks.data[track.i];
	bool within = t->kind == MLV_TRACK_STREAM || t->kind == MLV_TRACK_THREAD ||
		      t->kind == MLV_TRACK_GROUP;
	return within && t->parent.i < run->tracks.len ? t->parent : track;
}

static enum mlv_rc new_process(struct mlv_chrome_run *r, const char *label, uint32_t *pid,
			       struct mlv_err *err)
{
	char name[700];
	snprintf(name, sizeof(name), "%s%s%s", r->label, *r->label && *label ? " \u00b7 " : "",
		 label);
	*pid = ++r->c->pids;
	return name_event(r->c, "process_name", *pid, 0, *name ? name : "recording", err);
}

enum mlv_rc mlv_chrome_pid(struct mlv_chrome_run *r, mlv_trackid track, uint32_t *pid,
			   struct mlv_err *err)
{
	const struct mlv_run *run = r->run;
	char label[300];
	enum mlv_rc rc = MLV_OK;
	if (track.i >= run->tracks.len) {
		if (!r->whole)
			rc = new_process(r, "", &r->whole, err);
		*pid = r->whole;
		return rc;
	}
	mlv_trackid process = process_of(run, track);
	if (!r->pid[process.i]) {
		mlv_track_label(run, process, label, sizeof(label));
		/* A rank is the label of the run already. */
		bool said = *r->label && run->tracks.data[process.i].kind == MLV_TRACK_RANK &&
			    strcmp(label, r->label) == 0;
		rc = new_process(r, said ? "" : label, &r->pid[process.i], err);
	}
	if (!rc && !r->pid[track.i]) {
		r->pid[track.i] = r->pid[process.i];
		mlv_track_label(run, track, label, sizeof(label));
		rc = name_event(r->c, "thread_name", r->pid[track.i], (int64_t)track.i + 1, label,
				err);
	}
	*pid = r->pid[track.i];
	return rc;
}

/* ---- clocks ---- */

static void earlier(int64_t *first, int64_t time)
{
	if (time != MLV_NO_TIME && (*first == MLV_NO_TIME || time < *first))
		*first = time;
}

static int64_t first_time(const struct mlv_run *run)
{
	int64_t first = MLV_NO_TIME;
	for (size_t i = 0; i < run->mem_events.len; i++)
		earlier(&first, run->mem_events.data[i].time_ns);
	for (size_t i = 0; i < run->spans.len; i++)
		earlier(&first, run->spans.data[i].start_ns);
	for (size_t i = 0; i < run->samples.len; i++)
		earlier(&first, run->samples.data[i].time_ns);
	return first;
}

/* One zero for all whose times lie within a day of each other; else each begins at 0. */
static bool set_zeros(struct mlv_chrome_run *runs, size_t count)
{
	int64_t least = MLV_NO_TIME, most = MLV_NO_TIME;
	for (size_t i = 0; i < count; i++) {
		runs[i].zero = first_time(runs[i].run);
		earlier(&least, runs[i].zero);
		if (runs[i].zero != MLV_NO_TIME && (most == MLV_NO_TIME || runs[i].zero > most))
			most = runs[i].zero;
	}
	if (least == MLV_NO_TIME || mlv_time_between(least, most) > one_day)
		return least == MLV_NO_TIME;
	for (size_t i = 0; i < count; i++) {
		if (runs[i].zero != MLV_NO_TIME)
			runs[i].zero = least;
	}
	return true;
}

/* ---- the file ---- */

static void put_label(struct mlv_chrome_run *r, bool several)
{
	struct mlv_str file = mlv_str_basename(mlv_str_of(r->run->file));
	if (r->run->rank >= 0)
		snprintf(r->label, sizeof(r->label), "rank %" PRId64, r->run->rank);
	else if (several)
		snprintf(r->label, sizeof(r->label), "%.*s", file.n > 200 ? 200 : (int)file.n,
			 file.p);
}

static void put_head(struct mlv_chrome *c, const struct mlv_chrome_run *runs, size_t count,
		     bool one_clock)
{
	struct mlv_json j;
	mlv_buf_puts(&c->out, "{\"displayTimeUnit\": \"ns\",\n\"otherData\": ");
	mlv_json_init_compact(&j, &c->out);
	mlv_json_object(&j);
	mlv_json_key_text(&j, "writer", "mlviz " MLV_VERSION);
	mlv_json_key_text(
		&j, "clock",
		one_clock ? "one for all files"
			  : "one for each file, which begins at 0: they cannot be compared");
	mlv_json_key_array(&j, "files");
	for (size_t i = 0; i < count; i++) {
		mlv_json_object(&j);
		mlv_json_key_text(&j, "file", runs[i].run->file);
		mlv_json_key_text(&j, "format", runs[i].run->format);
		if (runs[i].zero != MLV_NO_TIME)
			mlv_json_key_int(&j, "zero_ns", runs[i].zero);
		else
			mlv_json_key_text(&j, "time",
					  "not recorded: event and row numbers stand "
					  "for microseconds");
		mlv_json_object_end(&j);
	}
	mlv_json_array_end(&j);
	mlv_json_object_end(&j);
	mlv_buf_puts(&c->out, ",\n\"traceEvents\": [");
}

static enum mlv_rc write_run(struct mlv_chrome_run *r, struct mlv_err *err)
{
	r->pid = mlv_zeroed(r->run->tracks.len, sizeof(*r->pid));
	if (!r->pid)
		return mlv_err_nomem(err);
	enum mlv_rc rc = mlv_chrome_memory(r, err);
	if (!rc)
		rc = mlv_chrome_spans(r, err);
	if (!rc)
		rc = mlv_chrome_samples(r, err);
	free(r->pid);
	return rc;
}

enum mlv_rc mlv_export_chrome(const struct mlv_run *const *runs, size_t count,
			      const struct mlv_sink *sink, struct mlv_err *err)
{
	struct mlv_chrome c = { .sink = sink };
	struct mlv_chrome_run *list = calloc(count, sizeof(*list));
	if (!list)
		return mlv_err_nomem(err);
	for (size_t i = 0; i < count; i++) {
		list[i].c = &c;
		list[i].run = runs[i];
		put_label(&list[i], count > 1);
	}
	bool one_clock = set_zeros(list, count);
	put_head(&c, list, count, one_clock);
	enum mlv_rc rc = MLV_OK;
	uint64_t untimed = 0;
	for (size_t i = 0; !rc && i < count; i++) {
		rc = write_run(&list[i], err);
		untimed += list[i].untimed;
	}
	mlv_buf_printf(&c.out, "\n],\n\"spansWithoutTime\": %" PRIu64 "}\n", untimed);
	if (!rc)
		rc = mlv_sink_flush(sink, &c.out, err);
	mlv_buf_fini(&c.out);
	free(list);
	return rc;
}
