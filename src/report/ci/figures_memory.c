/* SPDX-License-Identifier: MIT */
/* Figures of memory: of recordings by their histories, of reports and logs by what they state. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analysis/growth/classify.h"
#include "analysis/heap_sums.h"
#include "replay/counters.h"
#include "report/ci/figures.h"
#include "report/quantity.h"
#include "report/run_counters.h"

static int64_t bytes(uint64_t n)
{
	return n > INT64_MAX ? INT64_MAX : (int64_t)n;
}

/* Shares are rounded up, so that what is above a limit is above it in millionths too. */
static int64_t share(uint64_t part, uint64_t whole)
{
	const mlv_wide all = (mlv_wide)100 * MLV_PERCENT * part;
	return whole ? (int64_t)((all + (mlv_wide)whole - 1) / (mlv_wide)whole) : 0;
}

static bool holds_anything(const struct mlv_run *run, const struct mlv_device *d)
{
	for (size_t i = 0; i < d->events; i++)
		if (run->mem_events.data[d->first_event + i].action != MLV_MEM_SNAPSHOT)
			return true;
	return d->segments > 0;
}

/* "device 1" where a rank has several: "" else. */
static const char *device_name(struct mlv_ci_gather *g, size_t row)
{
	size_t used = 0;
	char text[40];
	for (size_t i = 0; i < g->run->devices.len; i++)
		used += holds_anything(g->run, &g->run->devices.data[i]);
	if (used < 2)
		return "";
	snprintf(text, sizeof(text), "device %u", g->run->devices.data[row].ordinal);
	return mlv_ci_figures_text(g->f, mlv_str_of(text));
}

/* ------------------------------------------------------------------ one recording */

struct device {
	struct mlv_ci_gather *g;
	const struct mlv_history *h;
	const char *name;
};

static void add(struct device *d, const char *metric, int64_t value, bool complete)
{
	struct mlv_ci_figure *one =
		mlv_ci_figure_add(d->g, metric, d->g->run->rank, d->name, value);
	if (!one || complete)
		return;
	one->complete = false;
	one->why = d->h->cut ? "the recording is cut off"
			     : "the recording does not begin with an empty allocator";
}

static void add_heap(struct device *d)
{
	struct mlv_heap_sums sums = mlv_heap_sums_of(d->h);
	if (!d->h->device->segments)
		return;
	add(d, "idle_end", bytes(sums.idle), !d->h->cut);
	add(d, "fragmentation", share(sums.idle, sums.reserved), !d->h->cut);
}

/* Of a trace bytes are rounded, and it knows of a part of the run alone. */
static void add_trace(struct device *d)
{
	add(d, "allocated_peak", bytes(d->h->requested.peak), true);
	struct mlv_ci_figure *one =
		d->g->f->failed ? NULL : &d->g->f->list.data[d->g->f->list.len - 1];
	if (one) {
		one->complete = false;
		one->why = "a trace tells of the traced steps only";
	}
}

static enum mlv_rc add_recording(struct device *d, struct mlv_err *err)
{
	const struct mlv_history *h = d->h;
	struct mlv_counters counted;
	enum mlv_rc rc = mlv_counters_of(&counted, h, err);
	if (rc)
		return rc;
	/* The final heap is a state, whenever the recording began. */
	bool end = !h->cut && !h->overlaps;
	add(d, "requested_peak", bytes(h->requested.peak), h->complete);
	add(d, "requested_end", bytes(h->requested.end), end);
	add(d, "reserved_peak", bytes(h->reserved.peak), h->complete);
	add(d, "reserved_end", bytes(h->reserved.end), end);
	if (counted.known) {
		add(d, "allocated_peak", bytes(counted.stats.allocated_bytes.peak), h->complete);
		add(d, "allocated_end", bytes(counted.stats.allocated_bytes.now), end);
	} else {
		struct mlv_ci_figure *one =
			mlv_ci_figure_add(d->g, "allocated_peak", d->g->run->rank, d->name, 0);
		if (one) {
			one->known = false;
			one->why = "the replay that would tell it is not exact";
		}
	}
	add(d, "ooms", bytes(h->action_count[MLV_MEM_OOM]), h->complete);
	add_heap(d);
	return MLV_OK;
}

