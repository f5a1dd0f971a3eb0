/* SPDX-License-Identifier: MIT */
/*
 * The `time` of shells: three lines of bash, ksh and BusyBox ("real 0m1.234s",
 * with the decimal comma of some locales), and one line of zsh, which names
 * the command. None of them says how it ended.
 */
#include "parsers/text/measure.h"
#include "parsers/text/scan.h"

#define FORMAT "shell-time"

enum { LAST = 2, GAP = 2 };

struct state {
	struct mlv_measure report;
	int last; /* of real, user, sys */
};

/* Seconds with a point or a comma; what follows stays. */
static bool seconds(struct mlv_str *s, struct mlv_decimal *value)
{
	char digits[24];
	size_t n = 0;
	while (n < s->n && n < sizeof(digits) &&
	       (mlv_is_digit(s->p[n]) || s->p[n] == '.' || s->p[n] == ',')) {
		digits[n] = s->p[n] == ',' ? '.' : s->p[n];
		n++;
	}
	if (!n || !mlv_is_digit(digits[0]) || !mlv_is_digit(digits[n - 1]) ||
	    !mlv_decimal_whole((struct mlv_str){ digits, n }, MLV_UNIT_S, value))
		return false;
	mlv_scan_skip(s, n);
	return true;
}

/* value += minutes, in the digits that value has */
static bool add_minutes(struct mlv_decimal *value, int64_t minutes)
{
	int64_t scaled;
	if (__builtin_mul_overflow(minutes, 60, &scaled))
		return false;
	for (int i = value->exponent; i < 0; i++) {
		if (__builtin_mul_overflow(scaled, 10, &scaled))
			return false;
	}
	return value->exponent <= 0 &&
	       !__builtin_add_overflow(value->mantissa, scaled, &value->mantissa);
}

/* "12m34.567s", "0m 1.23s" */
static bool minutes(struct mlv_str *s, struct mlv_decimal *value)
{
	int64_t m;
	if (!mlv_scan_int(s, &m) || !mlv_scan(s, "m"))
		return false;
	mlv_scan_blanks(s);
	return seconds(s, value) && mlv_scan(s, "s") && add_minutes(value, m);
}

/* ---- bash ---- */

static enum mlv_rc three_lines(struct state *s, struct mlv_text *t, const struct mlv_line *line,
			       struct mlv_str text, enum mlv_take *take, struct mlv_err *err)
{
	static const char *const names[] = { "real", "user", "sys" };
	int which = 0;
	struct mlv_decimal value;
	enum mlv_rc rc = MLV_OK;
	while (which <= LAST && !mlv_scan(&text, names[which]))
		which++;
	if (which > LAST || !text.n || (text.p[0] != '\t' && text.p[0] != ' '))
		return MLV_OK;
	mlv_scan_blanks(&text);
	if (!minutes(&text, &value) || text.n)
		return MLV_OK;
	*take = MLV_TAKE;
	if (!s->report.open || which <= s->last || line->number > s->report.last_line + GAP)
		rc = mlv_measure_begin(&s->report, t, FORMAT, (struct mlv_str){ "", 0 },
				       line->number, err);
	s->last = which;
	return rc ? rc : mlv_measure_add(&s->report, t, names[which], value, line->number, err);
}

/* ---- zsh ---- */

/* The last word of `s`, which is cut off. */
static struct mlv_str last_word(struct mlv_str *s)
{
	*s = mlv_str_trim(*s);
	size_t begin = s->n;
	while (begin && s->p[begin - 1] != ' ' && s->p[begin - 1] != '\t')
		begin--;
	struct mlv_str word = { s->p + begin, s->n - begin };
	s->n = begin;
	return word;
}

static bool last_is(struct mlv_str *s, const char *text)
{
	struct mlv_str word = last_word(s);
	return mlv_scan(&word, text) && !word.n;
}

/* "0.040", "1:02.34", "1:02:03.45" */
static bool elapsed(struct mlv_str s, struct mlv_decimal *value)
{
	int64_t minutes_before = 0, n;
	for (struct mlv_str rest = s; mlv_scan_int(&rest, &n) && mlv_scan(&rest, ":"); s = rest)
		minutes_before = minutes_before * 60 + (n < 1000000 ? n : 1000000);
	return seconds(&s, value) && !s.n && add_minutes(value, minutes_before);
}

static bool cpu_seconds(struct mlv_str s, struct mlv_decimal *value)
{
	return seconds(&s, value) && mlv_scan(&s, "s") && !s.n;
}

static bool percent(struct mlv_str s, struct mlv_decimal *value)
{
	int64_t n;
	if (!mlv_scan_int(&s, &n) || !mlv_scan(&s, "%") || s.n)
		return false;
	*value = mlv_decimal_int(n, MLV_UNIT_PERCENT);
	return true;
}

/* "COMMAND  0.67s user 1.42s system 422% cpu 0.495 total", read from its end. */
static enum mlv_rc one_line(struct mlv_text *t, const struct mlv_line *line, struct mlv_str text,
			    enum mlv_take *take, struct mlv_err *err)
{
	static const char *const names[] = { "user", "system", "cpu", "total" };
	struct mlv_decimal values[4];
	struct mlv_measure m;
	if (text.n < 6 || !mlv_str_has_suffix(text, MLV_STR(" total")))
		return MLV_OK;
	if (!last_is(&text, "total") || !elapsed(last_word(&text), &values[3]) ||
	    !last_is(&text, "cpu") || !percent(last_word(&text), &values[2]) ||
	    !last_is(&text, "system") || !cpu_seconds(last_word(&text), &values[1]) ||
	    !last_is(&text, "user") || !cpu_seconds(last_word(&text), &values[0]))
		return MLV_OK;
	*take = MLV_TAKE;
	enum mlv_rc rc = mlv_measure_begin(&m, t, FORMAT, mlv_str_trim(text), line->number, err);
	for (int i = 0; i < 4 && !rc; i++)
		rc = mlv_measure_add(&m, t, names[i], values[i], line->number, err);
	return rc;
}

static enum mlv_rc read_line(void *state, struct mlv_text *t, const struct mlv_line *line,
			     enum mlv_take *take, struct mlv_err *err)
{
	struct mlv_str text = mlv_str_trim(line->text);
	if (!text.n)
		return MLV_OK;
	if (text.p[text.n - 1] == 's')
		return three_lines(state, t, line, text, take, err);
	return one_line(t, line, text, take, err);
}

const struct mlv_text_format mlv_text_shell_time = {
	.name = FORMAT,
	.summary = "time of bash, ksh, BusyBox and zsh",
	.state_size = sizeof(struct state),
	.line = read_line,
};
