/* SPDX-License-Identifier: MIT */
#include "parsers/text/measure.h"

enum mlv_rc mlv_measure_begin(struct mlv_measure *m, struct mlv_text *t, const char *format,
			      struct mlv_str command, uint32_t line, struct mlv_err *err)
{
	*m = (struct mlv_measure){ .open = true, .last_line = line };
	if (!mlv_run_intern(t->run, command.n ? command : MLV_STR("command"), &m->subject))
		return mlv_err_nomem(err);
	return mlv_text_section(t, format, command, line, &m->section, err);
}

enum mlv_rc mlv_measure_add(struct mlv_measure *m, struct mlv_text *t, const char *name,
			    struct mlv_decimal value, uint32_t line, struct mlv_err *err)
{
	struct mlv_metric_row at = { t->run, t->limits, m->section, 0, m->subject };
	m->last_line = line;
	enum mlv_rc rc = mlv_add_metric_named(&at, name, value, err);
	if (!rc) {
		t->run->metrics.data[t->run->metrics.len - 1].line = line;
		mlv_section_grow(t->run, m->section, line);
	}
	return rc;
}
