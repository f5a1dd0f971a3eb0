/* SPDX-License-Identifier: MIT */
/*
 * Columns come in any order and number (-U), the name of the call first or
 * last, and "errors" is blank where there were none. A cell belongs to the
 * column whose dashes it stands under; numbers are aligned right and may be
 * wider than their column.
 */
#include "parsers/strace/strace_summary.h"

#include <string.h>

static const struct mlv_str title_32 = MLV_STR_INIT("System call usage summary for 32 bit mode:");

static bool next_word(struct mlv_str s, size_t *i, size_t *from)
{
	while (*i < s.n && (s.p[*i] == ' ' || s.p[*i] == '\t'))
		++*i;
	*from = *i;
	while (*i < s.n && s.p[*i] != ' ' && s.p[*i] != '\t')
		++*i;
	return *i > *from;
}

/* Names that strace has, and what they count in. */
static bool known_name(struct mlv_str name, uint8_t *unit)
{
	static const struct {
		struct mlv_str name;
		enum mlv_unit unit;
	} names[] = {
		{ MLV_STR_INIT("% time"), MLV_UNIT_PERCENT },
		{ MLV_STR_INIT("seconds"), MLV_UNIT_S },
		{ MLV_STR_INIT("usecs/call"), MLV_UNIT_US },
		{ MLV_STR_INIT("calls"), MLV_UNIT_NONE },
		{ MLV_STR_INIT("errors"), MLV_UNIT_NONE },
		{ MLV_STR_INIT("syscall"), MLV_UNIT_NONE },
		/* -U min-time, max-time: %.6f of seconds */
		{ MLV_STR_INIT("shortest"), MLV_UNIT_S },
		{ MLV_STR_INIT("longest"), MLV_UNIT_S },
	};
	*unit = MLV_UNIT_NONE;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (mlv_str_eq(name, names[i].name)) {
			*unit = (uint8_t)names[i].unit;
			return true;
		}
	}
	return false;
}

bool mlv_strace_table_names(struct mlv_str s)
{
	size_t i = 0, from;
	bool call = false, other = false, percent = false;
	unsigned words = 0;
	if (s.n > 250)
		return false;
	while (next_word(s, &i, &from)) {
		struct mlv_str word = { s.p + from, i - from };
		uint8_t unit;
		if (++words > MLV_STRACE_COLUMNS + 1)
			return false;
		if (mlv_str_eq(word, MLV_STR("syscall"))) {
			if (call)
				return false;
			call = true;
		} else if (mlv_str_eq(word, MLV_STR("%"))) {
			percent = true;
		} else if (percent && mlv_str_eq(word, MLV_STR("time"))) {
			percent = false;
			other = true;
		} else {
			/* Of later versions: "wall-total". */
			bool wall = mlv_str_has_prefix(word, MLV_STR("wall-"));
			if (!known_name(word, &unit) && !wall)
				return false;
			other = true;
		}
	}
	return call && other && !percent;
}

static bool only_dashes(struct mlv_str s)
{
	size_t dashes = 0;
	for (size_t i = 0; i < s.n; i++) {
		if (s.p[i] != '-' && s.p[i] != ' ')
			return false;
		dashes += s.p[i] == '-';
	}
	return dashes >= 6;
}

/* What of the names' line stands over these dashes. */
static struct mlv_str name_over(const struct mlv_strace_table *table, size_t from, size_t to,
				bool last)
{
	struct mlv_str names = { table->names, table->names_len };
	if (from > names.n)
		from = names.n;
	if (to > names.n || last)
		to = names.n;
	return mlv_str_trim((struct mlv_str){ names.p + from, to - from });
}

