/* SPDX-License-Identifier: MIT */
/* The Chrome trace as somebody else's parser reads it: its sums are those of the model. */
#include "unit.h"

#include <cJSON.h>
#include <string.h>

#include "recording.h"
#include "replay/counters.h"
#include "report/export/export.h"
#include "snapshot_writer.h"

static enum mlv_rc append(void *opaque, const void *data, size_t n, struct mlv_err *err)
{
	(void)err;
	mlv_buf_add(opaque, data, n);
	return MLV_OK;
}

static cJSON *chrome(const struct mlv_run *const *runs, size_t count)
{
	struct mlv_buf text = { 0 };
	struct mlv_sink sink = { append, &text };
	unit_check(mlv_export_chrome(runs, count, &sink, NULL) == MLV_OK);
	cJSON *json = cJSON_ParseWithLength(text.data, text.len);
	unit_check(json);
	mlv_buf_fini(&text);
	return json;
}

static double number(const cJSON *o, const char *key)
{
	const cJSON *v = cJSON_GetObjectItem(o, key);
	unit_check(cJSON_IsNumber(v));
	return v->valuedouble;
}

static bool is(const cJSON *e, const char *key, const char *text)
{
	const cJSON *v = cJSON_GetObjectItem(e, key);
	return cJSON_IsString(v) && strcmp(v->valuestring, text) == 0;
}

struct counter {
	double peak, last;
	size_t count;
};

/* A series of the n-th process that has memory. */
static struct counter counter_of(const cJSON *json, size_t n, const char *series)
{
	struct counter c = { .peak = -1 };
	const cJSON *e;
	int pid = -1;
	size_t seen = 0;
	cJSON_ArrayForEach(e, cJSON_GetObjectItem(json, "traceEvents"))
	{
		if (!is(e, "ph", "C") || !is(e, "name", "memory"))
			continue;
		if ((int)number(e, "pid") != pid) {
			pid = (int)number(e, "pid");
			seen++;
		}
		const cJSON *v = cJSON_GetObjectItem(cJSON_GetObjectItem(e, "args"), series);
		if (seen != n + 1 || !v)
			continue;
		c.last = v->valuedouble;
		c.peak = c.last > c.peak ? c.last : c.peak;
		c.count++;
	}
	return c;
}

/* Returns whether what was allocated is known. */
static bool check_device(const cJSON *json, const struct mlv_run *run, size_t d)
{
	struct mlv_history h;
	struct mlv_counters counters;
	unit_check(mlv_history_init(&h, run, d, NULL) == MLV_OK);
	unit_check(mlv_counters_of(&counters, &h, NULL) == MLV_OK);
	struct counter c = counter_of(json, d, "requested");
	unit_check(c.peak == (double)h.requested.peak);
	unit_check(c.last == (double)h.requested.end && c.count);
	c = counter_of(json, d, "reserved");
	unit_check(c.peak == (double)h.reserved.peak || !h.reserved.peak);
	unit_check(c.last == (double)h.reserved.end);
	c = counter_of(json, d, "allocated");
	unit_check((c.count > 0) == counters.known);
	unit_check(!counters.known || (c.last == (double)counters.stats.allocated_bytes.now &&
				       c.peak == (double)counters.stats.allocated_bytes.peak));
	mlv_history_fini(&h);
	return counters.known;
}

START_TEST(counters_are_those_of_the_history)
{
	for (uint64_t seed = 1; seed <= 30; seed++) {
		struct snap_program p = { .seed = seed,
					  .steps = 200,
					  .devices = 1 + (int)(seed % 3),
					  .streams = 2,
					  .pools = 2,
					  .times = seed % 2 == 0,
					  .stacks = true,
					  .oom = true };
		struct snap s;
		struct mlv_buf bytes = { 0 };
		struct mlv_run run;
		const struct mlv_run *runs[] = { &run };
		snap_record(&s, &p);
		if (seed % 4 == 0)
			snap_keep_last(&s, 80);
		snap_write(&s, (struct snap_style){ .form = SNAP_P4 }, &bytes);
		unit_check(snap_read(&run, &bytes, 0, &mlv_limits_default, NULL) == MLV_OK);
		cJSON *json = chrome(runs, 1);
		for (size_t d = 0; d < run.devices.len; d++)
			check_device(json, &run, d);
		cJSON_Delete(json);
		mlv_run_fini(&run);
		mlv_buf_fini(&bytes);
		snap_fini(&s);
	}
}
END_TEST

