/* SPDX-License-Identifier: MIT */
#include "parsers/measure.h"

#include <string.h>

enum mlv_rc mlv_measure_begin(struct mlv_measure *m, struct mlv_text *t, const char *format,
			      struct mlv_str command, uint32_t line, struct mlv_err *err)
{
	*m = (struct mlv_measure){ .open = true, .last_line = line };
	if (!mlv_run_intern(t->run, command.n ? command : MLV_STR("command"), &m->subject))
		return mlv_err_nomem(err);
	return mlv_add_section(mlv_text_add(t), format, command, line, t->rank, &m->section, err);
}

enum mlv_rc mlv_measure_add(struct mlv_measure *m, struct mlv_text *t, const char *name,
			    struct mlv_decimal value, uint32_t line, struct mlv_err *err)
{
	m->last_line = line;
	return mlv_add_metric(mlv_text_add(t), m->section, 0, m->subject,
			      (struct mlv_str){ name, strlen(name) }, value, line, err);
}
