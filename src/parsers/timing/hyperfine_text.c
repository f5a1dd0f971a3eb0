/* SPDX-License-Identifier: MIT */
/*
 * What hyperfine prints on a terminal: for each command its mean and range,
 * warnings, and at the end a comparison. Its times are rounded for reading;
 * they keep the unit and the digits that they were printed with.
 */
#include "parsers/text/measure.h"
#include "parsers/text/scan.h"

#define FORMAT "hyperfine-text"

#define PLUS_MINUS "\xc2\xb1"
#define SIGMA "\xcf\x83"
#define ELLIPSIS "\xe2\x80\xa6"
#define IDENTICAL "\xe2\x89\xa1"
#define MICRO "\xc2\xb5"

struct state {
	mlv_strid command;
	uint32_t command_line;
	bool known; /* a benchmark is open: its command */
	struct mlv_measure report;
	uint32_t summary; /* line of "Summary"; 0: none */
};

/* "  1.412 s" */
static bool duration(struct mlv_str *s, struct mlv_decimal *value)
{
	static const struct {
		const char *text;
		enum mlv_unit unit;
	} units[] = { { " s", MLV_UNIT_S },
		      { " ms", MLV_UNIT_MS },
		      { " " MICRO "s", MLV_UNIT_US },
		      { " us", MLV_UNIT_US } };
	mlv_scan_blanks(s);
	if (!mlv_scan_decimal(s, value))
		return false;
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (mlv_scan(s, units[i].text)) {
			value->unit = (uint8_t)units[i].unit;
			return true;
		}
	}
	return false;
}

static enum mlv_rc begin(struct state *s, struct mlv_text *t, uint32_t line, struct mlv_err *err)
{
	struct mlv_str command = { "", 0 };
	if (s->known)
		command = mlv_run_str(t->run, s->command);
	return mlv_measure_begin(&s->report, t, FORMAT, command, s->known ? s->command_line : line,
				 err);
}

struct named {
	const char *name;
	struct mlv_decimal value;
};

static enum mlv_rc add_all(struct state *s, struct mlv_text *t, const struct named *list, size_t n,
			   uint32_t line, struct mlv_err *err)
{
	enum mlv_rc rc = MLV_OK;
	for (size_t i = 0; i < n && !rc; i++)
		rc = mlv_measure_add(&s->report, t, list[i].name, list[i].value, line, err);
	return rc;
}

/* "[User: 8.160 s, System: 0.290 s]" to the end */
static bool cpu_times(struct mlv_str *s, struct named *user, struct named *system)
{
	user->name = "user";
	system->name = "system";
	return mlv_scan_label(s, "[User:") && duration(s, &user->value) && mlv_scan(s, ",") &&
	       mlv_scan_label(s, "System:") && duration(s, &system->value) && mlv_scan(s, "]");
}

/* "Time (mean ± σ):  1.412 s ±  0.024 s    [User: 8.160 s, System: 0.290 s]" */
static bool mean_line(struct mlv_str s, struct named out[4], size_t *n)
{
	bool one = mlv_scan(&s, "Time (abs " IDENTICAL "):");
	if (!one && !mlv_scan(&s, "Time (mean " PLUS_MINUS " " SIGMA "):"))
		return false;
	out[0].name = "mean";
	out[1].name = "stddev";
	*n = one ? 1 : 2;
	if (!duration(&s, &out[0].value) ||
	    (!one && (!mlv_scan_label(&s, PLUS_MINUS) || !duration(&s, &out[1].value))) ||
	    !cpu_times(&s, &out[*n], &out[*n + 1]) || s.n)
		return false;
	*n += 2;
	return true;
}

/* "Range (min … max):  1.378 s …  1.454 s    10 runs" */
static bool range_line(struct mlv_str s, struct named out[3], size_t *n)
{
	int64_t runs;
	if (!mlv_scan(&s, "Range (min " ELLIPSIS " max):") || !duration(&s, &out[0].value) ||
	    !mlv_scan_label(&s, ELLIPSIS) || !duration(&s, &out[1].value))
		return false;
	out[0].name = "min";
	out[1].name = "max";
	*n = 2;
	mlv_scan_blanks(&s);
	/* The number of runs came with version 1.5. */
	if (mlv_scan_int(&s, &runs) && mlv_scan(&s, " run")) {
		(void)mlv_scan(&s, "s");
		out[2] = (struct named){ "runs", mlv_decimal_int(runs, MLV_UNIT_NONE) };
		*n = 3;
	}
	return !s.n;
}

/* "Benchmark 1: sleep 1", before 1.11 "Benchmark #1: sleep 1" */
static bool command_line(struct mlv_str s, struct mlv_str *command)
{
	int64_t number;
	if (!mlv_scan(&s, "Benchmark "))
		return false;
	(void)mlv_scan(&s, "#");
	if (!mlv_scan_int(&s, &number) || !mlv_scan(&s, ":"))
		return false;
	*command = mlv_str_trim(s);
	return true;
}

