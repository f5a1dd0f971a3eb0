/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/growth/study_runs.h"
#include "cli/classify_picture.h"
#include "cli/command.h"
#include "cli/exit.h"
#include "cli/load.h"
#include "cli/output.h"
#include "replay/counters.h"
#include "report/classify.h"
#include "report/experiment.h"

struct state {
	const char *fail_on, *param;
	uint64_t capacity, top;
	bool show_phases;
	struct mlv_picture_options picture;
	struct mlv_common common;
};

static const struct mlv_option options[] = {
	MLV_OPT(0, "show-phases", FLAG, struct state, show_phases, NULL,
		"print the table of phases of all reports side by side"),
	MLV_OPT(0, "capacity", BYTES, struct state, capacity, "BYTES",
		"memory of a device, where a report does not say it or another one is meant"),
	MLV_OPT(0, "fail-on", STRING, struct state, fail_on, "VERDICTS",
		"exit with 1 if a verdict is one of these, such as cumulative,unknown"),
	MLV_OPT(0, "param", STRING, struct state, param, "NAME=A,B",
		"what the runs differ in, as one number for each in their order; more numbers "
		"are foretold"),
	MLV_OPT(0, "top", UINT, struct state, top, "N", "print N rows of each ranking"),
	MLV_PICTURE_OPTIONS(struct state, picture),
	MLV_COMMON_OPTIONS(struct state, common),
	MLV_OPT_END,
};

static void defaults(void *opaque)
{
	struct state *st = opaque;
	st->top = 10;
	mlv_picture_options_init(&st->picture);
}

/* "cumulative,unknown" as a set of bits. */
static enum mlv_rc read_fail_on(const struct state *st, unsigned *set, struct mlv_err *err)
{
	*set = 0;
	for (const char *at = st->fail_on; at && *at;) {
		size_t n = strcspn(at, ",");
		int g = 0;
		while (g < MLV_GROWTHS && !(strlen(mlv_growth_name((enum mlv_growth)g)) == n &&
					    !strncmp(mlv_growth_name((enum mlv_growth)g), at, n)))
			g++;
		if (g == MLV_GROWTHS)
			return mlv_err_set(err, MLV_E_USAGE,
					   "--fail-on: '%.*s' is no verdict; they are activation, "
					   "persistent, cumulative, stable and unknown",
					   n > 40 ? 40 : (int)n, at);
		*set |= 1u << g;
		at += n + (at[n] == ',');
	}
	return MLV_OK;
}

/* "layers=12,24": a name and values; the name goes into `name`. */
static enum mlv_rc read_param(const struct state *st, char *name, size_t size,
			      struct mlv_experiment_options *o, struct mlv_err *err)
{
	const char *values = st->param ? strchr(st->param, '=') : NULL;
	if (!st->param)
		return MLV_OK;
	if (!values || values == st->param || (size_t)(values - st->param) >= size)
		return mlv_err_set(err, MLV_E_USAGE,
				   "--param: '%.60s' is not NAME=NUMBER,NUMBER,...", st->param);
	memcpy(name, st->param, (size_t)(values - st->param));
	o->param = name;
	o->values = values + 1;
	return MLV_OK;
}

/* How far requests are rounded up at the peak: a replay tells, if it is exact. */
static enum mlv_rc measure_blocks(struct mlv_verdict *v, struct mlv_err *err)
{
	struct mlv_waterfall *w = &v->waterfall;
	struct mlv_history h;
	struct mlv_counters c;
	if (!w->known || w->event < 0)
		return MLV_OK;
	enum mlv_rc rc = mlv_history_init(&h, v->run, v->device_row, err);
	if (rc)
		return rc;
	rc = mlv_counters_at(&c, &h, (uint32_t)w->event, err);
	if (!rc && c.known && c.allocated_at >= w->requested && c.allocated_at <= w->reserved) {
		w->rounding = c.allocated_at - w->requested;
		w->exact = true;
	}
	mlv_history_fini(&h);
	return rc;
}

static enum mlv_rc judge(const struct state *st, const struct mlv_inputs *in,
			 struct mlv_runs_study *s, struct mlv_err *err)
{
	struct mlv_experiment_options o = { .capacity = st->capacity };
	char name[64] = "";
	const struct mlv_run **runs = calloc(in->count + 1, sizeof(*runs));
	if (!runs)
		return mlv_err_nomem(err);
	for (size_t i = 0; i < in->count; i++)
		runs[i] = &in->list[i].run;
	enum mlv_rc rc = read_param(st, name, sizeof(name), &o, err);
	if (!rc)
		rc = mlv_runs_study_init(s, runs, in->count, &o, err);
	for (size_t i = 0; !rc && i < s->verdicts.list.len; i++)
		rc = measure_blocks(&s->verdicts.list.data[i], err);
	free(runs);
	return rc;
}

