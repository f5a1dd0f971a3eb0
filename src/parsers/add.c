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

static void grow(struct mlv_add a, uint32_t section, uint32_t line)
{
	struct mlv_section *s = &a.run->sections.data[section];
	s->rows++;
	if (line > s->last_line)
		s->last_line = line;
}

enum mlv_rc mlv_add_metric(struct mlv_add a, uint32_t section, uint32_t row, mlv_strid subject,
			   struct mlv_str metric, struct mlv_decimal value, uint32_t line,
			   struct mlv_err *err)
{
	struct mlv_metric m = {
		.section = section, .row = row, .subject = subject, .value = value
	};
	enum mlv_rc rc = mlv_limits_room(a.limits, a.run->metrics.len, "metrics", err);
	if (rc)
		return rc;
	if (!mlv_run_intern(a.run, metric, &m.metric) || !mlv_vec_push(&a.run->metrics, m))
		return mlv_err_nomem(err);
	grow(a, section, line);
	return MLV_OK;
}

enum mlv_rc mlv_add_sample(struct mlv_add a, uint32_t section, struct mlv_sample s,
			   struct mlv_str metric, struct mlv_err *err)
{
	enum mlv_rc rc = mlv_limits_room(a.limits, a.run->samples.len, "samples", err);
	if (rc)
		return rc;
	if (!mlv_run_intern(a.run, metric, &s.metric) || !mlv_vec_push(&a.run->samples, s))
		return mlv_err_nomem(err);
	grow(a, section, s.line);
	return MLV_OK;
}

enum mlv_rc mlv_add_found(struct mlv_add a, const struct mlv_found *f, struct mlv_err *err)
{
	struct mlv_finding row = { .severity = f->severity,
				   .line = f->line,
				   .last_line = f->line,
				   .rank = f->rank,
				   .stack = MLV_STACK_NONE };
	struct mlv_str code = { f->code, strlen(f->code) };
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