/* The columns, by the dashes; false if a name is none of strace's. */
static bool read_columns(struct mlv_strace_table *table, struct mlv_run *run, struct mlv_str dashes)
{
	size_t i = 0, from;
	bool call = false;
	table->count = 0;
	while (next_word(dashes, &i, &from)) {
		size_t k = i;
		while (k < dashes.n && dashes.p[k] == ' ')
			k++;
		struct mlv_str name = name_over(table, from, i, k >= dashes.n);
		if (!name.n || table->count >= MLV_STRACE_COLUMNS)
			return false;
		uint8_t unit;
		if (!known_name(name, &unit) && mlv_str_has_prefix(name, MLV_STR("wall-")))
			unit = MLV_UNIT_S;
		unsigned c = table->count++;
		table->columns[c].from = from;
		table->columns[c].to = i;
		table->columns[c].unit = unit;
		table->columns[c].is_call = mlv_str_eq(name, MLV_STR("syscall"));
		table->columns[c].is_errors = mlv_str_eq(name, MLV_STR("errors"));
		call = call || table->columns[c].is_call;
		if (!mlv_run_intern(run, name, &table->columns[c].name))
			return false;
	}
	return call && table->count > 1;
}

static enum mlv_rc begin(struct mlv_strace_table *table, struct mlv_text *t, struct mlv_str dashes,
			 enum mlv_take *take, struct mlv_err *err)
{
	struct mlv_str title = table->bits32 ? MLV_STR("calls of strace, 32 bit mode")
					     : MLV_STR("calls of strace");
	table->state = MLV_TABLE_NONE;
	table->bits32 = false;
	if (!read_columns(table, t->run, dashes))
		return MLV_OK;
	table->state = MLV_TABLE_ROWS;
	table->row = 0;
	*take = MLV_OWN;
	return mlv_text_section(t, "strace-summary", title, table->line, &table->section, err);
}

/* The column of a cell: the one under whose dashes most of it stands, the nearest if none. */
static unsigned column_of(const struct mlv_strace_table *table, size_t from, size_t to,
			  unsigned least)
{
	unsigned best = least;
	size_t most = 0;
	for (unsigned c = least; c < table->count; c++) {
		size_t a = from > table->columns[c].from ? from : table->columns[c].from;
		size_t b = to < table->columns[c].to ? to : table->columns[c].to;
		/* Numbers end where their column does. */
		size_t common = (b > a ? b - a : 0) + (to == table->columns[c].to ? 1000 : 0);
		if (common > most) {
			most = common;
			best = c;
		}
	}
	return best;
}

struct cells {
	struct mlv_str of[MLV_STRACE_COLUMNS];
};

static bool split(const struct mlv_strace_table *table, struct mlv_str s, struct cells *cells)
{
	size_t i = 0, from, shift = 0;
	unsigned words = 0, least = 0;
	memset(cells, 0, sizeof(*cells));
	while (next_word(s, &i, &from))
		words++;
	for (i = 0; next_word(s, &i, &from);) {
		struct mlv_str word = { s.p + from, i - from };
		unsigned c = least;
		if (words != table->count)
			c = column_of(table, from - shift, i - shift, least);
		if (c >= table->count || cells->of[c].n)
			return false;
		/* What is too wide moves all that follows. */
		if (i - shift > table->columns[c].to)
			shift = i - table->columns[c].to;
		cells->of[c] = word;
		least = c + 1;
	}
	return words > 1;
}

/* A row or the totals. False if it is neither. */
static bool values(const struct mlv_strace_table *table, const struct cells *cells,
		   struct mlv_str *name, struct mlv_decimal *value, bool *has)
{
	bool any = false;
	name->n = 0;
	for (unsigned c = 0; c < table->count; c++) {
		struct mlv_str cell = cells->of[c];
		has[c] = false;
		if (table->columns[c].is_call) {
			*name = cell;
		} else if (cell.n) {
			has[c] = mlv_decimal_whole(cell, (enum mlv_unit)table->columns[c].unit,
						   &value[c]);
			if (!has[c])
				return false;
			any = true;
		} else if (table->columns[c].is_errors) {
			/* Blank means none. */
			value[c] = mlv_decimal_int(0, MLV_UNIT_NONE);
			has[c] = true;
		}
	}
	return any && name->n;
}

