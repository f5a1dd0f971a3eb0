/* SPDX-License-Identifier: MIT */
/* What an input itself states: errors and warnings of logs. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/num.h"
#include "report/ci/gather.h"
#include "report/ci/stated.h"

static struct mlv_str attr(const struct mlv_gather *g, const struct mlv_finding *f, const char *key)
{
	const struct mlv_attr *a = mlv_run_attr(g->run, f->attrs, key);
	return a && a->is_text ? mlv_run_str(g->run, a->text) : MLV_STR("");
}

/* What else stands in a traceback says the same in other words, and without a line. */
static bool is_told(const struct mlv_gather *g, const struct mlv_finding *f)
{
	if (mlv_str_eq(mlv_run_str(g->run, f->code), MLV_STR("traceback")))
		return mlv_stated_oom(MLV_STR(""), mlv_run_str(g->run, f->text)) &&
		       g->run->findings.len > 1;
	return !mlv_stated_oom(mlv_run_str(g->run, f->code), MLV_STR("")) &&
	       mlv_traceback_around(&g->tracebacks, f) != NULL;
}

static struct mlv_ci_place place_of(struct mlv_gather *g, const struct mlv_finding *f)
{
	const struct mlv_finding *t = mlv_traceback_around(&g->tracebacks, f);
	struct mlv_ci_place place = mlv_gather_place(g, f->stack);
	if (!place.file && t)
		place = mlv_gather_place(g, t->stack);
	struct mlv_str file = mlv_run_str(g->run, f->file);
	if (!place.file && file.n) {
		place.file = mlv_report_copy(g->r, file);
		place.line = f->file_line;
	}
	return place;
}

static double requested(const struct mlv_gather *g, const struct mlv_finding *f)
{
	struct mlv_str s = attr(g, f, "requested");
	char text[MLV_NUM_SIZE];
	uint64_t bytes;
	snprintf(text, sizeof(text), "%.*s", s.n > 30 ? 30 : (int)s.n, s.p);
	return mlv_parse_bytes(text, &bytes) ? (double)bytes : 0;
}

static void observe_oom(struct mlv_gather *g, const struct mlv_finding *f)
{
	struct mlv_ci_place place = place_of(g, f);
	struct mlv_str asked = attr(g, f, "requested");
	struct mlv_observation *o = mlv_observe(g->r, "out-of-memory",
						place.file ? mlv_gather_subject(g->r, place)
							   : "a request for device memory");
	if (!o)
		return;
	o->group = o->subject;
	o->stated = true;
	o->head = "out of memory";
	o->value = asked.n ? mlv_report_say(g->r, "%.*s could not be had", (int)asked.n, asked.p)
			   : mlv_stated_cut(g->r, mlv_run_str(g->run, f->text));
	o->metric = "requested";
	o->unit = "B";
	o->actual = o->weight = o->bytes = requested(g, f);
	o->has_actual = o->bytes > 0;
	o->place = place;
	mlv_observation_detail(g->r, o, mlv_stated_cut(g->r, mlv_run_str(g->run, f->text)));
}

static void observe_statement(struct mlv_gather *g, const struct mlv_finding *f, const char *rule)
{
	struct mlv_str code = mlv_run_str(g->run, f->code), text = mlv_run_str(g->run, f->text);
	struct mlv_ci_place place = place_of(g, f);
	struct mlv_observation *o = mlv_observe(g->r, rule, mlv_stated_subject(g->r, code, text));
	if (!o)
		return;
	o->group = o->subject;
	o->stated = true;
	o->of_hang = mlv_stated_of_hang(code, text);
	o->head = mlv_report_say(g->r, "%.*s: %s", (int)code.n, code.p, mlv_stated_cut(g->r, text));
	o->place = place;
}

static void observe(struct mlv_gather *g, const struct mlv_finding *f)
{
	struct mlv_str code = mlv_run_str(g->run, f->code);
	size_t before = g->r->observations.list.len;
	if (f->severity == MLV_FINDING_NOTE || is_told(g, f))
		return;
	if (mlv_stated_oom(code, mlv_run_str(g->run, f->text)))
		observe_oom(g, f);
	else
		observe_statement(g, f, f->severity == MLV_FINDING_ERROR ? "failure" : "warning");
	if (g->r->observations.list.len == before)
		return;
	struct mlv_observation *o = &g->r->observations.list.data[before];
	o->rank = f->rank >= 0 ? f->rank : g->run->rank;
	o->input = g->name;
	o->input_line = f->line;
}

void mlv_gather_texts(struct mlv_gather *g)
{
	g->r->failed |= !mlv_tracebacks_init(&g->tracebacks, g->run);
	for (size_t i = 0; i < g->run->findings.len && !g->r->failed; i++)
		observe(g, &g->run->findings.data[i]);
	mlv_tracebacks_fini(&g->tracebacks);
}
