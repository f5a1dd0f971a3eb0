/* SPDX-License-Identifier: MIT */
#include "parsers/add.h"

#include <string.h>

enum mlv_rc mlv_add_section(struct mlv_add a, const char *format, struct mlv_str title,
			    uint32_t line, int64_t rank, uint32_t *section, struct mlv_err *err)
{
	struct mlv_section s = { .format = format, .line = line, .last_line = line, .rank = rank };
	enum mlv_rc rc = mlv_limits_room(a.limits, a.run->sections.len, "sections", err);
	if (rc)
		return rc;
	*section = (uint32_t)a.run->sections.len;
	if (!mlv_run_intern(a.run, title, &s.title) || !mlv_vec_push(&a.run->sections, s))
		return mlv_err_nomem(err);
	return MLV_OK;
}

void mlv_section_grow(struct mlv_run *run, uint32_t section, uint32_t line)
{
	struct mlv_section *s = &run->sections.data[section];
	s->rows++;
	if (line > s->last_line)
		s->last_line = line;
}

void mlv_section_noun(struct mlv_run *run, uint32_t section, const char *noun)
{
	run->sections.data[section].noun = noun;
}

enum mlv_rc mlv_add_metric(const struct mlv_metric_row *at, mlv_strid metric,
			   struct mlv_decimal value, struct mlv_err *err)
{
	struct mlv_metric m = { .section = at->section,
				.row = at->row,
				.subject = at->subject,
				.metric = metric,
				.value = value };
	enum mlv_rc rc = mlv_limits_room(at->limits, at->run->metrics.len, "metrics", err);
	if (rc)
		return rc;
	return mlv_vec_push(&at->run->metrics, m) ? MLV_OK : mlv_err_nomem(err);
}

enum mlv_rc mlv_add_metric_named(const struct mlv_metric_row *at, const char *metric,
				 struct mlv_decimal value, struct mlv_err *err)
{
	mlv_strid id;
	if (!mlv_intern(&at->run->strings, metric, strlen(metric), &id))
		return mlv_err_nomem(err);
	return mlv_add_metric(at, id, value, err);
}

enum mlv_rc mlv_add_sample(struct mlv_add a, uint32_t section, struct mlv_sample s,
			   struct mlv_str metric, struct mlv_err *err)
{
	enum mlv_rc rc = mlv_limits_room(a.limits, a.run->samples.len, "samples", err);
	if (rc)
		return rc;
	if (!mlv_run_intern(a.run, metric, &s.metric) || !mlv_vec_push(&a.run->samples, s))
		return mlv_err_nomem(err);
	mlv_section_grow(a.run, section, s.line);
	return MLV_OK;
}

enum mlv_rc mlv_add_found(struct mlv_add a, const struct mlv_found *f, struct mlv_err *err)
{
	struct mlv_finding row = { .severity = f->severity,
				   .line = f->line,
				   .last_line = f->line,
				   .rank = f->rank,
				   .stack = MLV_STACK_NONE };
	struct mlv_str code = mlv_str_of(f->code);
	enum mlv_rc rc = mlv_limits_room(a.limits, a.run->findings.len, "findings", err);
	if (rc)
		return rc;
	uint32_t begin = mlv_run_attrs_begin(a.run);
	if ((f->key && !mlv_run_attr_int(a.run, f->key, f->number)) ||
	    (f->command.n && !mlv_run_attr_text(a.run, "command", f->command)))
		return mlv_err_nomem(err);
	row.attrs = mlv_run_attrs_end(a.run, begin);
	if (!mlv_run_intern(a.run, code, &row.code) || !mlv_run_intern(a.run, f->text, &row.text) ||
	    !mlv_vec_push(&a.run->findings, row))
		return mlv_err_nomem(err);
	return MLV_OK;
}
