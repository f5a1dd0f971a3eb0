/* SPDX-License-Identifier: MIT */
#include "report/ci/gather.h"

#include <string.h>

static void add_notes(struct mlv_report *r, struct mlv_report_input *in, const struct mlv_diags *d)
{
	for (size_t i = 0; i < d->list.len; i++) {
		const struct mlv_diag *g = &d->list.data[i];
		struct mlv_report_note note = { .severity = g->severity,
						.code = g->code,
						.text = mlv_report_say(r, "%s%s", g->text,
								       g->count > 1 ? " (and more)"
										    : "") };
		r->failed |= !mlv_vec_push(&in->notes, note);
	}
}

static void add_input(struct mlv_gather *g)
{
	const struct mlv_run *run = g->run;
	struct mlv_report_input in = {
		.file = g->name,
		.format = run->format,
		.title = run->title ? run->title : run->format,
		.rank = run->rank,
		.events = run->mem_events.len,
		.rows = run->spans.len + run->samples.len + run->metrics.len + run->findings.len,
	};
	for (size_t i = 0; i < run->tracks.len; i++)
		in.speaks |= run->tracks.data[i].kind == MLV_TRACK_RANK;
	add_notes(g->r, &in, &run->diags);
	g->input = (uint32_t)g->r->inputs.len;
	g->r->failed |= !mlv_vec_push(&g->r->inputs, in);
}

void mlv_report_damage(struct mlv_report *r, const char *name, const char *text)
{
	struct mlv_observation *o = mlv_observe(r, "damaged-input", "a file ends early");
	if (!o)
		return;
	o->head = mlv_report_say(r, "%s could not be read whole", name);
	o->value = mlv_report_copy(r, mlv_str_of(text));
	o->input = mlv_report_copy(r, mlv_str_of(name));
}

static void observe_damage(struct mlv_gather *g)
{
	for (size_t i = 0; i < g->run->diags.list.len; i++) {
		const struct mlv_diag *d = &g->run->diags.list.data[i];
		if (d->severity != MLV_DAMAGE)
			continue;
		struct mlv_observation *o = mlv_observe(g->r, "damaged-input", d->code);
		if (!o)
			return;
		o->head = mlv_report_say(g->r, "%s could not be read whole", g->name);
		o->value = mlv_report_copy(g->r, mlv_str_of(d->text));
		o->input = g->name;
		o->input_line = d->line;
	}
}

struct mlv_report_rank *mlv_gather_row(struct mlv_gather *g, int64_t rank, int64_t device)
{
	for (size_t i = g->first_rank; i < g->r->ranks.len; i++) {
		struct mlv_report_rank *k = &g->r->ranks.data[i];
		if (k->rank == rank && k->device == device)
			return k;
	}
	return NULL;
}

struct mlv_ci_place mlv_gather_place(struct mlv_gather *g, mlv_stackid stack)
{
	struct mlv_ci_place place = { .function = "" };
	uint32_t site;
	if (!mlv_site_of(&g->sites, stack, &site)) {
		g->r->failed = true;
		return place;
	}
	const struct mlv_site *s = &g->sites.list.data[site];
	if (s->kind != MLV_SITE_PYTHON)
		return place;
	const struct mlv_frame *f = &g->run->stacks.frames.data[s->user.i];
	place.function = mlv_report_copy(g->r, mlv_run_str(g->run, f->function));
	place.file = mlv_report_copy(g->r, mlv_run_str(g->run, f->file));
	place.line = f->line;
	return place;
}

const char *mlv_gather_subject(struct mlv_report *r, struct mlv_ci_place place)
{
	if (!place.file)
		return "no line of the program";
	struct mlv_str file = mlv_str_basename(mlv_str_of(place.file));
	return mlv_report_say(r, "%s %.*s", place.function, file.n > 200 ? 200 : (int)file.n,
			      file.p);
}

enum mlv_rc mlv_report_gather(struct mlv_report *r, const struct mlv_run *run, const char *name,
			      const struct mlv_gather_options *o, struct mlv_err *err)
{
	struct mlv_gather g = { .r = r, .run = run, .o = o, .first_rank = r->ranks.len };
	g.name = mlv_report_copy(r, mlv_str_of(name));
	enum mlv_rc rc = mlv_sites_init(&g.sites, run, &o->user_path, o->user_path != NULL, err);
	if (rc)
		return rc;
	add_input(&g);
	observe_damage(&g);
	rc = mlv_gather_memory(&g, err);
	if (!rc)
		rc = mlv_gather_growth(&g, err);
	if (!rc)
		mlv_gather_texts(&g);
	mlv_sites_fini(&g.sites);
	return rc ? rc : r->failed ? mlv_err_nomem(err) : MLV_OK;
}