/* The phases of all inputs, side by side. */
static enum mlv_rc emit_phases(const struct mlv_inputs *in, struct mlv_json *json,
			       struct mlv_buf *out, struct mlv_err *err)
{
	MLV_VEC(struct mlv_phase_grid) grids = { 0 };
	enum mlv_rc rc = MLV_OK;
	for (size_t i = 0; !rc && i < in->count; i++) {
		const struct mlv_run *run = &in->list[i].run;
		mlv_trackid *tracks = NULL;
		size_t count = 0;
		rc = mlv_phase_tracks(run, &tracks, &count, err);
		for (size_t k = 0; !rc && k < count; k++) {
			struct mlv_phase_grid g;
			rc = mlv_phase_grid_init(&g, run, tracks[k], err);
			if (!rc && !mlv_vec_push(&grids, g))
				rc = mlv_err_nomem(err);
		}
		free(tracks);
	}
	if (!rc && !json && grids.len)
		rc = mlv_phase_table_text(grids.data, grids.len, out, err);
	for (size_t i = 0; i < grids.len; i++) {
		if (json && !rc)
			mlv_phases_json(&grids.data[i], json);
		mlv_phase_grid_fini(&grids.data[i]);
	}
	mlv_vec_free(&grids);
	return rc;
}

static enum mlv_rc emit_text(const struct state *st, const struct mlv_inputs *in,
			     const struct mlv_runs_study *s, struct mlv_buf *out,
			     struct mlv_err *err)
{
	const struct mlv_run *run = NULL;
	enum mlv_rc rc = st->show_phases ? emit_phases(in, NULL, out, err) : MLV_OK;
	for (size_t i = 0; i < s->verdicts.list.len; i++) {
		const struct mlv_verdict *one = &s->verdicts.list.data[i];
		if (one->run != run) {
			run = one->run;
			mlv_buf_puts(out, out->len ? "\n" : "");
			mlv_buf_safe(out, (struct mlv_str){ run->file, strlen(run->file) });
			mlv_buf_printf(out, ": %s\n", run->format);
		}
		mlv_verdict_text(one, (size_t)st->top, out);
	}
	mlv_rank_sets_text(&s->ranks, &s->verdicts, out);
	mlv_experiment_text(&s->experiment, out);
	return rc;
}

static enum mlv_rc emit_json(const struct state *st, const struct mlv_inputs *in,
			     const struct mlv_runs_study *s, struct mlv_buf *out,
			     struct mlv_err *err)
{
	struct mlv_json json;
	enum mlv_rc rc = MLV_OK;
	mlv_json_document(&json, out, "mlviz.classify/1");
	mlv_json_key_array(&json, "runs");
	for (size_t i = 0; i < s->verdicts.list.len; i++)
		mlv_verdict_json(&s->verdicts.list.data[i], &json);
	mlv_json_array_end(&json);
	mlv_experiment_json(&s->experiment, &json);
	mlv_rank_sets_json(&s->ranks, &s->verdicts, &json);
	if (st->show_phases) {
		mlv_json_key_array(&json, "phases");
		rc = emit_phases(in, &json, out, err);
		mlv_json_array_end(&json);
	}
	mlv_json_document_end(&json);
	return rc;
}

static bool is_judged(const struct mlv_runs_study *s, const struct mlv_run *run)
{
	for (size_t i = 0; i < s->verdicts.list.len; i++) {
		if (s->verdicts.list.data[i].run == run)
			return true;
	}
	for (size_t i = 0; i < s->experiment.subjects.len; i++) {
		if (s->experiment.subjects.data[i].run == run &&
		    s->experiment.subjects.data[i].used)
			return true;
	}
	return false;
}

