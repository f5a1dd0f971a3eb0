/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* realpath */
#include "cli/report_load.h"

#include <stdlib.h>
#include <string.h>

/* Standard input is called so in the names of what it holds. */
static struct mlv_str without_slashes(const char *path)
{
	struct mlv_str s = strcmp(path, "-") == 0 ? MLV_STR("standard input") : mlv_str_of(path);
	while (s.n > 1 && s.p[s.n - 1] == '/')
		s.n--;
	return s;
}

const char *mlv_report_title(struct mlv_report *r, const char *operand)
{
	struct mlv_str name = mlv_str_basename(without_slashes(operand));
	char *real = NULL;
	/* "." and "..": their name is not in the path. */
	if (mlv_str_eq(name, MLV_STR(".")) || mlv_str_eq(name, MLV_STR("..")))
		real = realpath(operand, NULL);
	if (real)
		name = mlv_str_basename(mlv_str_of(real));
	const char *title = mlv_report_copy(r, name);
	free(real);
	return title;
}

/* Where the name of a file within an operand begins; NULL: it does not lie within. */
static const char *inside(const char *operand, const char *file)
{
	struct mlv_str d = without_slashes(operand), f = mlv_str_of(file);
	if (!mlv_str_has_prefix(f, d) || f.n <= d.n)
		return NULL;
	size_t from = d.n;
	if (f.p[from] == ':') /* of an archive */
		return file + from + 1;
	while (from < f.n && f.p[from] == '/')
		from++;
	return from > d.n || d.p[d.n - 1] == '/' ? file + from : NULL;
}

/* "mem-rank0.pickle" of "runs/a/mem-rank0.pickle" where "runs/a" was given; where several were
 * given, "a/mem-rank0.pickle". */
static const char *name_of(struct mlv_report *r, const char *const *operands, int count,
			   const char *file)
{
	for (int i = 0; i < count; i++) {
		const char *name = inside(operands[i], file);
		if (name)
			return count > 1 ? mlv_report_say(r, "%s/%s",
							  mlv_report_title(r, operands[i]), name)
					 : name;
	}
	return mlv_str_basename(mlv_str_of(file)).p;
}

/* The first of one format and rank that has no partner yet; a lone one of a lone one. */
static const struct mlv_run *partner(struct mlv_report_job *j, const struct mlv_run *run)
{
	bool lone = j->base.count == 1 && j->in.paths.list.len == 1;
	for (size_t i = 0; i < j->base.count; i++) {
		const struct mlv_run *b = &j->base.list[i].run;
		if (j->taken[i] ||
		    (!lone && (b->rank != run->rank || strcmp(b->format, run->format) != 0)))
			continue;
		j->taken[i] = true;
		return b;
	}
	return NULL;
}

static enum mlv_rc compare(struct mlv_report_job *j, const struct mlv_run *run)
{
	struct mlv_diff_options o = { .device = -1 };
	struct mlv_diff d;
	const struct mlv_run *with = partner(j, run);
	if (!with)
		return MLV_OK;
	enum mlv_rc rc = mlv_diff_init(&d, with, run, &o, &j->err);
	if (rc)
		return rc;
	if (!mlv_statements_add(&j->statements, &d))
		rc = mlv_err_nomem(&j->err);
	if (!rc && j->out.directory)
		rc = mlv_report_pictures_diff(&j->pictures, &d, &j->err);
	mlv_diff_fini(&d);
	return rc;
}

/* In pictures and on the page it is called as in the report, from wherever it came. */
static enum mlv_rc draw(struct mlv_report_job *j, const struct mlv_input *input)
{
	struct mlv_input named = *input;
	named.run.file = j->report.inputs.data[j->report.inputs.len - 1].file;
	enum mlv_rc rc = mlv_report_pictures_input(&j->pictures, &named, &j->err);
	return rc ? rc : mlv_report_page_input(&j->page, &named, &j->err);
}

static void take(void *opaque, const struct mlv_input *input)
{
	struct mlv_report_job *j = opaque;
	const struct mlv_run *run = &input->run;
	if (j->err.rc)
		return;
	enum mlv_rc rc = mlv_report_gather(&j->report, run,
					   name_of(&j->report, j->operands, j->count, run->file),
					   &j->options, &j->err);
	if (!rc && j->gate->active)
		rc = mlv_ci_figures_run(&j->gate->gate.now, run,
					j->report.inputs.data[j->report.inputs.len - 1].file,
					&j->err);
	if (!rc)
		rc = mlv_evidence_add(&j->evidence, run, &j->err);
	if (!rc && j->out.directory)
		rc = draw(j, input);
	if (!rc && j->base.count)
		(void)compare(j, run);
}

static void damage(void *opaque, const char *file, const char *text)
{
	struct mlv_report_job *j = opaque;
	mlv_report_damage(&j->report, name_of(&j->report, j->operands, j->count, file), text);
}

