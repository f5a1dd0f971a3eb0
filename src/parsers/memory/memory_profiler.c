/* SPDX-License-Identifier: MIT */
/*
 * Tables of memory_profiler: a line of source in each row, with the memory
 * after it and what it added. Old versions print MB and mean MiB like the new
 * ones (memory is divided by 2^20). The subject of a row is
 * "FILE:LINE: SOURCE", as grep writes it.
 */
#include <inttypes.h>
#include <string.h>

#include "base/buf.h"
#include "parsers/text/measure.h"
#include "parsers/text/scan.h"

#define FORMAT "memory-profiler"

struct state {
	mlv_strid file; /* of "Filename: x.py" */
	enum { OUTSIDE, HEADER, ROWS } where;
	bool occurrences; /* the table has that column */
	uint32_t section, row;
};

/* "Line #    Mem usage    Increment  Occurrences   Line Contents"; older "Occurences" */
static bool header_line(struct mlv_str s, bool *occurrences)
{
	if (!mlv_scan(&s, "Line #") || !mlv_scan_label(&s, "Mem usage") ||
	    !mlv_scan_label(&s, "Increment"))
		return false;
	*occurrences = mlv_scan_label(&s, "Occurrences") || mlv_scan_label(&s, "Occurences");
	return mlv_scan_label(&s, "Line Contents") && !s.n;
}

static bool rule_line(struct mlv_str s)
{
	for (size_t i = 0; i < s.n; i++) {
		if (s.p[i] != '=')
			return false;
	}
	return s.n > 20;
}

static bool memory(struct mlv_str *s, struct mlv_decimal *value)
{
	mlv_scan_blanks(s);
	if (!mlv_scan_decimal(s, value))
		return false;
	if (mlv_scan(s, " MiB") || mlv_scan(s, " MB"))
		value->unit = MLV_UNIT_MIB;
	else if (mlv_scan(s, " GiB") || mlv_scan(s, " GB"))
		value->unit = MLV_UNIT_GIB;
	else
		return false;
	return true;
}

static enum mlv_rc subject_of(const struct state *s, struct mlv_run *run, int64_t line,
			      struct mlv_str source, mlv_strid *id, struct mlv_err *err)
{
	struct mlv_buf b = { 0 };
	struct mlv_str file = mlv_run_str(run, s->file);
	mlv_buf_str(&b, file.n ? file : MLV_STR("line"));
	mlv_buf_printf(&b, "%c%" PRId64 ": ", file.n ? ':' : ' ', line);
	mlv_buf_str(&b, mlv_str_trim(source));
	bool ok = !b.failed && mlv_run_intern(run, (struct mlv_str){ b.data, b.len }, id);
	mlv_buf_fini(&b);
	return ok ? MLV_OK : mlv_err_nomem(err);
}

static enum mlv_rc add_row(struct state *s, struct mlv_text *t, struct mlv_str text, int64_t number,
			   uint32_t line, struct mlv_err *err)
{
	struct mlv_decimal usage, increment;
	int64_t times = -1;
	if (!memory(&text, &usage) || !memory(&text, &increment))
		return MLV_OK; /* a line that was not executed */
	if (s->occurrences) {
		mlv_scan_blanks(&text);
		if (!mlv_scan_int(&text, &times))
			return MLV_OK;
	}
	struct mlv_metric_row at = { t->run, t->limits, s->section, s->row++, MLV_STR_NONE };
	enum mlv_rc rc = subject_of(s, t->run, number, text, &at.subject, err);
	if (!rc)
		rc = mlv_add_metric_named(&at, "Mem usage", usage, err);
	if (!rc)
		rc = mlv_add_metric_named(&at, "Increment", increment, err);
	if (!rc && times >= 0)
		rc = mlv_add_metric_named(&at, "Occurrences", mlv_decimal_int(times, MLV_UNIT_NONE),
					  err);
	mlv_section_grow(t->run, s->section, line);
	return rc;
}

static enum mlv_rc table_line(struct state *s, struct mlv_text *t, const struct mlv_line *line,
			      struct mlv_str text, enum mlv_take *take, struct mlv_err *err)
{
	int64_t number;
	if (s->where == HEADER && rule_line(text)) {
		s->where = ROWS;
		*take = MLV_OWN;
		return MLV_OK;
	}
	struct mlv_str rest = text;
	bool is_row =
		mlv_scan_int(&rest, &number) && (!rest.n || rest.p[0] == ' ' || rest.p[0] == '\t');
	if (!is_row) {
		s->where = OUTSIDE;
		s->file = MLV_STR_NONE;
		return MLV_OK;
	}
	s->where = ROWS;
	*take = MLV_OWN;
	t->run->sections.data[s->section].last_line = line->number;
	return add_row(s, t, rest, number, line->number, err);
}

static enum mlv_rc read_line(void *state, struct mlv_text *t, const struct mlv_line *line,
			     enum mlv_take *take, struct mlv_err *err)
{
	struct state *s = state;
	struct mlv_str text = mlv_str_trim(line->text), rest = text;
	enum mlv_rc rc = MLV_OK;
	if (header_line(text, &s->occurrences)) {
		*take = MLV_OWN;
		s->where = HEADER;
		s->row = 0;
		return mlv_text_section(t, FORMAT, mlv_run_str(t->run, s->file), line->number,
					&s->section, err);
	}
	if (s->where != OUTSIDE)
		rc = table_line(s, t, line, text, take, err);
	if (!rc && *take == MLV_PASS && mlv_scan(&rest, "Filename: ") &&
	    !mlv_run_intern(t->run, rest, &s->file))
		rc = mlv_err_nomem(err);
	return rc;
}

const struct mlv_text_format mlv_text_memory_profiler = {
	.name = FORMAT,
	.summary = "memory_profiler's tables: memory by line of source",
	.state_size = sizeof(struct state),
	.line = read_line,
};