/* Inputs that were read and hold nothing of memory are not left out without a word. */
static void note_unjudged(const struct state *st, const struct mlv_inputs *in,
			  const struct mlv_runs_study *s)
{
	size_t n = 0;
	for (size_t i = 0; i < in->count; i++) {
		const struct mlv_run *run = &in->list[i].run;
		if (is_judged(s, run))
			continue;
		n++;
		if (st->common.verbose)
			fprintf(stderr, "mlviz: note: %s: %s holds nothing that classify judges\n",
				run->file, run->format);
	}
	if (n && !st->common.quiet && !st->common.verbose)
		fprintf(stderr,
			"mlviz: note: %zu of %zu inputs hold%s nothing that classify judges; -v "
			"tells which\n",
			n, in->count, n == 1 ? "s" : "");
}

static enum mlv_rc emit(const struct state *st, struct mlv_inputs *in,
			const struct mlv_runs_study *s, unsigned fail_on, struct mlv_buf *out,
			struct mlv_err *err)
{
	if (!s->verdicts.list.len && !s->experiment.list.len && in->count)
		return mlv_err_set(
			err, MLV_E_FORMAT,
			"there is nothing to judge in %s: classify takes memory reports, "
			"snapshots and logs of memory",
			in->count == 1 ? "it" : "the inputs");
	for (size_t i = 0; i < s->verdicts.list.len; i++) {
		const struct mlv_verdict *one = &s->verdicts.list.data[i];
		mlv_inputs_diags(in, one->run->file, &one->notes, &st->common);
		if (fail_on & (1u << one->growth))
			in->exit_code = mlv_exit_worst(in->exit_code, MLV_EXIT_THRESHOLD);
	}
	note_unjudged(st, in, s);
	return st->common.json ? emit_json(st, in, s, out, err) : emit_text(st, in, s, out, err);
}

/* -o NAME.svg and NAME.png are pictures, beside which the words are printed. */
static enum mlv_rc draw(const struct state *st, const struct mlv_runs_study *s, struct mlv_err *err)
{
	enum mlv_form form = mlv_form_of(st->common.output);
	struct mlv_buf picture = { 0 };
	if (form == MLV_FORM_NONE)
		return MLV_OK;
	enum mlv_rc rc = mlv_classify_picture_draw(&s->verdicts, &st->picture, form, &picture, err);
	if (!rc)
		rc = mlv_output_buf(st->common.output, &picture, err);
	mlv_buf_fini(&picture);
	return rc;
}

static int run(void *opaque, int argc, char **argv)
{
	struct state *st = opaque;
	struct mlv_err err = MLV_ERR_INIT;
	struct mlv_inputs in;
	struct mlv_runs_study s = { 0 };
	struct mlv_buf out = { 0 };
	unsigned fail_on;
	if (read_fail_on(st, &fail_on, &err)) {
		mlv_report_error(&err);
		return mlv_exit_of(err.rc);
	}
	mlv_inputs_load(&in, argc, argv, &st->common);
	if (judge(st, &in, &s, &err) || emit(st, &in, &s, fail_on, &out, &err) ||
	    draw(st, &s, &err)) {
		if (in.count == 1 && err.rc != MLV_E_USAGE)
			mlv_err_file(&err, in.list[0].run.file);
		mlv_inputs_fail(&in, &err);
		out.len = 0;
	}
	mlv_runs_study_fini(&s);
	if (mlv_form_of(st->common.output) != MLV_FORM_NONE)
		st->common.output = NULL; /* it is written; the words go to standard output */
	return mlv_inputs_end(&in, &st->common, &out);
}

const struct mlv_command mlv_cmd_classify = {
	.name = "classify",
	.summary = "why memory grows: activations, state that stays, or a leak",
	.usage = "mlviz classify [options] FILE...",
	.details =
		"Judges what makes the memory of a run grow, by what was measured in it and "
		"nothing "
		"else: activation (rises in the forward pass and falls back), persistent (appears "
		"with "
		"the optimizer and stays), cumulative (grows from step to step), stable or "
		"unknown. "
		"Each verdict has its three components, its evidence, and what acts on the cause "
		"and what does not. docs/verdicts.md explains every rule and threshold.\n\n"
		"-o NAME.svg or NAME.png draws the evidence: memory through the steps, the "
		"baseline of each, and the components. The words are printed as well.",
	.examples = "mlviz classify report.json\n"
		    "mlviz classify --show-phases alpha.json beta.json gamma.json\n"
		    "mlviz classify --fail-on cumulative train.log\n"
		    "mlviz classify --capacity 80GiB batch1.json batch2.json batch4.json",
	.options = options,
	.state_size = sizeof(struct state),
	.defaults = defaults,
	.common_offset = offsetof(struct state, common),
	.min_args = 1,
	.max_args = -1,
	.run = run,
};
