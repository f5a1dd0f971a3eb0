/* SPDX-License-Identifier: MIT */
/*
 * cgmemtime, both versions, and its machine form (-t), five columns that only
 * a file full of them can be recognised by. The high-water mark of the group
 * may be lower than that of the child: pages of mapped files are not charged
 * to a group that did not read them in.
 */
#include "parsers/text/measure.h"
#include "parsers/text/scan.h"

#define FORMAT "cgmemtime"

enum { GAP = 5, TIMES = 3 };

struct state {
	struct mlv_measure report;
	int last;
	mlv_strid command; /* of "$ cgmemtime COMMAND" */
	uint32_t command_line;
	/* user, sys and wall, until a size follows: alone they could be of anybody */
	struct mlv_decimal times[TIMES];
	bool known[TIMES];
	uint32_t lines[TIMES];
	uint32_t first, last_time;
	bool not_table; /* a line was not of the machine form */
};

struct row {
	const char *label, *name;
	enum { HELD, SECONDS, SIZE } kind;
};

static const struct row rows[] = {
	{ "user:", "user", HELD },
	{ "sys:", "sys", HELD },
	{ "wall:", "wall", HELD },
	{ "child_RSS_high:", "child_RSS_high", SIZE },
	{ "group_mem_high:", "group_mem_high", SIZE },
	{ "Child user:", "Child user", SECONDS },
	{ "Child sys :", "Child sys", SECONDS },
	{ "Child wall:", "Child wall", SECONDS },
	{ "Child high-water RSS", "Child high-water RSS", SIZE },
	{ "Recursive and acc. high-water RSS+CACHE", "Recursive and acc. high-water RSS+CACHE",
	  SIZE },
	{ "Recursive and accumulated high-water RSS", "Recursive and accumulated high-water RSS",
	  SIZE },
};

enum { ROWS = sizeof(rows) / sizeof(rows[0]) };

/* "  0.856 s" or "  389572 KiB" to the end of the line */
static bool value_of(struct mlv_str s, const struct row *r, struct mlv_decimal *value)
{
	int64_t n;
	if (r->kind != SIZE) {
		mlv_scan_blanks(&s);
		if (!mlv_scan_decimal(&s, value) || value->exponent != -3)
			return false;
		value->unit = MLV_UNIT_S;
		return mlv_scan(&s, " s") && !s.n;
	}
	(void)mlv_scan_label(&s, ":");
	mlv_scan_blanks(&s);
	if (!mlv_scan_int(&s, &n) || !mlv_scan(&s, " KiB") || s.n)
		return false;
	*value = mlv_decimal_int(n, MLV_UNIT_KIB);
	return true;
}

static enum mlv_rc begin(struct state *s, struct mlv_text *t, uint32_t line, struct mlv_err *err)
{
	struct mlv_str command = mlv_run_str(t->run, s->command);
	s->command = MLV_STR_NONE;
	s->last = -1;
	return mlv_measure_begin(&s->report, t, FORMAT, command, line, err);
}

/* The times that wait, as a report of their own or the beginning of one. */
static enum mlv_rc give_times(struct state *s, struct mlv_text *t, struct mlv_err *err)
{
	enum mlv_rc rc = begin(s, t, s->first, err);
	for (int i = 0; i < TIMES && !rc; i++) {
		if (s->known[i])
			rc = mlv_measure_add(&s->report, t, rows[i].name, s->times[i], s->lines[i],
					     err);
		s->known[i] = false;
	}
	return rc;
}

static bool have_times(const struct state *s)
{
	return s->known[0] || s->known[1] || s->known[2];
}

static void hold(struct state *s, int which, struct mlv_decimal value, uint32_t line)
{
	bool follows = have_times(s) && line <= s->last_time + GAP;
	for (int i = follows ? which : 0; i < TIMES; i++)
		s->known[i] = false;
	if (!follows || !have_times(s))
		s->first = line;
	s->times[which] = value;
	s->known[which] = true;
	s->lines[which] = s->last_time = line;
}