static enum mlv_rc device(struct mlv_ci_gather *g, size_t row, struct mlv_err *err)
{
	struct mlv_history h;
	enum mlv_rc rc = mlv_history_init(&h, g->run, row, err);
	if (rc)
		return rc;
	struct device d = { g, &h, device_name(g, row) };
	g->source = MLV_FROM_RECORDING;
	if (h.device->bytes_are == MLV_BYTES_MAPPED) {
		add(&d, "mapped_peak", bytes(h.requested.peak), !h.cut);
	} else if (h.device->bytes_are == MLV_BYTES_ALLOCATED) {
		g->source = MLV_FROM_TRACE;
		add_trace(&d);
	} else if (h.count) {
		rc = add_recording(&d, err);
	} else {
		/* Without a history the final heap is all that is known. */
		add(&d, "reserved_end", bytes(mlv_heap_sums_of(&h).reserved), !h.cut);
		add_heap(&d);
	}
	mlv_history_fini(&h);
	return rc;
}

/* ------------------------------------------------------------------ what grows */

static void unknown_growth(struct mlv_ci_gather *g, const struct mlv_verdict *v, const char *metric,
			   const char *subject)
{
	struct mlv_ci_figure *one = mlv_ci_figure_add(g, metric, v->rank, subject, 0);
	if (!one)
		return;
	one->known = false;
	one->why = "there are too few steps to tell growth";
}

/* The most that one stack of each function adds in a step; and the most of all. */
static void leaks(struct mlv_ci_gather *g, const struct mlv_verdict *v)
{
	int64_t worst = 0;
	for (size_t i = 0; i < v->leaks.len; i++) {
		const struct mlv_leak *leak = &v->leaks.data[i];
		int64_t each = llround(leak->bytes_per_step);
		bool seen = false;
		worst = each > worst ? each : worst;
		/* They come the fastest first. */
		for (size_t k = 0; k < i; k++)
			seen = seen || strcmp(v->leaks.data[k].function, leak->function) == 0;
		if (!seen && leak->function[0])
			mlv_ci_figure_add(g, "leak", v->rank,
					  mlv_ci_figures_text(g->f, mlv_str_of(leak->function)),
					  each);
	}
	mlv_ci_figure_add(g, "leak", v->rank, "", worst);
}

static void verdict(struct mlv_ci_gather *g, const struct mlv_verdict *v)
{
	bool recorded = v->device >= 0;
	const struct mlv_device *device = recorded ? &g->run->devices.data[v->device_row] : NULL;
	const char *subject = recorded ? device_name(g, v->device_row) : "";
	g->source = !recorded                                  ? MLV_FROM_REPORT
		    : device->bytes_are == MLV_BYTES_ALLOCATED ? MLV_FROM_TRACE
							       : MLV_FROM_RECORDING;
	if (v->growth == MLV_GROWTH_UNKNOWN) {
		unknown_growth(g, v, "growth", subject);
		if (recorded)
			unknown_growth(g, v, "leak", "");
		return;
	}
	int64_t each = v->cumulative_bytes > 0 ? v->cumulative_bytes : 0;
	mlv_ci_figure_add(g, "growth", v->rank, subject, each);
	if (recorded)
		leaks(g, v);
}

static enum mlv_rc growth(struct mlv_ci_gather *g, struct mlv_err *err)
{
	struct mlv_verdicts v = { 0 };
	struct mlv_classify_options o = { .capacity = 0 };
	enum mlv_rc rc = mlv_classify_run(&v, g->run, &o, err);
	for (size_t i = 0; !rc && i < v.list.len; i++)
		verdict(g, &v.list.data[i]);
	mlv_verdicts_fini(&v);
	return rc;
}

/* ------------------------------------------------------------------ reports and logs */

static enum mlv_rc stated(struct mlv_ci_gather *g, struct mlv_err *err)
{
	static const char *const names[MLV_RUN_COUNTERS] = { "requested_peak", "requested_end",
							     "allocated_peak", "allocated_end",
							     "reserved_peak",  "reserved_end" };
	struct mlv_run_counters c;
	enum mlv_rc rc = mlv_run_counters_of(&c, g->run, err);
	g->source = g->run->samples.len ? MLV_FROM_REPORT : MLV_FROM_COUNTERS;
	for (unsigned i = 0; !rc && i < MLV_RUN_COUNTERS; i++)
		if (c.known[i])
			mlv_ci_figure_add(g, names[i], g->run->rank, "", c.value[i]);
	return rc;
}

enum mlv_rc mlv_ci_figures_memory(struct mlv_ci_gather *g, struct mlv_err *err)
{
	enum mlv_rc rc = MLV_OK;
	for (size_t i = 0; !rc && i < g->run->devices.len; i++)
		if (holds_anything(g->run, &g->run->devices.data[i]))
			rc = device(g, i, err);
	if (!rc && !g->run->devices.len)
		rc = stated(g, err);
	return rc ? rc : growth(g, err);
}