/* What budgets compare with: of each input, and of all together. */
static enum mlv_rc baseline_figures(struct mlv_report_job *j)
{
	struct mlv_ci_figures *f = &j->gate->gate.base;
	struct mlv_evidence e;
	struct mlv_stragglers s;
	enum mlv_rc rc = j->gate->active ? mlv_evidence_init(&e, &j->err) : MLV_OK;
	if (rc || !j->gate->active)
		return rc;
	for (size_t i = 0; !rc && i < j->base.count; i++) {
		const struct mlv_run *run = &j->base.list[i].run;
		rc = mlv_ci_figures_run(f, run, j->baseline.inputs.data[i].file, &j->err);
		if (!rc)
			rc = mlv_evidence_add(&e, run, &j->err);
	}
	if (!rc)
		rc = mlv_evidence_finish(&e, &j->err);
	if (!rc)
		rc = mlv_stragglers_init(&s, &e, &j->err);
	if (!rc) {
		mlv_ci_figures_waits(f, &e, &s);
		mlv_stragglers_fini(&s);
		mlv_ci_figures_settle(f);
		j->gate->gate.has_base = true;
	}
	mlv_evidence_fini(&e);
	return rc;
}

static enum mlv_rc load_baseline(struct mlv_report_job *j)
{
	char *operand = (char *)(uintptr_t)j->baseline_path;
	enum mlv_rc rc = MLV_OK;
	mlv_inputs_load(&j->base, 1, &operand, j->common);
	j->report.baseline = mlv_report_title(&j->report, j->baseline_path);
	j->taken = calloc(j->base.count + 1, sizeof(*j->taken));
	if (!j->taken)
		return mlv_err_nomem(&j->err);
	for (size_t i = 0; !rc && i < j->base.count; i++) {
		const struct mlv_run *run = &j->base.list[i].run;
		rc = mlv_report_gather(&j->baseline, run,
				       name_of(&j->baseline, &j->baseline_path, 1, run->file),
				       &j->options, &j->err);
	}
	return rc ? rc : baseline_figures(j);
}

static enum mlv_rc judge_hang(struct mlv_report_job *j)
{
	struct mlv_hang h;
	const char *prefix = j->options.user_path;
	enum mlv_rc rc = mlv_evidence_finish(&j->evidence, &j->err);
	if (!rc)
		rc = mlv_hang_init(&h, &j->evidence, &prefix, prefix != NULL, &j->err);
	if (rc)
		return rc;
	mlv_inputs_diags(&j->in, "hang", &j->evidence.notes, j->common);
	mlv_ci_figures_waits(&j->gate->gate.now, &j->evidence, &h.stragglers);
	rc = mlv_report_hang(&j->report, &h, &j->err);
	if (!rc)
		rc = mlv_page_add_waits(&j->page.timelines, h.stragglers.waits.data,
					h.stragglers.waits.len, &j->err);
	if (!rc && j->report.has_hang && j->out.directory)
		rc = mlv_report_pictures_hang(&j->pictures, &h, &j->err);
	mlv_hang_fini(&h);
	return rc;
}

enum mlv_rc mlv_report_job_run(struct mlv_report_job *j, struct mlv_err *err)
{
	j->err = MLV_ERR_INIT;
	j->pictures = (struct mlv_report_pictures){ .report = &j->report,
						    .out = &j->out,
						    .capacity = j->options.capacity,
						    .user_path = j->options.user_path };
	j->page.capacity = j->options.capacity;
	j->page.user_path = j->options.user_path;
	struct mlv_visitor visitor = { .input = take, .damage = damage, .opaque = j };
	j->report.title = mlv_report_title(&j->report, j->operands[0]);
	enum mlv_rc rc = mlv_evidence_init(&j->evidence, &j->err);
	if (!rc && j->baseline_path)
		rc = load_baseline(j);
	if (!rc) {
		mlv_inputs_each(&j->in, j->count, (char **)(uintptr_t)j->operands, j->common,
				&visitor);
		rc = j->err.rc;
	}
	if (!rc && j->in.read)
		rc = judge_hang(j);
	if (!rc && j->out.directory)
		rc = mlv_report_pictures_end(&j->pictures, &j->err);
	if (!rc) {
		j->report.ignored = j->in.passed;
		mlv_report_finish(&j->report, j->baseline_path ? &j->baseline : NULL,
				  &j->statements, j->gate->active ? &j->gate->gate : NULL);
		if (j->report.failed)
			rc = mlv_err_nomem(&j->err);
	}
	if (rc)
		*err = j->err;
	return rc;
}

void mlv_report_job_fini(struct mlv_report_job *j)
{
	mlv_statements_fini(&j->statements);
	mlv_evidence_fini(&j->evidence);
	mlv_report_pictures_fini(&j->pictures);
	mlv_report_page_fini(&j->page);
	mlv_report_out_fini(&j->out);
	mlv_report_fini(&j->report);
	mlv_report_fini(&j->baseline);
	mlv_inputs_fini(&j->in);
	mlv_inputs_fini(&j->base);
	free(j->taken);
}
