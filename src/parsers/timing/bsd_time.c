/* SPDX-License-Identifier: MIT */
/*
 * time of macOS and the BSDs, with or without -l. The same words mean bytes on
 * macOS and kilobytes (of 1024) elsewhere; what tells them apart is the width
 * of the column of numbers, 20 on macOS and 10 on the BSDs, else the lines
 * that only macOS has. Where neither can be seen, sizes stay without a unit.
 */
#include <string.h>

#include "parsers/text/measure.h"
#include "parsers/text/scan.h"

#define FORMAT "bsd-time"

enum { GAP = 10, SIZES = 4, MAC_WIDTH = 19, BSD_WIDTH = 9 };

struct state {
	struct mlv_measure report;
	int last;
	enum mlv_unit unit;      /* of maximum resident set size; NONE: not known yet */
	size_t unsettled[SIZES]; /* rows of metrics that wait for it */
	unsigned waiting;
};

struct row {
	const char *label;
	enum { COUNT, SIZE, KBYTES, MAC_COUNT, MAC_BYTES } kind;
	bool sure; /* nothing else prints it: it may begin a report */
};

static const struct row rows[] = {
	{ "maximum resident set size", SIZE, true },
	{ "average shared memory size", KBYTES, true },
	{ "average unshared data size", KBYTES, true },
	{ "average unshared stack size", KBYTES, true },
	{ "page reclaims", COUNT, false },
	{ "page faults", COUNT, false },
	{ "swaps", COUNT, false },
	{ "block input operations", COUNT, false },
	{ "block output operations", COUNT, false },
	{ "messages sent", COUNT, false },
	{ "messages received", COUNT, false },
	{ "signals received", COUNT, false },
	{ "voluntary context switches", COUNT, false },
	{ "involuntary context switches", COUNT, false },
	{ "instructions retired", MAC_COUNT, true },
	{ "cycles elapsed", MAC_COUNT, true },
	{ "peak memory footprint", MAC_BYTES, true },
};

enum { ROWS = sizeof(rows) / sizeof(rows[0]) };

static void settle(struct state *s, struct mlv_text *t, enum mlv_unit unit)
{
	s->unit = unit;
	for (unsigned i = 0; i < s->waiting; i++)
		t->run->metrics.data[s->unsettled[i]].value.unit = (uint8_t)unit;
	s->waiting = 0;
}

static void end_report(struct state *s, struct mlv_text *t)
{
	if (s->report.open && s->waiting)
		mlv_diag_add_line(&t->run->diags, MLV_WARNING, "time-unit", s->report.last_line,
				  "whether this maximum resident set size is in bytes (macOS) or "
				  "in kilobytes (BSD) cannot be seen");
	s->report.open = false;
	s->waiting = 0;
	s->unit = MLV_UNIT_NONE;
}

static enum mlv_rc begin(struct state *s, struct mlv_text *t, uint32_t line, struct mlv_err *err)
{
	end_report(s, t);
	s->last = -1;
	return mlv_measure_begin(&s->report, t, FORMAT, (struct mlv_str){ "", 0 }, line, err);
}

/* "        1.00 real         0.50 user         0.10 sys" */
static enum mlv_rc first_line(struct state *s, struct mlv_text *t, uint32_t line,
			      struct mlv_str text, enum mlv_take *take, struct mlv_err *err)
{
	static const char *const names[] = { "real", "user", "sys" };
	struct mlv_decimal values[3];
	for (int i = 0; i < 3; i++) {
		mlv_scan_blanks(&text);
		if (!mlv_scan_decimal(&text, &values[i]) || values[i].exponent >= 0 ||
		    !mlv_scan(&text, " ") || !mlv_scan(&text, names[i]))
			return MLV_OK;
		values[i].unit = MLV_UNIT_S;
	}
	if (text.n)
		return MLV_OK;
	*take = MLV_TAKE;
	enum mlv_rc rc = begin(s, t, line, err);
	for (int i = 0; i < 3 && !rc; i++)
		rc = mlv_measure_add(&s->report, t, names[i], values[i], line, err);
	return rc;
}