static enum mlv_rc row(struct mlv_strace_table *table, struct mlv_text *t, struct mlv_str s,
		       uint32_t line, enum mlv_take *take, struct mlv_err *err)
{
	struct cells cells;
	struct mlv_decimal value[MLV_STRACE_COLUMNS];
	struct mlv_str name = { "", 0 };
	bool has[MLV_STRACE_COLUMNS], total = table->state == MLV_TABLE_TOTAL;
	struct mlv_metric_row at = { t->run, t->limits, table->section, table->row, MLV_STR_NONE };
	if (!split(table, s, &cells) || !values(table, &cells, &name, value, has)) {
		mlv_strace_table_finish(table, t);
		return MLV_OK;
	}
	if (total && mlv_str_eq(name, MLV_STR("total")))
		name = MLV_STR("(total)");
	if (!mlv_run_intern(t->run, name, &at.subject))
		return mlv_err_nomem(err);
	for (unsigned c = 0; c < table->count; c++) {
		enum mlv_rc rc = MLV_OK;
		if (has[c])
			rc = mlv_add_metric(&at, table->columns[c].name, value[c], err);
		if (rc)
			return rc;
	}
	struct mlv_section *section = &t->run->sections.data[table->section];
	section->last_line = line;
	section->rows += !total;
	table->row++;
	*take = MLV_OWN;
	if (total)
		table->state = MLV_TABLE_NONE;
	return MLV_OK;
}

enum mlv_rc mlv_strace_table_line(struct mlv_strace_table *table, struct mlv_text *t,
				  struct mlv_str s, uint32_t line, enum mlv_take *take,
				  struct mlv_err *err)
{
	while (s.n && (s.p[s.n - 1] == ' ' || s.p[s.n - 1] == '\r'))
		s.n--;
	if (table->state == MLV_TABLE_NAMES && only_dashes(s))
		return begin(table, t, s, take, err);
	if (table->state == MLV_TABLE_ROWS && only_dashes(s)) {
		table->state = MLV_TABLE_TOTAL;
		*take = MLV_OWN;
		return MLV_OK;
	}
	if (mlv_strace_table_names(s)) {
		mlv_strace_table_finish(table, t);
		table->state = MLV_TABLE_NAMES;
		table->line = line;
		table->names_len = s.n;
		memcpy(table->names, s.p, s.n);
		*take = MLV_TAKE;
		return MLV_OK;
	}
	if (table->state == MLV_TABLE_ROWS || table->state == MLV_TABLE_TOTAL)
		return row(table, t, s, line, take, err);
	table->state = MLV_TABLE_NONE;
	if (mlv_str_eq(s, title_32)) {
		table->bits32 = true;
		*take = MLV_TAKE;
	} else if (s.n) {
		table->bits32 = false;
	}
	return MLV_OK;
}

void mlv_strace_table_finish(struct mlv_strace_table *table, struct mlv_text *t)
{
	if (table->state == MLV_TABLE_ROWS || table->state == MLV_TABLE_TOTAL)
		mlv_diag_add_line(&t->run->diags, MLV_WARNING, "strace-summary-cut", table->line,
				  "the table of calls ends before its totals");
	table->state = MLV_TABLE_NONE;
}

/* ---- the format ---- */

static enum mlv_rc on_line(void *state, struct mlv_text *t, const struct mlv_line *line,
			   enum mlv_take *take, struct mlv_err *err)
{
	return mlv_strace_table_line(state, t, line->text, line->number, take, err);
}

static enum mlv_rc on_finish(void *state, struct mlv_text *t, struct mlv_err *err)
{
	(void)err;
	mlv_strace_table_finish(state, t);
	return MLV_OK;
}

const struct mlv_text_format mlv_text_strace_summary = {
	.name = "strace-summary",
	.summary = "counts and times of system calls by strace -c or -C",
	.state_size = sizeof(struct mlv_strace_table),
	.line = on_line,
	.finish = on_finish,
};