static enum mlv_rc take_row(struct state *s, struct mlv_text *t, int which,
			    struct mlv_decimal value, uint32_t line, struct mlv_err *err)
{
	enum mlv_rc rc = MLV_OK;
	if (rows[which].kind == SIZE && have_times(s) && line <= s->last_time + GAP)
		rc = give_times(s, t, err);
	else if (!s->report.open || which <= s->last || line > s->report.last_line + GAP)
		rc = begin(s, t, line, err);
	for (int i = 0; i < TIMES; i++)
		s->known[i] = false;
	s->last = which;
	return rc ? rc : mlv_measure_add(&s->report, t, rows[which].name, value, line, err);
}

/* ---- the machine form ---- */

static bool table_line(struct mlv_str s, struct mlv_decimal values[5])
{
	bool fraction = false;
	for (int i = 0; i < 5; i++) {
		if ((i && !mlv_scan(&s, ";")) || !mlv_scan_decimal(&s, &values[i]))
			return false;
		fraction = fraction || (i < 3 && values[i].exponent < 0);
		if (i >= 3 && (values[i].exponent || values[i].mantissa < 0))
			return false;
		values[i].unit = i < 3 ? MLV_UNIT_S : MLV_UNIT_KIB;
	}
	/* No process does with less than a hundred KiB. */
	return !s.n && fraction && values[3].mantissa >= 100;
}

static enum mlv_rc table(struct state *s, struct mlv_text *t, uint32_t line, struct mlv_str text,
			 enum mlv_take *take, struct mlv_err *err)
{
	struct mlv_decimal values[5];
	if (!table_line(text, values)) {
		s->not_table = s->not_table || text.n;
		return MLV_OK;
	}
	*take = MLV_TAKE;
	enum mlv_rc rc = begin(s, t, line, err);
	for (int i = 0; i < 5 && !rc; i++)
		rc = mlv_measure_add(&s->report, t, rows[i].name, values[i], line, err);
	s->report.open = false;
	return rc;
}

/* ---- the format ---- */

/* "$ ./cgmemtime -t COMMAND": the command, for the report that follows. */
static bool command_line(struct mlv_str s, struct mlv_str *command)
{
	(void)(mlv_scan(&s, "$ ") || mlv_scan(&s, "# ") || mlv_scan(&s, "% "));
	size_t n = 0;
	while (n < s.n && s.p[n] != ' ')
		n++;
	struct mlv_str program = { s.p, n };
	if (!mlv_str_eq(mlv_str_basename(program), MLV_STR("cgmemtime")) || n + 1 >= s.n)
		return false;
	mlv_scan_skip(&s, n + 1);
	while (mlv_scan(&s, "-t "))
		mlv_scan_blanks(&s);
	*command = s;
	return true;
}

static enum mlv_rc read_line(void *state, struct mlv_text *t, const struct mlv_line *line,
			     enum mlv_take *take, struct mlv_err *err)
{
	struct state *s = state;
	struct mlv_str text = mlv_str_trim(line->text), command;
	struct mlv_decimal value;
	if (!s->not_table && line->number) {
		enum mlv_rc rc = table(s, t, line->number, text, take, err);
		if (rc || *take != MLV_PASS)
			return rc;
	}
	if (command_line(text, &command)) {
		s->command_line = line->number;
		return mlv_run_intern(t->run, command, &s->command) ? MLV_OK : mlv_err_nomem(err);
	}
	/* Results pasted as comments. */
	(void)mlv_scan(&text, "#");
	for (int i = 0; i < ROWS; i++) {
		struct mlv_str rest = text;
		if (!mlv_scan(&rest, rows[i].label) || !value_of(rest, &rows[i], &value))
			continue;
		*take = MLV_TAKE;
		if (rows[i].kind != HELD)
			return take_row(s, t, i, value, line->number, err);
		hold(s, i, value, line->number);
		return MLV_OK;
	}
	return MLV_OK;
}

/* A log that was cut behind the times. */
static enum mlv_rc finish(void *state, struct mlv_text *t, struct mlv_err *err)
{
	struct state *s = state;
	if (s->known[0] && s->known[1] && s->known[2])
		return give_times(s, t, err);
	return MLV_OK;
}

const struct mlv_text_format mlv_text_cgmemtime = {
	.name = FORMAT,
	.summary = "cgmemtime, versions 1 and 2, and its columns (-t)",
	.state_size = sizeof(struct state),
	.line = read_line,
	.finish = finish,
};
