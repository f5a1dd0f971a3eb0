/* SPDX-License-Identifier: MIT */
/*
 * hyperfine --export-csv: a row for each command, quoted where a command holds
 * commas, quotes or line breaks. Version 1 has one column for each statistic,
 * all in seconds; version 2 has columns METRIC_mean, METRIC_stddev, … after
 * one that names their unit, METRIC_unit.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "parsers/text/measure.h"
#include "parsers/text/scan.h"

#define FORMAT "hyperfine-csv"

enum { MOST_COLUMNS = 256, MOST_RECORD = 1 << 20 };

struct column {
	enum { IGNORED, COMMAND, SECONDS, UNIT, BY_UNIT, PARAMETER } kind;
	mlv_strid name; /* of the metric or the parameter */
};

struct state {
	struct mlv_buf record; /* lines of a row that is not whole */
	bool quoted;           /* it ends within quotes */
	uint32_t first, row;
	struct column columns[MOST_COLUMNS];
	size_t count;
};

static int probe(struct mlv_bytes head)
{
	static const struct mlv_str headers[] = {
		MLV_STR_INIT("command,mean,stddev,median,user,system,min,max"),
		MLV_STR_INIT("command,mean,stddev,user,system,min,max"),
		MLV_STR_INIT("command,time_"),
		MLV_STR_INIT("command,memory_peak_resident_unit"),
	};
	struct mlv_str s = { (const char *)head.p, head.n };
	for (size_t i = 0; i < sizeof(headers) / sizeof(headers[0]); i++) {
		if (mlv_str_has_prefix(s, headers[i]))
			return 90;
	}
	return 0;
}

/* ---- records ---- */

/* Whether a line that begins within quotes or not ends within them: the record goes on. */
static bool ends_quoted(bool quoted, struct mlv_str s)
{
	for (size_t i = 0; i < s.n; i++)
		quoted = quoted != (s.p[i] == '"');
	return quoted;
}

/* The next field, unquoted in place, off the beginning of `s`. False behind the last. */
static bool next_field(struct mlv_str *s, char *room, struct mlv_str *field, bool *more)
{
	size_t i = 0, n = 0;
	bool quoted = false;
	if (!*more)
		return false;
	for (; i < s->n && (quoted || s->p[i] != ','); i++) {
		if (s->p[i] != '"')
			room[n++] = s->p[i];
		else if (quoted && i + 1 < s->n && s->p[i + 1] == '"')
			room[n++] = s->p[i++];
		else
			quoted = !quoted;
	}
	*more = i < s->n;
	*field = (struct mlv_str){ room, n };
	mlv_scan_skip(s, i + *more);
	return true;
}

/* ---- columns ---- */

static bool is_statistic(struct mlv_str s)
{
	static const struct mlv_str names[] = { MLV_STR_INIT("mean"),   MLV_STR_INIT("stddev"),
						MLV_STR_INIT("median"), MLV_STR_INIT("user"),
						MLV_STR_INIT("system"), MLV_STR_INIT("min"),
						MLV_STR_INIT("max") };
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (mlv_str_eq(s, names[i]))
			return true;
	}
	return false;
}

/* As in the JSON export: "mean" of the wall time, "user", "memory mean". */
static bool short_name(struct mlv_str s, char *name, size_t size)
{
	static const char *const families[][2] = { { "time_wall_clock_", "" },
						   { "time_user_", "user " },
						   { "time_system_", "system " },
						   { "memory_peak_resident_", "memory " } };
	for (size_t i = 0; i < sizeof(families) / sizeof(families[0]); i++) {
		if (!mlv_scan(&s, families[i][0]))
			continue;
		bool cpu = (i == 1 || i == 2) && mlv_str_eq(s, MLV_STR("mean"));
		snprintf(name, size, "%s%.*s", cpu ? (i == 1 ? "user" : "system") : families[i][1],
			 cpu ? 0 : (int)(s.n < 64 ? s.n : 64), s.p);
		return true;
	}
	snprintf(name, size, "%.*s", (int)(s.n < 96 ? s.n : 96), s.p);
	return false;
}

static bool set_column(struct mlv_text *t, struct column *c, struct mlv_str name)
{
	char text[128];
	if (mlv_str_eq(name, MLV_STR("command"))) {
		c->kind = COMMAND;
		return true;
	}
	if (mlv_scan(&name, "parameter_")) {
		c->kind = PARAMETER;
		return mlv_run_intern(t->run, name, &c->name);
	}
	if (is_statistic(name)) {
		c->kind = SECONDS;
		return mlv_run_intern(t->run, name, &c->name);
	}
	c->kind = mlv_str_has_suffix(name, MLV_STR("_unit")) ? UNIT : BY_UNIT;
	(void)short_name(name, text, sizeof(text));
	return mlv_run_intern(t->run, mlv_str_of(text), &c->name);
}