static bool known_warning(struct mlv_str s, const char **code)
{
	static const struct {
		const char *begin, *code;
	} warnings[] = {
		{ "Ignoring non-zero exit code", "exit-status" },
		{ "Command took less than ", "benchmark-too-fast" },
		{ "The first benchmarking run for this command was significantly slower",
		  "benchmark-slow-first-run" },
		{ "Statistical outliers were detected", "benchmark-outliers" },
		{ "Command terminated with non-zero exit code", "exit-status" },
		{ "The process has been terminated by a signal", "signal" },
	};
	for (size_t i = 0; i < sizeof(warnings) / sizeof(warnings[0]); i++) {
		if (mlv_scan(&s, warnings[i].begin)) {
			*code = warnings[i].code;
			return true;
		}
	}
	return false;
}

/* "Warning: …" and "Error: …", as far as they are hyperfine's own */
static enum mlv_rc warning_line(struct state *s, struct mlv_text *t, uint32_t line,
				struct mlv_str text, enum mlv_take *take, struct mlv_err *err)
{
	struct mlv_str rest = text;
	struct mlv_found f = { .severity = MLV_FINDING_WARNING, .line = line, .rank = t->rank };
	if (mlv_scan(&rest, "Error: "))
		f.severity = MLV_FINDING_ERROR;
	else if (!mlv_scan(&rest, "Warning: "))
		return MLV_OK;
	if (!s->known || !known_warning(rest, &f.code))
		return MLV_OK;
	*take = MLV_TAKE;
	f.text = rest;
	f.command = mlv_run_str(t->run, s->command);
	/* A benchmark that failed printed nothing else. */
	enum mlv_rc rc = s->report.open ? MLV_OK : begin(s, t, line, err);
	if (!rc && t->run->sections.data[s->report.section].last_line < line)
		t->run->sections.data[s->report.section].last_line = line;
	return rc ? rc : mlv_add_found(mlv_text_add(t), &f, err);
}

/* "1.43 ± 0.05 times faster than 'sleep 2'": how many times slower that command is. */
static enum mlv_rc summary_line(struct state *s, struct mlv_text *t, uint32_t line,
				struct mlv_str text, enum mlv_take *take, struct mlv_err *err)
{
	struct named values[2] = { { "relative", { 0 } }, { "relative stddev", { 0 } } };
	size_t n = 1;
	if (!mlv_scan_decimal(&text, &values[0].value))
		return MLV_OK;
	if (mlv_scan_label(&text, PLUS_MINUS)) {
		mlv_scan_blanks(&text);
		if (!mlv_scan_decimal(&text, &values[1].value))
			return MLV_OK;
		n = 2;
	}
	if (!mlv_scan_label(&text, "times faster than "))
		return MLV_OK;
	if (text.n > 1 && text.p[0] == '\'' && text.p[text.n - 1] == '\'')
		text = (struct mlv_str){ text.p + 1, text.n - 2 };
	*take = MLV_TAKE;
	enum mlv_rc rc = mlv_measure_begin(&s->report, t, FORMAT, text, line, err);
	if (!rc)
		rc = add_all(s, t, values, n, line, err);
	s->report.open = false;
	return rc;
}

static enum mlv_rc read_line(void *state, struct mlv_text *t, const struct mlv_line *line,
			     enum mlv_take *take, struct mlv_err *err)
{
	struct state *s = state;
	struct mlv_str text = mlv_str_trim(line->text), command;
	struct named values[4];
	size_t n;
	enum mlv_rc rc = MLV_OK;
	if (!text.n)
		return MLV_OK;
	if (command_line(text, &command)) {
		s->known = true;
		s->report.open = false;
		s->command_line = line->number;
		return mlv_run_intern(t->run, command, &s->command) ? MLV_OK : mlv_err_nomem(err);
	}
	if (mean_line(text, values, &n)) {
		*take = MLV_TAKE;
		rc = begin(s, t, line->number, err);
		return rc ? rc : add_all(s, t, values, n, line->number, err);
	}
	if (range_line(text, values, &n)) {
		*take = MLV_TAKE;
		if (!s->report.open)
			rc = begin(s, t, line->number, err);
		return rc ? rc : add_all(s, t, values, n, line->number, err);
	}
	if (mlv_str_eq(text, MLV_STR("Summary"))) {
		s->summary = line->number;
		s->known = s->report.open = false;
		return MLV_OK;
	}
	if (s->summary && mlv_is_digit(text.p[0]))
		return summary_line(s, t, line->number, text, take, err);
	return warning_line(s, t, line->number, text, take, err);
}

const struct mlv_text_format mlv_text_hyperfine_text = {
	.name = FORMAT,
	.summary = "hyperfine's output on a terminal",
	.state_size = sizeof(struct state),
	.line = read_line,
};
