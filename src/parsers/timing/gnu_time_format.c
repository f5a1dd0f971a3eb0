/* SPDX-License-Identifier: MIT */
/*
 * GNU time -f FORMAT (or with TIME in the environment): nothing in such an
 * output says what it is, so it is read only when the user gives the format.
 */
#include <string.h>

#include "parsers/timing/gnu_time.h"
#include "parsers/timing/gnu_time_ending.h"
#include "parsers/text/scan.h"

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
	struct mlv_time_ending ending; /* which stands before the report */
};

static enum mlv_rc report(struct state *s, struct mlv_text *t, struct mlv_err *err)
{
	struct mlv_measure m;
	struct mlv_str command = mlv_run_str(t->run, s->command);
	bool said = s->ending.how, signalled = s->ending.how == MLV_ENDING_TERMINATED;
	enum mlv_rc rc = mlv_measure_begin(&m, t, FORMAT, command,
					   said ? s->ending.line : s->first_line, err);
	if (!rc)
		rc = mlv_time_ending_say(&s->ending, t, command, err);
	for (unsigned i = 0; i < s->count && !rc; i++) {
		struct mlv_decimal value = s->values[i].value;
		bool status = s->values[i].field->letter == 'x';
		if (value.special || (status && signalled))
			continue; /* %x is 0 after a signal */
		rc = mlv_measure_add(&m, t, s->values[i].field->name, value, s->values[i].line,
				     err);
		if (!rc && status && value.mantissa && !said)
			rc = mlv_time_status_say(t, value.mantissa, command, s->values[i].line,
						 err);
	}
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

static enum mlv_rc read_line(void *state, struct mlv_text *t, const struct mlv_line *line,
			     enum mlv_take *take, struct mlv_err *err)
{
	struct state *s = state;
	struct mlv_time_values v;
	struct mlv_time_ending e;
	if (!t->options || !t->options->time_format)
		return MLV_OK;
	if (!s->ready && !mlv_time_pattern_init(&s->pattern, t->options->time_format))
		return mlv_err_nomem(err);
	s->ready = true;
	enum mlv_rc rc = mlv_time_ending_read(t, mlv_str_trim(line->text), line->number, &e, err);
	if (rc)
		return rc;
	if (e.how) {
		*take = MLV_TAKE;
		s->next = 0;
		if (s->ending.how != MLV_ENDING_NOT_RUN)
			s->ending = e;
		return MLV_OK;
	}
	if (s->next && !mlv_time_match(&s->pattern, s->next, line->text, &v))
		s->next = 0;
	if (!s->next) {
		if (!mlv_time_match(&s->pattern, 0, line->text, &v)) {
			if (line->number > s->ending.line + MLV_TIME_ENDING_GAP)
				s->ending.how = MLV_ENDING_NOT_SAID;
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