/* Of a real recording, an exact replay tells what was allocated as well. */
START_TEST(counters_of_a_recording)
{
	static const char *const names[] = { "train-adamw.pickle.zst", "oom-3.6-native.pickle.zst",
					     "multi-gpu.pickle.zst" };
	const char *dir = recording_folder("SAMPLES");
	for (size_t i = 0; dir && i < sizeof(names) / sizeof(names[0]); i++) {
		struct mlv_buf bytes;
		struct mlv_run run;
		const struct mlv_run *runs[] = { &run };
		unit_check(recording_load(dir, names[i], &bytes));
		unit_check(snap_read(&run, &bytes, 0, &mlv_limits_default, NULL) == MLV_OK);
		cJSON *json = chrome(runs, 1);
		for (size_t d = 0; d < run.devices.len; d++)
			unit_check(check_device(json, &run, d));
		cJSON_Delete(json);
		mlv_run_fini(&run);
		mlv_buf_fini(&bytes);
	}
}
END_TEST

static void add_span(struct mlv_run *run, mlv_trackid track, const char *name, int64_t start,
		     int64_t end)
{
	struct mlv_span s = { .start_ns = start,
			      .end_ns = end,
			      .track = track,
			      .stack = MLV_STACK_NONE,
			      .bytes = -1 };
	unit_check(mlv_run_intern(run, mlv_str_of(name), &s.name) && mlv_vec_push(&run->spans, s));
}

static mlv_trackid add_track(struct mlv_run *run, enum mlv_track_kind kind, mlv_trackid parent,
			     int64_t number)
{
	mlv_trackid id;
	unit_check(mlv_run_track(run, kind, parent, number, &id));
	return id;
}

/* Complete events of one thread lie within each other or apart. */
static bool nests(const cJSON *events)
{
	const cJSON *a, *b;
	cJSON_ArrayForEach(a, events)
	{
		cJSON_ArrayForEach(b, events)
		{
			if (a == b || !is(a, "ph", "X") || !is(b, "ph", "X") ||
			    number(a, "pid") != number(b, "pid") ||
			    number(a, "tid") != number(b, "tid"))
				continue;
			double s = number(a, "ts"), e = s + number(a, "dur");
			double t = number(b, "ts"), f = t + number(b, "dur");
			if (s < t && t < e - 1e-6 && e < f - 1e-6)
				return false;
		}
	}
	return true;
}

START_TEST(spans_are_all_there)
{
	for (uint64_t seed = 1; seed <= 40; seed++) {
		struct mlv_run run;
		const struct mlv_run *runs[] = { &run };
		uint64_t state = seed;
		double took = 0, total = 0;
		size_t n = 0, open = 0;
		unit_check(mlv_run_init(&run, "file"));
		mlv_trackid process = add_track(&run, MLV_TRACK_PROCESS, MLV_TRACK_NONE, 7);
		mlv_trackid t[2] = { add_track(&run, MLV_TRACK_THREAD, process, 1),
				     add_track(&run, MLV_TRACK_THREAD, process, 2) };
		for (int i = 0; i < 40; i++) {
			int64_t start = 1000 + (int64_t)(unit_random(&state) % 5000);
			int64_t ns = (int64_t)(unit_random(&state) % 900);
			add_span(&run, t[i % 2], "x", start, start + ns);
			took += (double)ns;
		}
		add_span(&run, t[0], "open", 1500, MLV_NO_TIME);
		cJSON *json = chrome(runs, 1), *events = cJSON_GetObjectItem(json, "traceEvents");
		const cJSON *e;
		cJSON_ArrayForEach(e, events)
		{
			open += is(e, "ph", "B");
			if (!is(e, "ph", "X"))
				continue;
			n++;
			total += number(e, "dur") * 1000;
		}
		ck_assert_uint_eq(n, 40);
		ck_assert_uint_eq(open, 1);
		unit_check(total > took - 0.01 && total < took + 0.01);
		unit_check(nests(events));
		cJSON_Delete(json);
		mlv_run_fini(&run);
	}
}
END_TEST