static enum mlv_unit unit_of(struct mlv_str symbol)
{
	static const struct {
		struct mlv_str symbol;
		enum mlv_unit unit;
	} units[] = {
		{ MLV_STR_INIT("s"), MLV_UNIT_S },     { MLV_STR_INIT("ms"), MLV_UNIT_MS },
		{ MLV_STR_INIT("us"), MLV_UNIT_US },   { MLV_STR_INIT("\xc2\xb5s"), MLV_UNIT_US },
		{ MLV_STR_INIT("ns"), MLV_UNIT_NS },   { MLV_STR_INIT("B"), MLV_UNIT_BYTES },
		{ MLV_STR_INIT("KiB"), MLV_UNIT_KIB }, { MLV_STR_INIT("MiB"), MLV_UNIT_MIB },
		{ MLV_STR_INIT("GiB"), MLV_UNIT_GIB }, { MLV_STR_INIT("kB"), MLV_UNIT_KB },
		{ MLV_STR_INIT("MB"), MLV_UNIT_MB },   { MLV_STR_INIT("GB"), MLV_UNIT_GB },
	};
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (mlv_str_eq(symbol, units[i].symbol))
			return units[i].unit;
	}
	return MLV_UNIT_NONE;
}

/* ---- rows ---- */

static enum mlv_rc header(struct state *s, struct mlv_text *t, struct mlv_str record, char *room,
			  struct mlv_err *err)
{
	struct mlv_str field;
	bool more = true;
	while (s->count < MOST_COLUMNS && next_field(&record, room, &field, &more)) {
		if (!set_column(t, &s->columns[s->count++], field))
			return mlv_err_nomem(err);
	}
	return MLV_OK;
}

static enum mlv_rc parameter(struct state *s, struct mlv_text *t, mlv_strid name,
			     struct mlv_str value, struct mlv_err *err)
{
	char key[160];
	snprintf(key, sizeof(key), "result %u: %s", s->row + 1, mlv_run_str(t->run, name).p);
	return mlv_run_property_text(t->run, "parameters", key, value) ? MLV_OK
								       : mlv_err_nomem(err);
}

static enum mlv_rc row(struct state *s, struct mlv_text *t, struct mlv_str record, char *room,
		       uint32_t line, struct mlv_err *err)
{
	struct mlv_measure m = { 0 };
	struct mlv_str field;
	enum mlv_unit unit = MLV_UNIT_NONE;
	enum mlv_rc rc = MLV_OK;
	bool more = true;
	size_t i = 0;
	for (; i < s->count && !rc && next_field(&record, room, &field, &more); i++) {
		const struct column *c = &s->columns[i];
		struct mlv_decimal value;
		if (c->kind == COMMAND && !m.open)
			rc = mlv_measure_begin(&m, t, FORMAT, field, s->first, err);
		else if (c->kind == UNIT)
			unit = unit_of(field);
		else if (c->kind == PARAMETER)
			rc = parameter(s, t, c->name, field, err);
		else if ((c->kind == SECONDS || c->kind == BY_UNIT) &&
			 mlv_decimal_whole(field, c->kind == SECONDS ? MLV_UNIT_S : unit, &value))
			rc = mlv_measure_add(&m, t, mlv_run_str(t->run, c->name).p, value, line,
					     err);
	}
	if (!rc && (i < s->count || more))
		mlv_diag_add_line(&t->run->diags, MLV_DAMAGE, "csv-columns", line,
				  "a row has not as many fields as the header");
	s->row++;
	return rc;
}

static enum mlv_rc record(struct state *s, struct mlv_text *t, uint32_t line, struct mlv_err *err)
{
	struct mlv_str text = { s->record.data, s->record.len };
	enum mlv_rc rc = MLV_OK;
	char *room = malloc(text.n + 1);
	if (!room)
		return mlv_err_nomem(err);
	if (!s->count)
		rc = header(s, t, text, room, err);
	else
		rc = row(s, t, text, room, line, err);
	free(room);
	s->record.len = 0;
	return rc;
}

static enum mlv_rc read_line(void *state, struct mlv_text *t, const struct mlv_line *line,
			     enum mlv_take *take, struct mlv_err *err)
{
	struct state *s = state;
	/* A table within a log begins with its header; anything else is none. */
	if (!s->count && !s->quoted &&
	    !probe((struct mlv_bytes){ (const uint8_t *)line->raw.p, line->raw.n }))
		return MLV_OK;
	if (!s->quoted && s->count && !memchr(line->raw.p, ',', line->raw.n) &&
	    !memchr(line->raw.p, '"', line->raw.n)) {
		s->count = 0; /* the end of the table */
		return MLV_OK;
	}
	*take = MLV_OWN;
	if (!s->quoted)
		s->first = line->number;
	else
		mlv_buf_putc(&s->record, '\n');
	mlv_buf_str(&s->record, line->raw);
	if (s->record.failed)
		return mlv_err_nomem(err);
	s->quoted = ends_quoted(s->quoted, line->raw);
	if (s->quoted && s->record.len < MOST_RECORD)
		return MLV_OK;
	s->quoted = false;
	return record(s, t, line->number, err);
}

static enum mlv_rc finish(void *state, struct mlv_text *t, struct mlv_err *err)
{
	struct state *s = state;
	if (!s->quoted)
		return MLV_OK;
	mlv_diag_add_line(&t->run->diags, MLV_DAMAGE, "csv-truncated", s->first,
			  "the file ends within a quoted field");
	return record(s, t, s->first, err);
}

static void fini(void *state)
{
	mlv_buf_fini(&((struct state *)state)->record);
}

const struct mlv_text_format mlv_text_hyperfine_csv = {
	.name = FORMAT,
	.summary = "hyperfine --export-csv",
	.probe = probe,
	.state_size = sizeof(struct state),
	.line = read_line,
	.finish = finish,
	.fini = fini,
};
