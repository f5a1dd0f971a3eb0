/* SPDX-License-Identifier: MIT */
/*
 * Tables of torch.profiler and torch.autograd.profiler (key_averages().table(),
 * print(prof)) in all their layouts, alone or within logs. A table is a rule
 * of dashes, the titles, a rule, rows, a rule, and totals.
 */
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "parsers/add.h"
#include "parsers/profiler/profiler_rows.h"
#include "parsers/text/text.h"

static const char format_name[] = "profiler-table";

enum { FOREIGN_MAX = 8, TITLE_MAX = 400, BANNER_LINES = 4 };

enum phase { OUTSIDE, IN_ROWS, IN_TOTALS };

struct state {
	enum phase phase;
	struct mlv_profiler_rows rows; /* of the open table */
	struct mlv_columns rule;       /* the last one */
	uint32_t rule_line;
	bool rule_before, header_before; /* what the last line was */
	struct mlv_buf header;           /* the last row of titles */
	uint32_t header_line;
	/* "====" and the lines below it, which title the table that follows. */
	char title[TITLE_MAX];
	size_t title_len;
	uint32_t banner_line, banner_lines; /* 0: none */
	unsigned foreign;                   /* lines of somebody else since the last row */
};

/* A log may have many ranks of which few print tables, so what a table needs comes with the first.
 */
struct slot {
	struct state *s;
};

static void fini(void *state)
{
	struct state *s = ((struct slot *)state)->s;
	if (!s)
		return;
	mlv_buf_fini(&s->header);
	mlv_buf_fini(&s->rows.subject);
	free(s);
}

/* ------------------------------------------------------------------ titles above a table */

static bool is_banner(struct mlv_str s)
{
	if (s.n < 20)
		return false;
	for (size_t i = 0; i < s.n; i++) {
		if (s.p[i] != '=')
			return false;
	}
	return true;
}

static void add_title(struct state *s, struct mlv_str text)
{
	if (s->title_len && s->title_len + 2 < TITLE_MAX) {
		memcpy(s->title + s->title_len, "; ", 2);
		s->title_len += 2;
	}
	size_t n = text.n < TITLE_MAX - s->title_len ? text.n : TITLE_MAX - s->title_len;
	memcpy(s->title + s->title_len, text.p, n);
	s->title_len += n;
}

static void forget_title(struct state *s)
{
	s->banner_line = s->banner_lines = 0;
	s->title_len = 0;
}

/* A line outside of tables: part of a title, or the end of what might have been one. */
static void watch_title(struct state *s, struct mlv_str text, uint32_t number)
{
	if (is_banner(text)) {
		if (!s->banner_line)
			s->banner_line = number;
		return;
	}
	if (!s->banner_line)
		return;
	if (!text.n || ++s->banner_lines > BANNER_LINES)
		forget_title(s);
	else
		add_title(s, text);
}

/* ------------------------------------------------------------------ opening and closing */

static enum mlv_rc open_section(struct state *s, struct mlv_text *t, uint32_t line, uint32_t last,
				struct mlv_err *err)
{
	struct mlv_str title = { s->title, s->title_len };
	enum mlv_rc rc =
		mlv_text_section(t, format_name, title, s->banner_line ? s->banner_line : line,
				 &s->rows.section, err);
	if (rc)
		return rc;
	t->run->sections.data[s->rows.section].last_line = last;
	forget_title(s);
	s->rows.row = 0;
	s->foreign = 0;
	return MLV_OK;
}

/* The titles are known, and so are the columns: by the rule below them or the one above. */
static enum mlv_rc open_table(struct state *s, struct mlv_text *t, const struct mlv_columns *rule,
			      uint32_t last, struct mlv_err *err)
{
	struct mlv_str header = { s->header.data, s->header.len };
	bool ruled = s->rule_line && s->rule_line < s->header_line;
	s->header_before = false;
	s->rows.columns = *rule;
	if (!mlv_columns_header(&s->rows.columns, header, &t->run->strings)) {
		mlv_diag_add_line(&t->run->diags, MLV_DAMAGE, "profiler-table-header",
				  s->header_line,
				  "the titles of a profiler table do not fit its rules, so its "
				  "rows are not read");
		return MLV_OK;
	}
	s->phase = IN_ROWS;
	return open_section(s, t, ruled ? s->rule_line : s->header_line, last, err);
}

