/* SPDX-License-Identifier: MIT */
/*
 * What pstats prints of a profile: print_stats, print_callers, print_callees,
 * and `python -m cProfile`. A file may hold several of them between other
 * text. One begins with "N function calls in T seconds" or, for callers and
 * callees, with the order; its table ends at a blank line.
 */
#include <string.h>

#include "parsers/python/cprofile_line.h"
#include "parsers/text/text.h"

static const char format_name[] = "cprofile";

enum { NOTES_MAX = 300, FOREIGN_MAX = 3 };

enum phase { OUTSIDE, SUMMARY, NOTES, IN_STATS, IN_CALLS };

struct state {
	enum phase phase;
	bool has_section;
	uint32_t section, row;
	uint32_t first_line; /* of the notes, when they have no section yet */
	unsigned foreign;
	char notes[NOTES_MAX]; /* "Ordered by: …; List reduced from …" */
	size_t notes_len;
	struct mlv_cprofile_calls calls;
	struct mlv_str summary_text; /* of this section, in the run's strings */
	/* Where the metrics of the last row began, if its function has no end; gone if the file
	 * ends there too. */
	size_t doubtful;
};

static struct mlv_section *section_of(const struct state *s, struct mlv_text *t)
{
	return &t->run->sections.data[s->section];
}

static struct mlv_metric_row row_of(const struct state *s, struct mlv_text *t)
{
	return (struct mlv_metric_row){ t->run, t->limits, s->section, s->row, { 0 } };
}

static void close_part(struct state *s)
{
	s->phase = OUTSIDE;
	s->has_section = false;
	s->notes_len = 0;
	s->row = 0;
	s->foreign = 0;
}

static void add_note(struct state *s, struct mlv_str text)
{
	if (s->notes_len && s->notes_len + 2 < NOTES_MAX) {
		memcpy(s->notes + s->notes_len, "; ", 2);
		s->notes_len += 2;
	}
	size_t room = NOTES_MAX - s->notes_len, n = text.n < room ? text.n : room;
	memcpy(s->notes + s->notes_len, text.p, n);
	s->notes_len += n;
}

/* What the table is of, before its order. */
static void prefix_note(struct state *s, const char *what)
{
	char notes[NOTES_MAX];
	size_t n = s->notes_len;
	memcpy(notes, s->notes, n);
	s->notes_len = 0;
	add_note(s, mlv_str_of(what));
	if (n)
		add_note(s, (struct mlv_str){ notes, n });
}

static enum mlv_rc open_section(struct state *s, struct mlv_text *t, uint32_t line,
				struct mlv_err *err)
{
	s->has_section = true;
	s->row = 0;
	return mlv_text_section(t, format_name, MLV_STR(""), line, &s->section, err);
}

/* The section of a table that begins here, with the notes above it as its title. */
static enum mlv_rc open_table(struct state *s, struct mlv_text *t, uint32_t line,
			      struct mlv_err *err)
{
	enum mlv_rc rc = MLV_OK;
	if (!s->has_section)
		rc = open_section(s, t, s->notes_len ? s->first_line : line, err);
	if (rc)
		return rc;
	section_of(s, t)->last_line = line;
	s->foreign = 0;
	return mlv_run_intern(t->run, (struct mlv_str){ s->notes, s->notes_len },
			      &section_of(s, t)->title)
		       ? MLV_OK
		       : mlv_err_nomem(err);
}

static enum mlv_rc take_summary(struct state *s, struct mlv_text *t, struct mlv_str text,
				uint32_t line, const struct mlv_cprofile_summary *sum,
				struct mlv_err *err)
{
	/* Somebody pasted it twice. */
	if (s->phase == SUMMARY && mlv_str_eq(text, s->summary_text))
		return MLV_OK;
	close_part(s);
	s->phase = SUMMARY;
	mlv_strid id;
	enum mlv_rc rc = open_section(s, t, line, err);
	struct mlv_metric_row at = row_of(s, t);
	if (rc || !mlv_run_intern(t->run, MLV_STR("(total)"), &at.subject) ||
	    !mlv_run_intern(t->run, text, &id))
		return rc ? rc : mlv_err_nomem(err);
	s->summary_text = mlv_run_str(t->run, id);
	rc = mlv_add_metric_named(&at, "function calls", sum->calls, err);
	if (!rc)
		rc = mlv_add_metric_named(&at, MLV_CPROFILE_PRIMITIVE, sum->primitive, err);
	if (!rc)
		rc = mlv_add_metric_named(&at, "seconds", sum->seconds, err);
	s->row = 1;
	return rc;
}