/* By the columns that the number and the blanks before it take. A launcher's prefix may have cost
 * one of them. */
static enum mlv_unit unit_by_width(struct mlv_str text, size_t blanks, size_t digits)
{
	if (!blanks || memchr(text.p, '\t', blanks))
		return MLV_UNIT_NONE;
	if (blanks + digits >= MAC_WIDTH)
		return MLV_UNIT_BYTES;
	return blanks + digits == BSD_WIDTH || blanks + digits == BSD_WIDTH + 1 ? MLV_UNIT_KIB
										: MLV_UNIT_NONE;
}

static enum mlv_rc add_row(struct state *s, struct mlv_text *t, int which, int64_t n, uint32_t line,
			   struct mlv_err *err)
{
	static const enum mlv_unit units[] = { [COUNT] = MLV_UNIT_NONE,
					       [SIZE] = MLV_UNIT_NONE,
					       [KBYTES] = MLV_UNIT_KIB,
					       [MAC_COUNT] = MLV_UNIT_NONE,
					       [MAC_BYTES] = MLV_UNIT_BYTES };
	enum mlv_unit unit = rows[which].kind == SIZE ? s->unit : units[rows[which].kind];
	enum mlv_rc rc = mlv_measure_add(&s->report, t, rows[which].label, mlv_decimal_int(n, unit),
					 line, err);
	if (!rc && rows[which].kind == SIZE && unit == MLV_UNIT_NONE && s->waiting < SIZES)
		s->unsettled[s->waiting++] = t->run->metrics.len - 1;
	return rc;
}

static enum mlv_rc count_line(struct state *s, struct mlv_text *t, uint32_t line,
			      struct mlv_str text, enum mlv_take *take, struct mlv_err *err)
{
	struct mlv_str rest = text;
	int64_t n;
	int which = 0;
	mlv_scan_blanks(&rest);
	size_t blanks = (size_t)(rest.p - text.p);
	if (!mlv_scan_int(&rest, &n) || !mlv_scan(&rest, "  "))
		return MLV_OK;
	size_t digits = (size_t)(rest.p - text.p) - blanks - 2;
	rest = mlv_str_trim(rest);
	while (which < ROWS && !mlv_str_eq(rest, mlv_str_of(rows[which].label)))
		which++;
	if (which == ROWS)
		return MLV_OK;
	bool fits = s->report.open && which > s->last && line <= s->report.last_line + GAP;
	if (!fits && !rows[which].sure)
		return MLV_OK;
	*take = MLV_TAKE;
	enum mlv_rc rc = fits ? MLV_OK : begin(s, t, line, err);
	enum mlv_unit unit = rows[which].kind >= MAC_COUNT ? MLV_UNIT_BYTES
							   : unit_by_width(text, blanks, digits);
	if (s->unit == MLV_UNIT_NONE && unit != MLV_UNIT_NONE)
		settle(s, t, unit);
	s->last = which;
	return rc ? rc : add_row(s, t, which, n, line, err);
}

static enum mlv_rc read_line(void *state, struct mlv_text *t, const struct mlv_line *line,
			     enum mlv_take *take, struct mlv_err *err)
{
	struct mlv_str text = line->text;
	size_t i = 0;
	while (i < text.n && text.p[i] == ' ')
		i++;
	if (i == text.n || !mlv_is_digit(text.p[i]))
		return MLV_OK;
	enum mlv_rc rc = first_line(state, t, line->number, text, take, err);
	if (!rc && *take == MLV_PASS)
		rc = count_line(state, t, line->number, text, take, err);
	return rc;
}

static enum mlv_rc finish(void *state, struct mlv_text *t, struct mlv_err *err)
{
	(void)err;
	end_report(state, t);
	return MLV_OK;
}

const struct mlv_text_format mlv_text_bsd_time = {
	.name = FORMAT,
	.summary = "time of macOS and the BSDs, with or without -l",
	.state_size = sizeof(struct state),
	.line = read_line,
	.finish = finish,
};