static void note_cut(const struct state *s, struct mlv_text *t)
{
	mlv_diag_add_line(&t->run->diags, MLV_WARNING, "profiler-table-cut",
			  t->run->sections.data[s->rows.section].line,
			  "the profiler table has no closing rule; rows may be missing");
}

/* A line within a table: a row, or somebody else's. */
static enum mlv_rc table_line(struct state *s, struct mlv_text *t, struct mlv_str text,
			      uint32_t number, enum mlv_take *take, struct mlv_err *err)
{
	bool mine;
	enum mlv_rc rc = mlv_profiler_row(&s->rows, t, text, number, &mine, err);
	if (mine) {
		s->foreign = 0;
		*take = MLV_OWN;
		t->run->sections.data[s->rows.section].last_line = number;
	} else if (++s->foreign > FOREIGN_MAX) {
		note_cut(s, t);
		s->phase = OUTSIDE;
	}
	return rc;
}

/* ------------------------------------------------------------------ totals */

/* "Self CPU time total: 49.722ms", "CUDA time total: 1.279s" */
static bool is_total(struct mlv_str text, struct mlv_str *name, struct mlv_str *value)
{
	const struct mlv_str words = MLV_STR(" time total:");
	while (text.n && strchr("#/*> \t", text.p[0]) && text.p[0]) {
		text.p++;
		text.n--;
	}
	for (size_t i = 0; i < text.n && i < 60; i++) {
		char c = text.p[i];
		struct mlv_str rest = { text.p + i, text.n - i };
		if (i && mlv_str_has_prefix(rest, words)) {
			*name = (struct mlv_str){ text.p, i + words.n - 1 };
			*value = mlv_str_trim(
				(struct mlv_str){ rest.p + words.n, rest.n - words.n });
			return value->n > 0;
		}
		if (!(c == ' ' || c == '_' || mlv_is_digit(c) ||
		      ((c | 0x20) >= 'a' && (c | 0x20) <= 'z')))
			return false;
	}
	return false;
}

static enum mlv_rc add_total(struct state *s, struct mlv_text *t, struct mlv_str name,
			     struct mlv_str value, uint32_t number, struct mlv_err *err)
{
	const struct mlv_column column = { .kind = MLV_COLUMN_TIME };
	struct mlv_metric_row at = { t->run, t->limits, s->rows.section, s->rows.row, { 0 } };
	struct mlv_decimal d;
	mlv_strid metric;
	t->run->sections.data[s->rows.section].last_line = number;
	if (!mlv_column_value(&column, value, &d)) {
		mlv_diag_add_line(&t->run->diags, MLV_DAMAGE, "profiler-table-cell", number,
				  "the total of a profiler table is no time");
		return MLV_OK;
	}
	if (!mlv_run_intern(t->run, MLV_STR("(total)"), &at.subject) ||
	    !mlv_run_intern(t->run, name, &metric))
		return mlv_err_nomem(err);
	return mlv_add_metric(&at, metric, d, err);
}

/* ------------------------------------------------------------------ lines */

/* A line outside of tables: a rule, titles, totals whose table is lost, or something else. */
static enum mlv_rc outside(struct state *s, struct mlv_text *t, struct mlv_str text,
			   uint32_t number, enum mlv_take *take, struct mlv_err *err)
{
	struct mlv_str name, value;
	enum mlv_rc rc = MLV_OK;
	if (mlv_columns_is_header(text)) {
		s->header.len = 0;
		mlv_buf_str(&s->header, text);
		s->header_line = number;
		s->header_before = true;
		if (!s->rule_before)
			s->rule_line = 0;
		return s->header.failed ? mlv_err_nomem(err) : MLV_OK;
	}
	if (s->rule_before && is_total(text, &name, &value)) {
		mlv_diag_add_line(&t->run->diags, MLV_DAMAGE, "profiler-table-headless", number,
				  "the totals of a profiler table whose titles are missing; its "
				  "rows are not read");
		rc = open_section(s, t, s->rule_line, number, err);
		if (!rc)
			rc = add_total(s, t, name, value, number, err);
		s->phase = IN_TOTALS;
		*take = MLV_OWN;
		return rc;
	}
	watch_title(s, mlv_str_trim(text), number);
	return rc;
}