static enum mlv_rc add_stats(struct state *s, struct mlv_text *t,
			     const struct mlv_cprofile_stats *r, struct mlv_err *err)
{
	static const char *const names[] = { MLV_CPROFILE_TOTTIME, MLV_CPROFILE_TOT_PERCALL,
					     MLV_CPROFILE_CUMTIME, MLV_CPROFILE_CUM_PERCALL };
	struct mlv_metric_row at = row_of(s, t);
	if (!mlv_cprofile_has_end(r->name))
		s->doubtful = t->run->metrics.len;
	if (!mlv_run_intern(t->run, r->name, &at.subject))
		return mlv_err_nomem(err);
	enum mlv_rc rc = mlv_add_metric_named(&at, MLV_CPROFILE_CALLS, r->calls, err);
	if (!rc)
		rc = mlv_add_metric_named(&at, MLV_CPROFILE_PRIMITIVE, r->primitive, err);
	for (unsigned k = 0; k < 4 && !rc; k++) {
		if (r->has[k])
			rc = mlv_add_metric_named(&at, names[k], r->times[k], err);
	}
	s->row++;
	section_of(s, t)->rows++;
	return rc;
}

static enum mlv_rc table_line(struct state *s, struct mlv_text *t, const struct mlv_line *line,
			      enum mlv_take *take, struct mlv_err *err)
{
	struct mlv_cprofile_stats r;
	struct mlv_metric_row at = row_of(s, t);
	bool mine = false;
	enum mlv_rc rc = MLV_OK;
	if (s->phase == IN_CALLS) {
		size_t before = t->run->metrics.len;
		rc = mlv_cprofile_call_line(&s->calls, &at, line->text, &mine, err);
		if (t->run->metrics.len > before && !mlv_cprofile_has_end(mlv_str_trim(line->text)))
			s->doubtful = before;
		section_of(s, t)->rows += mine;
		s->row = at.row;
	} else if (mlv_cprofile_is_stats(line->text, &r)) {
		mine = true;
		rc = add_stats(s, t, &r, err);
	}
	if (mine) {
		section_of(s, t)->last_line = line->number;
		s->foreign = 0;
		*take = MLV_OWN;
	} else if (++s->foreign > FOREIGN_MAX) {
		close_part(s);
	}
	return rc;
}

/* What may stand above a table, or begin one. */
static enum mlv_rc heading_line(struct state *s, struct mlv_text *t, const struct mlv_line *line,
				enum mlv_take *take, struct mlv_err *err)
{
	struct mlv_str text = mlv_str_trim(line->text);
	struct mlv_cprofile_summary sum;
	*take = MLV_OWN;
	if (mlv_cprofile_is_summary(text, &sum))
		return take_summary(s, t, text, line->number, &sum, err);
	if (mlv_cprofile_is_note(text)) {
		if (mlv_cprofile_begins_notes(text) && s->notes_len)
			close_part(s);
		if (!s->notes_len)
			s->first_line = line->number;
		s->phase = NOTES;
		add_note(s, text);
		if (s->has_section)
			return open_table(s, t, line->number, err);
		*take = MLV_PASS; /* a table has still to follow */
		return MLV_OK;
	}
	if (mlv_cprofile_is_title(text)) {
		s->phase = IN_STATS;
		return open_table(s, t, line->number, err);
	}
	if (mlv_cprofile_is_calls_title(line->text, &s->calls)) {
		s->phase = IN_CALLS;
		prefix_note(s, s->calls.callees ? "callees" : "callers");
		return open_table(s, t, line->number, err);
	}
	*take = MLV_PASS;
	if (s->phase != OUTSIDE && text.n && ++s->foreign > FOREIGN_MAX)
		close_part(s);
	return MLV_OK;
}

static enum mlv_rc take_line(void *state, struct mlv_text *t, const struct mlv_line *line,
			     enum mlv_take *take, struct mlv_err *err)
{
	struct state *s = state;
	struct mlv_str text = mlv_str_trim(line->text);
	s->doubtful = SIZE_MAX;
	if (s->phase == IN_STATS || s->phase == IN_CALLS) {
		struct mlv_cprofile_summary sum;
		if (!text.n) {
			close_part(s);
			return MLV_OK;
		}
		if (s->phase == IN_CALLS && mlv_cprofile_is_subtitle(text)) {
			*take = MLV_OWN;
			return MLV_OK;
		}
		/* The blank lines between two tables may be gone. */
		if (!mlv_cprofile_is_summary(text, &sum) && !mlv_cprofile_is_note(text) &&
		    !mlv_cprofile_is_title(text))
			return table_line(s, t, line, take, err);
		close_part(s);
	}
	return heading_line(s, t, line, take, err);
}

static enum mlv_rc finish(void *state, struct mlv_text *t, struct mlv_err *err)
{
	struct state *s = state;
	const struct mlv_run *run = t->run;
	size_t len = run->metrics.len;
	(void)err;
	if (!s->has_section || s->doubtful >= len ||
	    run->metrics.data[s->doubtful].section != s->section ||
	    run->metrics.data[len - 1].section != s->section)
		return MLV_OK;
	t->run->metrics.len = s->doubtful;
	section_of(s, t)->rows--;
	mlv_diag_add_line(&t->run->diags, MLV_DAMAGE, "cprofile-cut", section_of(s, t)->line,
			  "the file ends within a row of this profile");
	return MLV_OK;
}

const struct mlv_text_format mlv_text_cprofile = {
	.name = "cprofile",
	.summary = "what pstats and python -m cProfile print: functions, callers, callees",
	.state_size = sizeof(struct state),
	.line = take_line,
	.finish = finish,
};
