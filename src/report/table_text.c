/* SPDX-License-Identifier: MIT */
#include "report/table_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"

enum { CELL = 64, MOST_COLUMNS = 12, LISTED = 3 };

/*
 * What a program wrote as the shortest text of a double has up to 17 digits,
 * of which a reader wants a few; what people printed is left as it is.
 */
static struct mlv_decimal readable(struct mlv_decimal d)
{
	enum { DOUBLE_LIKE = 13, SHOWN = 9 };
	int digits = 0;
	for (int64_t m = d.mantissa; m; m /= 10)
		digits++;
	if (d.special || d.exponent >= 0 || digits < DOUBLE_LIKE)
		return d;
	for (; digits > SHOWN && d.exponent < 0; digits--, d.exponent++) {
		bool up = llabs(d.mantissa % 10) >= 5 && digits == SHOWN + 1;
		d.mantissa = d.mantissa / 10 + (up ? (d.mantissa < 0 ? -1 : 1) : 0);
	}
	for (; d.mantissa && d.mantissa % 10 == 0 && d.exponent < 0; d.exponent++)
		d.mantissa /= 10;
	return d;
}

void mlv_cell_text(struct mlv_cell cell, bool change, char *buf, size_t size)
{
	struct mlv_decimal v = readable(cell.value);
	int64_t n;
	if (!cell.present) {
		snprintf(buf, size, "-");
		return;
	}
	bool exact = v.exponent == 0 && !v.special;
	if (exact && v.unit == MLV_UNIT_BYTES && change && mlv_decimal_bytes(v, &n)) {
		mlv_fmt_bytes_signed(buf, size, n);
		return;
	}
	/* A growth of 3.50 GiB is "+3.50 GiB". */
	if (change && v.mantissa > 0 && size > 1) {
		*buf++ = '+';
		size--;
	}
	if (exact && v.unit == MLV_UNIT_NS)
		mlv_fmt_duration(buf, size, v.mantissa);
	else if (exact && v.unit == MLV_UNIT_BYTES && v.mantissa >= 0)
		mlv_fmt_bytes(buf, size, (uint64_t)v.mantissa);
	else if (exact && v.unit == MLV_UNIT_NONE && v.mantissa >= 0)
		mlv_fmt_count(buf, size, (uint64_t)v.mantissa);
	else
		mlv_decimal_text(v, buf, size);
}

static const struct mlv_cell *cell_at(const struct mlv_table *t, size_t row, size_t column)
{
	return &t->cells.data[t->rows.data[row].first_cell + column];
}

/* Width of a column over the rows that are shown; 0 if none of them has a value. */
static int column_width(const struct mlv_table *t, size_t column, size_t rows)
{
	char text[CELL];
	size_t width = 0;
	for (size_t i = 0; i < rows; i++) {
		const struct mlv_cell *c = cell_at(t, i, column);
		if (!c->present)
			continue;
		mlv_cell_text(*c, t->columns.data[column].change, text, sizeof(text));
		width = strlen(text) > width ? strlen(text) : width;
	}
	if (!width)
		return 0;
	size_t name = strlen(t->columns.data[column].name);
	return (int)(name > width ? name : width);
}

/* What a reader wants beside the ranking, wherever the report has it. */
static bool is_telling(const struct mlv_table *t, size_t column)
{
	static const char *const names[] = {
		"# of Calls", "Number of Calls",           "ncalls",
		"calls",      "Elapsed (wall clock) time", "Maximum resident set size",
		"Exit status"
	};
	const char *name = t->columns.data[column].name, *by = t->columns.data[t->by].name;
	size_t n = strlen(by);
	if (strncmp(name, by, n) == 0 && strcmp(name + n, " %") == 0)
		return true;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (strcmp(name, names[i]) == 0)
			return true;
	}
	return false;
}

static bool all_zero(const struct mlv_table *t, size_t column, size_t rows)
{
	for (size_t i = 0; i < rows; i++) {
		const struct mlv_cell *c = cell_at(t, i, column);
		if (c->present && (c->value.mantissa || c->value.special))
			return false;
	}
	return true;
}

/* Columns that fit, in the order in which they are wanted. */
struct choice {
	size_t columns[MOST_COLUMNS];
	int widths[MOST_COLUMNS];
	size_t count;
	int used;
};

static void choose(struct choice *k, const struct mlv_table *t, size_t column, size_t rows,
		   int width)
{
	int w = column_width(t, column, rows), subject = 30;
	for (size_t i = 0; i < k->count; i++) {
		if (k->columns[i] == column)
			return;
	}
	if (!w || k->count == MOST_COLUMNS || (k->count && k->used + w + 2 + subject > width))
		return;
	k->columns[k->count] = column;
	k->widths[k->count++] = w;
	k->used += w + 2;
}

/* The column of the ranking, the telling ones, then those that hold anything but zero. */
static void choose_columns(struct choice *k, const struct mlv_table *t, size_t rows, int width)
{
	*k = (struct choice){ .count = 0 };
	choose(k, t, t->by, rows, width);
	for (size_t i = 0; i < t->columns.len; i++) {
		if (is_telling(t, i))
			choose(k, t, i, rows, width);
	}
	for (int zeros = 0; zeros < 2; zeros++) {
		for (size_t i = 0; i < t->columns.len; i++) {
			if (zeros || !all_zero(t, i, rows))
				choose(k, t, i, rows, width);
		}
	}
}

