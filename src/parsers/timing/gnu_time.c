/* SPDX-License-Identifier: MIT */
/*
 * GNU time (and BusyBox time -v): the 23 lines of -v, the two lines of the
 * default format, the three of -p, and the line before them that says how the
 * command ended. That line is to be believed: after a signal, -v still prints
 * "Exit status: 0". A command may hold quotes and line breaks, so that what is
 * printed of it ends only where "User time" begins.
 */
#include <string.h>

#include "base/buf.h"
#include "parsers/text/scan.h"
#include "parsers/timing/gnu_time.h"
#include "parsers/timing/gnu_time_ending.h"

#define FORMAT "gnu-time"

enum {
	GAP = 50,            /* foreign lines within a report, from other processes */
	COMMAND_LINES = 100, /* a command that is longer is no command */
	COMMAND_BYTES = 65536,
};

struct state {
	struct mlv_time_pattern plain, posix;
	bool ready;
	struct mlv_time_ending ending;
	struct mlv_measure report;
	enum { VERBOSE, PLAIN } form;
	int last; /* of the fields (VERBOSE) or lines (PLAIN) of the report; -1: none yet */
	bool signalled;
	bool said;  /* how it ended */
	bool whole; /* its last line was there */
	mlv_strid command;
	/* a command that is being read */
	bool collecting;
	struct mlv_buf pending;
	uint32_t pending_line, pending_lines;
	size_t pending_first; /* bytes of its first line */
	/* -p */
	unsigned posix_line;
	struct mlv_time_values posix_first;
};

/* ---- endings ---- */

/*
 * An ending whose report did not come: -f printed something of its own, or the
 * log was cut. With --time-format the format for that has it.
 */
static enum mlv_rc drop_ending(struct state *s, struct mlv_text *t, struct mlv_err *err)
{
	uint32_t section;
	if (!s->ending.how)
		return MLV_OK;
	if (t->options && t->options->time_format) {
		s->ending.how = MLV_ENDING_NOT_SAID;
		return MLV_OK;
	}
	enum mlv_rc rc = mlv_text_section(t, FORMAT, mlv_run_str(t->run, s->ending.text),
					  s->ending.line, &section, err);
	return rc ? rc : mlv_time_ending_say(&s->ending, t, (struct mlv_str){ "", 0 }, err);
}

static enum mlv_rc take_ending(struct state *s, struct mlv_text *t, struct mlv_time_ending e,
			       struct mlv_err *err)
{
	/* "cannot run" is followed by "exited with non-zero status 127": the first says it all. */
	if (s->ending.how == MLV_ENDING_NOT_RUN && e.how == MLV_ENDING_EXITED)
		return MLV_OK;
	enum mlv_rc rc = drop_ending(s, t, err);
	s->ending = e;
	return rc;
}

/* ---- reports ---- */

static void close_report(struct state *s, struct mlv_text *t)
{
	if (s->report.open && s->form == VERBOSE && s->command.i && !s->whole)
		mlv_diag_add_line(&t->run->diags, MLV_WARNING, "time-cut", s->report.last_line,
				  "the report of a command ends before its exit status");
	s->report.open = false;
}

static enum mlv_rc open_report(struct state *s, struct mlv_text *t, int form,
			       struct mlv_str command, uint32_t line, struct mlv_err *err)
{
	enum mlv_rc rc = MLV_OK;
	close_report(s, t);
	if (line > s->ending.line + MLV_TIME_ENDING_GAP)
		rc = drop_ending(s, t, err);
	s->form = form;
	s->last = -1;
	s->whole = false;
	s->said = s->ending.how != MLV_ENDING_NOT_SAID;
	s->signalled = s->ending.how == MLV_ENDING_TERMINATED;
	uint32_t first = s->said ? s->ending.line : line;
	if (!rc && !mlv_run_intern(t->run, command, &s->command))
		rc = mlv_err_nomem(err);
	if (!rc)
		rc = mlv_measure_begin(&s->report, t, FORMAT, command, first, err);
	s->report.last_line = line;
	return rc ? rc : mlv_time_ending_say(&s->ending, t, command, err);
}

static enum mlv_rc add_field(struct state *s, struct mlv_text *t, const struct mlv_time_field *f,
			     struct mlv_decimal value, uint32_t line, struct mlv_err *err)
{
	bool is_status = f->letter == 'x';
	enum mlv_rc rc = MLV_OK;
	s->report.last_line = line;
	if (value.special || (is_status && s->signalled))
		return MLV_OK;
	rc = mlv_measure_add(&s->report, t, f->name, value, line, err);
	if (rc || !is_status || !value.mantissa || s->said)
		return rc;
	return mlv_time_status_say(t, value.mantissa, mlv_run_str(t->run, s->command), line, err);
}