static enum mlv_rc dispatch(struct state *s, struct mlv_text *t, const struct mlv_line *line,
			    bool is_rule, const struct mlv_columns *rule, enum mlv_take *take,
			    struct mlv_err *err)
{
	struct mlv_str text = line->text, name, value;
	if (s->phase == IN_ROWS) {
		if (is_rule) {
			s->phase = IN_TOTALS;
			t->run->sections.data[s->rows.section].last_line = line->number;
			*take = MLV_OWN;
			return MLV_OK;
		}
		if (is_total(text, &name, &value)) {
			s->phase = IN_TOTALS;
		} else if (mlv_columns_is_header(text)) {
			note_cut(s, t);
			s->phase = OUTSIDE;
		} else {
			return table_line(s, t, text, line->number, take, err);
		}
	}
	if (s->phase == IN_TOTALS) {
		if (is_total(text, &name, &value)) {
			*take = MLV_OWN;
			return add_total(s, t, name, value, line->number, err);
		}
		s->phase = OUTSIDE;
	}
	if (s->header_before && is_rule) {
		*take = MLV_OWN;
		return open_table(s, t, rule, line->number, err);
	}
	if (s->header_before) {
		s->header_before = false;
		if (s->rule_line) {
			/* A table without the second rule: its first one says the same. */
			enum mlv_rc rc = open_table(s, t, &s->rule, line->number - 1, err);
			return rc || s->phase != IN_ROWS
				       ? rc
				       : table_line(s, t, text, line->number, take, err);
		}
	}
	return is_rule ? MLV_OK : outside(s, t, text, line->number, take, err);
}

static enum mlv_rc take_line(void *state, struct mlv_text *t, const struct mlv_line *line,
			     enum mlv_take *take, struct mlv_err *err)
{
	struct slot *slot = state;
	struct mlv_columns rule;
	bool is_rule = mlv_columns_rule(line->text, &rule);
	if (!slot->s) {
		if (!is_rule && !is_banner(mlv_str_trim(line->text)) &&
		    !mlv_columns_is_header(line->text))
			return MLV_OK;
		slot->s = calloc(1, sizeof(*slot->s));
		if (!slot->s)
			return mlv_err_nomem(err);
	}
	struct state *s = slot->s;
	s->rows.doubtful = 0;
	enum mlv_rc rc = dispatch(s, t, line, is_rule, &rule, take, err);
	s->rule_before = is_rule;
	if (is_rule) {
		s->rule = rule;
		s->rule_line = line->number;
	}
	return rc;
}

static enum mlv_rc finish(void *state, struct mlv_text *t, struct mlv_err *err)
{
	struct state *s = ((struct slot *)state)->s;
	enum mlv_rc rc = MLV_OK;
	if (!s)
		return MLV_OK;
	if (s->phase == OUTSIDE && s->header_before && s->rule_line)
		rc = open_table(s, t, &s->rule, s->header_line, err);
	if (s->rows.doubtful && s->rows.doubtful == t->run->metrics.len)
		t->run->metrics.len--;
	if (s->phase == IN_ROWS)
		note_cut(s, t);
	return rc;
}

const struct mlv_text_format mlv_text_profiler_table = {
	.name = "profiler-table",
	.summary = "torch.profiler and autograd profiler tables, in a file or a log",
	.state_size = sizeof(struct slot),
	.line = take_line,
	.finish = finish,
	.fini = fini,
};