/* One row of many figures, such as the report of a command: they stand below one another. */
static void single_row(const struct mlv_table *t, struct mlv_buf *out)
{
	char text[CELL];
	int width = 0;
	struct mlv_str title = mlv_str_of(t->title), subject = t->rows.data[0].subject;
	if (!mlv_str_contains(title, subject)) {
		mlv_buf_puts(out, "  ");
		mlv_buf_safe(out, subject);
		mlv_buf_putc(out, '\n');
	}
	for (size_t i = 0; i < t->columns.len; i++) {
		int n = (int)strlen(t->columns.data[i].name);
		width = cell_at(t, 0, i)->present && n > width ? n : width;
	}
	for (size_t i = 0; i < t->columns.len; i++) {
		if (!cell_at(t, 0, i)->present)
			continue;
		mlv_cell_text(*cell_at(t, 0, i), t->columns.data[i].change, text, sizeof(text));
		mlv_buf_printf(out, "  %-*s  %s\n", width, t->columns.data[i].name, text);
	}
}

void mlv_totals_text(const struct mlv_table *t, struct mlv_buf *out)
{
	char text[CELL];
	for (size_t i = 0; i < t->totals.len; i++) {
		struct mlv_cell cell = { true, t->totals.data[i].value };
		mlv_cell_text(cell, false, text, sizeof(text));
		mlv_buf_puts(out, i ? ", " : "");
		mlv_buf_safe(out, t->totals.data[i].name);
		mlv_buf_printf(out, " %s", text);
	}
}

static void many_rows(const struct mlv_table *t, size_t rows, int width, struct mlv_buf *out)
{
	struct choice k;
	char text[CELL], n[MLV_NUM_SIZE];
	choose_columns(&k, t, rows, width);
	for (size_t i = 0; i < k.count; i++)
		mlv_buf_printf(out, "  %*s", k.widths[i], t->columns.data[k.columns[i]].name);
	mlv_buf_puts(out, "  name\n");
	for (size_t i = 0; i < rows; i++) {
		for (size_t c = 0; c < k.count; c++) {
			mlv_cell_text(*cell_at(t, i, k.columns[c]),
				      t->columns.data[k.columns[c]].change, text, sizeof(text));
			mlv_buf_printf(out, "  %*s", k.widths[c], text);
		}
		mlv_buf_puts(out, "  ");
		mlv_buf_safe(out, t->rows.data[i].subject);
		mlv_buf_putc(out, '\n');
	}
	if (t->rows.len > rows)
		mlv_buf_printf(out, "  and %s more; --top N shows them\n",
			       mlv_fmt_count(n, sizeof(n), t->rows.len - rows));
}

void mlv_table_text(const struct mlv_table *t, size_t top, int width, struct mlv_buf *out)
{
	size_t rows = t->rows.len < top ? t->rows.len : top;
	mlv_buf_puts(out, "  ");
	mlv_buf_safe(out, mlv_str_of(t->title));
	mlv_buf_puts(out, t->rows.len || t->totals.len ? "\n" : ": no rows\n");
	if (rows && t->total_rows == 1 && t->columns.len >= LISTED)
		single_row(t, out);
	else if (rows)
		many_rows(t, rows, width, out);
	if (t->totals.len) {
		mlv_buf_puts(out, "  total: ");
		mlv_totals_text(t, out);
		mlv_buf_putc(out, '\n');
	}
}

void mlv_value_json(struct mlv_decimal v, struct mlv_json *j)
{
	char text[CELL];
	struct mlv_decimal bare = v;
	bare.unit = MLV_UNIT_NONE;
	mlv_json_key(j, "value");
	if (v.special)
		mlv_json_null(j);
	else
		mlv_json_raw(j, mlv_decimal_text(bare, text, sizeof(text)));
	if (v.unit)
		mlv_json_key_text(j, "unit", mlv_unit_name((enum mlv_unit)v.unit));
}

static void cell_json(struct mlv_str name, struct mlv_decimal v, struct mlv_json *j)
{
	mlv_json_key_str(j, name);
	mlv_json_object(j);
	mlv_value_json(v, j);
	mlv_json_object_end(j);
}

static void totals_json(const struct mlv_table *t, struct mlv_json *j)
{
	if (!t->totals.len)
		return;
	mlv_json_key_object(j, "totals");
	for (size_t i = 0; i < t->totals.len; i++)
		cell_json(t->totals.data[i].name, t->totals.data[i].value, j);
	mlv_json_object_end(j);
}

void mlv_table_json(const struct mlv_table *t, size_t top, struct mlv_json *j)
{
	mlv_json_object(j);
	mlv_json_key_text(j, "title", t->title);
	mlv_json_key_text(j, "by", t->columns.len ? t->columns.data[t->by].name : NULL);
	mlv_json_key_uint(j, "total_rows", t->total_rows);
	totals_json(t, j);
	mlv_json_key_array(j, "rows");
	for (size_t i = 0; i < t->rows.len && i < top; i++) {
		mlv_json_object(j);
		mlv_json_key(j, "name");
		mlv_json_str(j, t->rows.data[i].subject);
		if (t->rows.data[i].first_line)
			mlv_json_key_uint(j, "line", t->rows.data[i].first_line);
		mlv_json_key_object(j, "values");
		for (size_t k = 0; k < t->columns.len; k++) {
			const struct mlv_cell *c = cell_at(t, i, k);
			if (!c->present)
				continue;
			struct mlv_str name = { t->columns.data[k].name,
						strlen(t->columns.data[k].name) };
			cell_json(name, c->value, j);
		}
		mlv_json_object_end(j);
		mlv_json_object_end(j);
	}
	mlv_json_array_end(j);
	mlv_json_object_end(j);
}
