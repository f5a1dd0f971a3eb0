/* SPDX-License-Identifier: MIT */
#include "report/table_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/num.h"

enum { CELL = 64, MOST_COLUMNS = 12 };

void mlv_cell_text(struct mlv_cell cell, bool change, char *buf, size_t size)
{
	int64_t n;
	if (!cell.present) {
		snprintf(buf, size, "-");
		return;
	}
	bool exact = cell.value.exponent == 0 && !cell.value.special;
	if (exact && cell.value.unit == MLV_UNIT_NS)
		mlv_fmt_duration(buf, size, cell.value.mantissa);
	else if (exact && cell.value.unit == MLV_UNIT_BYTES && change &&
		 mlv_decimal_bytes(cell.value, &n))
		mlv_fmt_bytes_signed(buf, size, n);
	else if (exact && cell.value.unit == MLV_UNIT_BYTES && cell.value.mantissa >= 0)
		mlv_fmt_bytes(buf, size, (uint64_t)cell.value.mantissa);
	else if (exact && cell.value.unit == MLV_UNIT_NONE && cell.value.mantissa >= 0)
		mlv_fmt_count(buf, size, (uint64_t)cell.value.mantissa);
	else
		mlv_decimal_text(cell.value, buf, size);
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

/* The column of the ranking, then as many others as leave room for the subject. */
static size_t choose_columns(const struct mlv_table *t, size_t rows, int width, size_t *chosen,
			     int *widths)
{
	size_t n = 0;
	int used = 0, subject = 30;
	for (size_t k = 0; k <= t->columns.len && n < MOST_COLUMNS; k++) {
		size_t column = k ? k - 1 : t->by;
		if (k && column == t->by)
			continue;
		int w = column_width(t, column, rows);
		if (!w || (n && used + w + 2 + subject > width))
			continue;
		chosen[n] = column;
		widths[n++] = w;
		used += w + 2;
	}
	return n;
}

void mlv_table_text(const struct mlv_table *t, size_t top, int width, struct mlv_buf *out)
{
	size_t rows = t->rows.len < top ? t->rows.len : top, chosen[MOST_COLUMNS];
	int widths[MOST_COLUMNS];
	char text[CELL], n[MLV_NUM_SIZE];
	mlv_buf_puts(out, "  ");
	mlv_buf_safe(out, (struct mlv_str){ t->title, strlen(t->title) });
	if (!t->rows.len) {
		mlv_buf_puts(out, ": no rows\n");
		return;
	}
	mlv_buf_putc(out, '\n');
	size_t columns = choose_columns(t, rows, width, chosen, widths);
	for (size_t k = 0; k < columns; k++)
		mlv_buf_printf(out, "  %*s", widths[k], t->columns.data[chosen[k]].name);
	mlv_buf_puts(out, "  name\n");
	for (size_t i = 0; i < rows; i++) {
		for (size_t k = 0; k < columns; k++) {
			mlv_cell_text(*cell_at(t, i, chosen[k]), t->columns.data[chosen[k]].change,
				      text, sizeof(text));
			mlv_buf_printf(out, "  %*s", widths[k], text);
		}
		mlv_buf_puts(out, "  ");
		mlv_buf_safe(out, t->rows.data[i].subject);
		mlv_buf_putc(out, '\n');
	}
	if (t->rows.len > rows)
		mlv_buf_printf(out, "  and %s more; --top N shows them\n",
			       mlv_fmt_count(n, sizeof(n), t->rows.len - rows));
}

static void value_json(struct mlv_decimal v, struct mlv_json *j)
{
	char text[CELL];
	if (v.special) {
		mlv_json_null(j);
		return;
	}
	v.unit = MLV_UNIT_NONE;
	mlv_json_raw(j, mlv_decimal_text(v, text, sizeof(text)));
}

void mlv_table_json(const struct mlv_table *t, size_t top, struct mlv_json *j)
{
	mlv_json_object(j);
	mlv_json_key_text(j, "title", t->title);
	mlv_json_key_text(j, "by", t->columns.len ? t->columns.data[t->by].name : NULL);
	mlv_json_key_uint(j, "total_rows", t->total_rows);
	mlv_json_key(j, "rows");
	mlv_json_array(j);
	for (size_t i = 0; i < t->rows.len && i < top; i++) {
		mlv_json_object(j);
		mlv_json_key(j, "name");
		mlv_json_str(j, t->rows.data[i].subject);
		if (t->rows.data[i].first_line)
			mlv_json_key_uint(j, "line", t->rows.data[i].first_line);
		mlv_json_key(j, "values");
		mlv_json_object(j);
		for (size_t k = 0; k < t->columns.len; k++) {
			const struct mlv_cell *c = cell_at(t, i, k);
			if (!c->present)
				continue;
			mlv_json_key(j, t->columns.data[k].name);
			mlv_json_object(j);
			mlv_json_key(j, "value");
			value_json(c->value, j);
			if (c->value.unit)
				mlv_json_key_text(j, "unit",
						  mlv_unit_name((enum mlv_unit)c->value.unit));
			mlv_json_object_end(j);
		}
		mlv_json_object_end(j);
		mlv_json_object_end(j);
	}
	mlv_json_array_end(j);
	mlv_json_object_end(j);
}