static void touch(struct state *s, struct mlv_text *t, uint32_t line)
{
	struct mlv_section *section = &t->run->sections.data[s->report.section];
	s->report.last_line = line;
	if (section->last_line < line)
		section->last_line = line;
}

/* ---- -v ---- */

static void begin_command(struct state *s, struct mlv_text *t, const struct mlv_line *line,
			  struct mlv_str text)
{
	close_report(s, t);
	s->collecting = true;
	s->pending.len = 0;
	s->pending_lines = 1;
	s->pending_line = line->number;
	mlv_buf_str(&s->pending, text);
	s->pending_first = s->pending.len;
}

/* The command is known, or what can be known of it. */
static enum mlv_rc end_command(struct state *s, struct mlv_text *t, bool confirmed,
			       struct mlv_err *err)
{
	struct mlv_buf *b = &s->pending;
	s->collecting = false;
	if (b->failed)
		return mlv_err_nomem(err);
	/* Lines that came between and do not end the quotation belong to somebody else. */
	if (!confirmed || !b->len || b->data[b->len - 1] != '"')
		b->len = s->pending_first;
	if (b->len && b->data[b->len - 1] == '"')
		b->len--;
	struct mlv_str command = { b->data ? b->data : "", b->len };
	return open_report(s, t, VERBOSE, command, s->pending_line, err);
}

static enum mlv_rc collect(struct state *s, struct mlv_text *t, const struct mlv_line *line,
			   enum mlv_take *take, struct mlv_err *err)
{
	struct mlv_buf *b = &s->pending;
	bool quoted = s->pending_first && b->data[s->pending_first - 1] == '"';
	if (++s->pending_lines > COMMAND_LINES || b->len + line->text.n > COMMAND_BYTES)
		return end_command(s, t, false, err);
	mlv_buf_putc(b, '\n');
	mlv_buf_str(b, line->text);
	if (b->failed)
		return mlv_err_nomem(err);
	*take = quoted ? MLV_PASS : MLV_OWN;
	return MLV_OK;
}

static enum mlv_rc verbose_field(struct state *s, struct mlv_text *t, const struct mlv_line *line,
				 struct mlv_str text, enum mlv_take *take, struct mlv_err *err)
{
	struct mlv_decimal value;
	const struct mlv_time_field *f = mlv_time_label(&text);
	if (!f || !mlv_time_value(f, &text, &value) || text.n)
		return MLV_OK;
	int index = (int)(f - mlv_time_fields);
	bool fits = s->report.open && s->form == VERBOSE && !s->whole && index > s->last;
	enum mlv_rc rc = MLV_OK;
	if (!fits && !f->sure)
		return MLV_OK;
	if (!fits)
		rc = open_report(s, t, VERBOSE, (struct mlv_str){ "", 0 }, line->number, err);
	s->last = index;
	s->whole = f->letter == 'x';
	*take = MLV_TAKE;
	if (!rc)
		rc = add_field(s, t, f, value, line->number, err);
	if (!rc)
		touch(s, t, line->number);
	return rc;
}

/* ---- the default format ---- */

static enum mlv_rc add_values(struct state *s, struct mlv_text *t, const struct mlv_time_values *v,
			      uint32_t line, struct mlv_err *err)
{
	enum mlv_rc rc = MLV_OK;
	for (unsigned i = 0; i < v->count && !rc; i++)
		rc = add_field(s, t, v->list[i].field, v->list[i].value, line, err);
	return rc;
}

static enum mlv_rc plain_line(struct state *s, struct mlv_text *t, const struct mlv_line *line,
			      struct mlv_str text, enum mlv_take *take, struct mlv_err *err)
{
	struct mlv_time_values v;
	if (!text.n || !mlv_is_digit(text.p[0]))
		return MLV_OK;
	int which = mlv_time_match(&s->plain, 0, text, &v)   ? 0
		    : mlv_time_match(&s->plain, 1, text, &v) ? 1
							     : -1;
	enum mlv_rc rc = MLV_OK;
	if (which < 0)
		return MLV_OK;
	*take = MLV_TAKE;
	if (which == 0 || !s->report.open || s->form != PLAIN || s->last != 0)
		rc = open_report(s, t, PLAIN, (struct mlv_str){ "", 0 }, line->number, err);
	s->last = which;
	return rc ? rc : add_values(s, t, &v, line->number, err);
}

/* ---- -p ---- */