static double zero_of(const cJSON *json, int file)
{
	return number(
		cJSON_GetArrayItem(
			cJSON_GetObjectItem(cJSON_GetObjectItem(json, "otherData"), "files"), file),
		"zero_ns");
}

START_TEST(ranks_have_one_clock_if_they_can)
{
	struct mlv_run a, b;
	const struct mlv_run *runs[] = { &a, &b };
	unit_check(mlv_run_init(&a, "a") && mlv_run_init(&b, "b"));
	a.rank = 0;
	b.rank = 1;
	mlv_trackid ta = add_track(&a, MLV_TRACK_PROCESS, MLV_TRACK_NONE, 7);
	mlv_trackid tb = add_track(&b, MLV_TRACK_PROCESS, MLV_TRACK_NONE, 7);
	add_span(&a, ta, "x", 5000000, 6000000);
	add_span(&b, tb, "x", 5002000, 6002000);
	cJSON *json = chrome(runs, 2), *events = cJSON_GetObjectItem(json, "traceEvents");
	const cJSON *e;
	double pid = 0;
	size_t n = 0;
	unit_check(zero_of(json, 0) == 5000000 && zero_of(json, 1) == 5000000);
	cJSON_ArrayForEach(e, events)
	{
		if (!is(e, "ph", "X"))
			continue;
		/* The same process number in another rank is another process. */
		unit_check(number(e, "pid") != pid);
		pid = number(e, "pid");
		unit_check(number(e, "ts") == (n++ ? 2 : 0));
	}
	cJSON_Delete(json);
	a.spans.data[0].start_ns -= INT64_C(1) << 60;
	a.spans.data[0].end_ns -= INT64_C(1) << 60;
	json = chrome(runs, 2);
	unit_check(zero_of(json, 1) == 5002000);
	cJSON_Delete(json);
	mlv_run_fini(&a);
	mlv_run_fini(&b);
}
END_TEST

START_TEST(names_are_text)
{
	struct mlv_run run;
	const struct mlv_run *runs[] = { &run };
	const char *name = "\"},{\"ph\":\"X\\\n\x01</script>\xff";
	unit_check(mlv_run_init(&run, name));
	mlv_trackid t = add_track(&run, MLV_TRACK_PROCESS, MLV_TRACK_NONE, 7);
	uint32_t first = mlv_run_attrs_begin(&run);
	unit_check(mlv_run_attr_text(&run, "status", mlv_str_of(name)) &&
		   mlv_run_attr_int(&run, name, INT64_MIN));
	add_span(&run, t, name, INT64_MIN + 1, INT64_MAX);
	run.spans.data[0].attrs = mlv_run_attrs_end(&run, first);
	cJSON *json = chrome(runs, 1);
	size_t n = 0;
	const cJSON *e;
	cJSON_ArrayForEach(e, cJSON_GetObjectItem(json, "traceEvents")) n +=
		is(e, "ph", "X") && is(e, "name", "\"},{\"ph\":\"X\\\n\x01</script>\xef\xbf\xbd");
	ck_assert_uint_eq(n, 1);
	cJSON_Delete(json);
	mlv_run_fini(&run);
}
END_TEST

UNIT_MAIN("chrome", counters_are_those_of_the_history, counters_of_a_recording, spans_are_all_there,
	  ranks_have_one_clock_if_they_can, names_are_text)
