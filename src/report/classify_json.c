/* SPDX-License-Identifier: MIT */
/* A verdict as JSON. */
#include <stdio.h>
#include <string.h>

#include "report/classify.h"

static void known(struct mlv_json *j, const char *key, int64_t value)
{
	if (value >= 0) {
		mlv_json_key_int(j, key, value);
		return;
	}
	mlv_json_key(j, key);
	mlv_json_null(j);
}

static void components(const struct mlv_verdict *v, struct mlv_json *j)
{
	mlv_json_key_object(j, "components");
	mlv_json_key_int(j, "activation_bytes", v->activation_bytes);
	mlv_json_key_int(j, "persistent_bytes", v->persistent_bytes);
	mlv_json_key(j, "cumulative_bytes_per_step");
	if (mlv_verdict_tells_growth(v))
		mlv_json_int(j, v->cumulative_bytes);
	else
		mlv_json_null(j);
	mlv_json_object_end(j);
}

static void advice(const char *key, const enum mlv_advice *list, size_t n, bool acts,
		   struct mlv_json *j)
{
	mlv_json_key_array(j, key);
	for (size_t i = 0; i < n; i++) {
		const struct mlv_advice_text *t = mlv_advice_text(list[i]);
		mlv_json_object(j);
		mlv_json_key_text(j, "code", t->code);
		mlv_json_key_text(j, "what", t->what);
		mlv_json_key_text(j, "why", acts ? t->acts : t->fails);
		mlv_json_object_end(j);
	}
	mlv_json_array_end(j);
}

/* All of them: their sum is the growth. */
static void leaks(const struct mlv_verdict *v, struct mlv_json *j)
{
	char digits[40];
	mlv_json_key_array(j, "leaks");
	for (size_t i = 0; i < v->leaks.len; i++) {
		const struct mlv_leak *leak = &v->leaks.data[i];
		mlv_json_object(j);
		mlv_json_key_text(j, "function", leak->function);
		mlv_json_key_text(j, "place", leak->place);
		mlv_json_key_text(j, "frames", leak->frames);
		mlv_json_key_int(j, "bytes_per_step", (int64_t)(leak->bytes_per_step + 0.5));
		snprintf(digits, sizeof(digits), "%.6g", leak->count_per_step);
		mlv_json_key(j, "count_per_step");
		mlv_json_raw(j, digits);
		mlv_json_key_uint(j, "live_bytes", leak->live_bytes);
		mlv_json_key_uint(j, "live_count", leak->live_count);
		mlv_json_object_end(j);
	}
	mlv_json_array_end(j);
}

static void categories(const struct mlv_verdict *v, struct mlv_json *j)
{
	mlv_json_key_object(j, "categories");
	for (size_t i = 0; i < v->categories.len; i++)
		mlv_json_key_uint(j, v->categories.data[i].name, v->categories.data[i].bytes);
	mlv_json_object_end(j);
}

static void modules(const struct mlv_verdict *v, struct mlv_json *j)
{
	mlv_json_key_array(j, "modules");
	for (size_t i = 0; i < v->modules.len; i++) {
		mlv_json_object(j);
		mlv_json_key_text(j, "name", v->modules.data[i].name);
		mlv_json_key_uint(j, "bytes", v->modules.data[i].bytes);
		mlv_json_key_uint(j, "count", v->modules.data[i].count);
		mlv_json_object_end(j);
	}
	mlv_json_array_end(j);
}

static void waterfall(const struct mlv_waterfall *w, struct mlv_json *j)
{
	if (!w->known) {
		mlv_json_key(j, "waterfall");
		mlv_json_null(j);
		return;
	}
	mlv_json_key_object(j, "waterfall");
	mlv_json_key_int(j, "peak_event", w->event);
	mlv_json_key_uint(j, "requested_bytes", w->requested);
	mlv_json_key_uint(j, "rounding_bytes", w->rounding);
	mlv_json_key_bool(j, "rounding_exact", w->exact);
	mlv_json_key_uint(j, "unallocated_bytes", w->reserved - w->requested - w->rounding);
	mlv_json_key_uint(j, "reserved_bytes", w->reserved);
	mlv_json_object_end(j);
}

void mlv_verdict_json(const struct mlv_verdict *v, struct mlv_json *j)
{
	mlv_json_object(j);
	mlv_json_key_text(j, "file", v->run->file);
	known(j, "rank", v->rank);
	known(j, "device", v->device);
	mlv_json_key_text(j, "judged_from", v->source);
	mlv_json_key_text(j, "verdict", mlv_growth_name(v->growth));
	mlv_json_key_text(j, "confidence", mlv_confidence_name(v->confidence));
	components(v, j);
	mlv_json_key_uint(j, "steps", v->steps);
	known(j, "peak_bytes", v->peak_bytes);
	known(j, "outside_bytes", v->outside_bytes);
	known(j, "steps_until_full", v->steps_until_full);
	mlv_json_key_array(j, "evidence");
	for (size_t i = 0; i < v->evidence.len; i++)
		mlv_json_text(j, v->evidence.data[i]);
	mlv_json_array_end(j);
	mlv_json_key_array(j, "fixed");
	for (size_t i = 0; i < v->fixed.len; i++) {
		mlv_json_object(j);
		mlv_json_key_text(j, "name", v->fixed.data[i].name);
		mlv_json_key_int(j, "bytes", v->fixed.data[i].bytes);
		mlv_json_object_end(j);
	}
	mlv_json_array_end(j);
	leaks(v, j);
	categories(v, j);
	modules(v, j);
	waterfall(&v->waterfall, j);
	advice("recommendations", v->advice.data, v->advice.len, true, j);
	advice("would_not_help", v->against.data, v->against.len, false, j);
	mlv_json_object_end(j);
}

void mlv_phases_json(const struct mlv_phase_grid *g, struct mlv_json *j)
{
	mlv_json_object(j);
	mlv_json_key_text(j, "file", g->run->file);
	known(j, "rank", g->rank);
	mlv_json_key_array(j, "moments");
	for (size_t i = 0; i < g->moments.len; i++) {
		const struct mlv_moment *m = &g->moments.data[i];
		mlv_json_object(j);
		known(j, "step", m->step < 0 ? -1 : g->steps.data[m->step].number);
		mlv_json_key(j, "phase");
		mlv_json_str(j, mlv_run_str(g->run, m->label));
		known(j, "allocated_bytes", m->allocated);
		known(j, "reserved_bytes", m->reserved);
		known(j, "peak_bytes", m->peak);
		known(j, "device_used_bytes", m->device_used);
		mlv_json_object_end(j);
	}
	mlv_json_array_end(j);
	mlv_json_object_end(j);
}
