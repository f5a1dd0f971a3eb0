/* SPDX-License-Identifier: MIT */
/*
 * GNU time -f FORMAT (or with TIME in the environment): nothing in such an
 * output says what it is, so it is read only when the user gives the format.
 */
#include "parsers/gnu_time.h"
#include "parsers/measure.h"
#include "parsers/cursor.h"

#define FORMAT "gnu-time-format"

struct state {
	struct mlv_time_pattern pattern;
	bool ready;
	unsigned next; /* line of the format that is expected */
	uint32_t first_line;
	mlv_strid command;
	/* values of the lines before it */
	struct {
		const struct mlv_time_field *field;
		struct mlv_decimal value;
		uint32_t line;
	} values[MLV_TIME_VALUES];
	unsigned count;
	/* "Command exited with non-zero status N", which stands before */
	mlv_strid ending;
	bool signalled;
	int64_t ending_number;
	uint32_t ending_line;
};

static enum mlv_rc found(struct state *s, struct mlv_text *t, bool signalled, struct mlv_str text,
			 int64_t number, uint32_t line, struct mlv_err *err)
{
	struct mlv_found f = { .severity = MLV_FINDING_ERROR,
			       .code = signalled ? "signal" : "exit-status",
			       .text = text,
			       .command = mlv_run_str(t->run, s->command),
			       .key = signalled ? "signal" : "status",
			       .number = number,
			       .line = line,
			       .rank = t->rank };
	return mlv_add_found(mlv_text_add(t), &f, err);
}

static enum mlv_rc report(struct state *s, struct mlv_text *t, struct mlv_err *err)
{
	struct mlv_measure m;
	bool signalled = s->ending.i && s->signalled;
	enum mlv_rc rc = mlv_measure_begin(&m, t, FORMAT, mlv_run_str(t->run, s->command),
					   s->ending.i ? s->ending_line : s->first_line, err);
	if (!rc && s->ending.i)
		rc = found(s, t, signalled, mlv_run_str(t->run, s->ending), s->ending_number,
			   s->ending_line, err);
	for (unsigned i = 0; i < s->count && !rc; i++) {
		struct mlv_decimal value = s->values[i].value;
		bool status = s->values[i].field->letter == 'x';
		if (value.special || (status && signalled))
			continue; /* %x is 0 after a signal */
		rc = mlv_measure_add(&m, t, s->values[i].field->name, value, s->values[i].line,
				     err);
		if (!rc && status && value.mantissa && !s->ending.i)
			rc = found(s, t, false, MLV_STR("Command exited with non-zero status"),
				   value.mantissa, s->values[i].line, err);
	}
	s->ending = MLV_STR_NONE;
	return rc;
}

/* %e and %E are one metric, which is there once. */
static bool is_kept(const struct state *s, const struct mlv_time_field *field)
{
	for (unsigned i = 0; i < s->count; i++) {
		if (strcmp(s->values[i].field->name, field->name) == 0)
			return true;
	}
	return false;
}

static bool keep(struct state *s, const struct mlv_time_values *v, uint32_t line)
{
	for (unsigned i = 0; i < v->count; i++) {
		if (is_kept(s, v->list[i].field))
			continue;
		if (s->count == MLV_TIME_VALUES)
			return false;
		s->values[s->count].field = v->list[i].field;
		s->values[s->count].value = v->list[i].value;
		s->values[s->count++].line = line;
	}
	return true;
}

static bool take_ending(struct state *s, struct mlv_text *t, struct mlv_str text, uint32_t line)
{
	struct mlv_str rest = text;
	int64_t number;
	bool signalled = mlv_scan(&rest, "Command terminated by signal ");
	if (!signalled && !mlv_scan(&rest, "Command exited with non-zero status "))
		return false;
	if (!mlv_scan_int(&rest, &number) || rest.n || !mlv_run_intern(t->run, text, &s->ending))
		return false;
	s->signalled = signalled;
	s->ending_number = number;
	s->ending_line = line;
	return true;
}

static enum mlv_rc read_line(void *state, struct mlv_text *t, const struct mlv_line *line,
			     enum mlv_take *take, struct mlv_err *err)
{
	struct state *s = state;
	struct mlv_time_values v;
	if (!t->options || !t->options->time_format)
		return MLV_OK;
	if (!s->ready && !mlv_time_pattern_init(&s->pattern, t->options->time_format))
		return mlv_err_nomem(err);
	s->ready = true;
	if (take_ending(s, t, mlv_str_trim(line->text), line->number)) {
		*take = MLV_TAKE;
		s->next = 0;
		return MLV_OK;
	}
	if (s->next && !mlv_time_match(&s->pattern, s->next, line->text, &v))
		s->next = 0;
	if (!s->next) {
		if (!mlv_time_match(&s->pattern, 0, line->text, &v)) {
			if (line->number > s->ending_line + 1)
				s->ending = MLV_STR_NONE;
			return MLV_OK;
		}
		s->count = 0;
		s->command = MLV_STR_NONE;
		s->first_line = line->number;
	}
	if (v.command.n && !mlv_run_intern(t->run, v.command, &s->command))
		return mlv_err_nomem(err);
	*take = MLV_TAKE;
	if (!keep(s, &v, line->number) || ++s->next < s->pattern.line_count)
		return MLV_OK;
	s->next = 0;
	return report(s, t, err);
}

static void fini(void *state)
{
	mlv_time_pattern_fini(&((struct state *)state)->pattern);
}

const struct mlv_text_format mlv_text_gnu_time_format = {
	.name = FORMAT,
	.summary = "GNU time -f: read with --time-format, which is given the same format",
	.state_size = sizeof(struct state),
	.line = read_line,
	.fini = fini,
};