/* Three lines that follow each other; one alone could be anything. */
static enum mlv_rc posix_line(struct state *s, struct mlv_text *t, const struct mlv_line *line,
			      struct mlv_str text, enum mlv_take *take, struct mlv_err *err)
{
	static const char *const names[] = { "real", "user", "sys" };
	struct mlv_time_values v;
	unsigned which = 0;
	enum mlv_rc rc = MLV_OK;
	if (!text.n || !memchr("rus", text.p[0], 3))
		which = 3;
	while (which < 3 && !mlv_time_match(&s->posix, which, text, &v))
		which++;
	if (which == 3 || v.count != 1) {
		s->posix_line = 0;
		return MLV_OK;
	}
	if (which == 0 || which < s->posix_line || !s->posix_line) {
		s->posix_line = which == 0;
		s->posix_first = v;
		return MLV_OK;
	}
	*take = MLV_TAKE;
	if (s->posix_line == 1) {
		rc = open_report(s, t, PLAIN, (struct mlv_str){ "", 0 }, line->number - 1, err);
		if (!rc)
			rc = mlv_measure_add(&s->report, t, names[0], s->posix_first.list[0].value,
					     line->number - 1, err);
	}
	s->posix_line = which + 1;
	if (!rc)
		rc = mlv_measure_add(&s->report, t, names[which], v.list[0].value, line->number,
				     err);
	return rc;
}

/* ---- the format ---- */

static bool is_sure_label(struct mlv_str text)
{
	const struct mlv_time_field *f = mlv_time_label(&text);
	return f && f->sure;
}

static bool make_ready(struct state *s)
{
	s->ready = mlv_time_pattern_init(&s->plain,
					 "%Uuser %Ssystem %Eelapsed %PCPU (%Xavgtext+%Davgdata "
					 "%Mmaxresident)k\n%Iinputs+%Ooutputs (%Fmajor+%Rminor)"
					 "pagefaults %Wswaps") &&
		   mlv_time_pattern_init(&s->posix, "real %e\nuser %U\nsys %S");
	return s->ready;
}

static enum mlv_rc read_line(void *state, struct mlv_text *t, const struct mlv_line *line,
			     enum mlv_take *take, struct mlv_err *err)
{
	struct state *s = state;
	struct mlv_str text = mlv_str_trim(line->text), rest = text;
	struct mlv_time_ending e;
	enum mlv_rc rc = MLV_OK;
	if (!s->ready && !make_ready(s))
		return mlv_err_nomem(err);
	if (s->collecting && is_sure_label(text))
		rc = end_command(s, t, true, err);
	else if (s->collecting && !mlv_scan(&rest, "Command being timed: \""))
		return collect(s, t, line, take, err);
	if (rc)
		return rc;
	rest = text;
	if (mlv_scan(&rest, "Command being timed: \"")) {
		if (s->collecting)
			rc = end_command(s, t, false, err);
		*take = MLV_TAKE;
		/* A line of a command that goes on keeps its blanks at the end. */
		if (!mlv_str_has_suffix(rest, MLV_STR("\"")))
			rest.n = (size_t)(line->text.p + line->text.n - rest.p);
		begin_command(s, t, line, rest);
		return rc;
	}
	rc = mlv_time_ending_read(t, text, line->number, &e, err);
	if (rc)
		return rc;
	if (e.how) {
		*take = MLV_TAKE;
		return take_ending(s, t, e, err);
	}
	rc = verbose_field(s, t, line, text, take, err);
	if (!rc && *take == MLV_PASS)
		rc = plain_line(s, t, line, text, take, err);
	if (!rc && *take == MLV_PASS)
		rc = posix_line(s, t, line, text, take, err);
	if (*take == MLV_PASS && s->report.open && line->number > s->report.last_line + GAP)
		close_report(s, t);
	if (!rc && s->ending.how && line->number > s->ending.line + MLV_TIME_ENDING_GAP &&
	    !s->collecting)
		rc = drop_ending(s, t, err);
	return rc;
}

static enum mlv_rc finish(void *state, struct mlv_text *t, struct mlv_err *err)
{
	struct state *s = state;
	enum mlv_rc rc = s->collecting ? end_command(s, t, false, err) : MLV_OK;
	close_report(s, t);
	return rc ? rc : drop_ending(s, t, err);
}

static void fini(void *state)
{
	struct state *s = state;
	mlv_time_pattern_fini(&s->plain);
	mlv_time_pattern_fini(&s->posix);
	mlv_buf_fini(&s->pending);
}

const struct mlv_text_format mlv_text_gnu_time = {
	.name = FORMAT,
	.summary = "GNU time: -v, its default two lines, -p, and how the command ended",
	.state_size = sizeof(struct state),
	.line = read_line,
	.finish = finish,
	.fini = fini,
};
