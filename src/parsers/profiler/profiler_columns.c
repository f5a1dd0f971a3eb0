/* SPDX-License-Identifier: MIT */
#include "parsers/profiler/profiler_columns.h"

#include <string.h>

#include "parsers/text/lines.h"
#include "parsers/text/table_value.h"

/* What may stand before every line of a pasted table: blanks and marks of comments. */
static size_t margin(struct mlv_str s)
{
	size_t i = 0;
	while (i < s.n && s.p[i] && strchr(" \t#/*>", s.p[i]))
		i++;
	return i;
}

bool mlv_columns_rule(struct mlv_str line, struct mlv_columns *columns)
{
	size_t i = margin(line);
	columns->indent = (uint32_t)i;
	columns->count = 0;
	while (i < line.n) {
		size_t start = i;
		while (i < line.n && line.p[i] == '-')
			i++;
		size_t width = i - start;
		while (i < line.n && line.p[i] == ' ')
			i++;
		if (width < 4 || width > UINT32_MAX || columns->count == MLV_COLUMNS)
			return false;
		columns->c[columns->count++] =
			(struct mlv_column){ .width = (uint32_t)width,
					     .gap = (uint32_t)(i - start - width),
					     .kind = MLV_COLUMN_OTHER };
	}
	return columns->count >= 4;
}

bool mlv_columns_is_header(struct mlv_str line)
{
	size_t i = margin(line);
	struct mlv_str s = { line.p + i, line.n - i };
	return mlv_str_has_prefix(s, MLV_STR("Name  ")) &&
	       (mlv_str_contains(s, MLV_STR("CPU total")) ||
		mlv_str_contains(s, MLV_STR("CPU time avg")) ||
		mlv_str_contains(s, MLV_STR("Self CPU")));
}

/* The place `*n` characters behind `i`; *n becomes how many the line lacks. */
static size_t forward(struct mlv_str s, size_t i, size_t *n)
{
	for (; i < s.n && *n; --*n) {
		i++;
		while (i < s.n && ((uint8_t)s.p[i] & 0xc0) == 0x80)
			i++;
	}
	return i;
}

static bool two_blanks(struct mlv_str s, size_t i)
{
	return i >= s.n || (s.p[i] == ' ' && (i + 1 >= s.n || s.p[i + 1] == ' '));
}

/* Every cell where its column stands, moved by what was too wide before it. */
static bool by_place(const struct mlv_columns *columns, struct mlv_str s, struct mlv_cell *cells)
{
	size_t lacking = columns->indent, at = forward(s, 0, &lacking);
	for (uint32_t k = 0; k < columns->count; k++) {
		lacking = columns->c[k].width;
		size_t start = at, end = forward(s, at, &lacking);
		if (end < s.n && s.p[end] != ' ') {
			/* Too wide for its column, which it then fills from the beginning. */
			if (s.p[start] == ' ')
				return false;
			while (!two_blanks(s, end))
				end++;
		}
		cells[k].text = mlv_str_trim((struct mlv_str){ s.p + start, end - start });
		cells[k].flush = !lacking && end > start && s.p[end - 1] != ' ';
		at = end;
		for (uint32_t g = 0; g < columns->c[k].gap && at < s.n; g++) {
			if (s.p[at] != ' ')
				return false;
			at++;
		}
	}
	return true;
}

static size_t distance(size_t a, size_t b)
{
	return a > b ? a - b : b - a;
}

/* The column at whose left or right edge a text stands, of those from `from` on. */
static uint32_t nearest(const struct mlv_columns *columns, uint32_t from, size_t start, size_t end)
{
	size_t left = columns->indent, best = SIZE_MAX;
	uint32_t found = columns->count;
	for (uint32_t k = 0; k < columns->count; k++) {
		size_t right = left + columns->c[k].width;
		size_t a = distance(start, left), b = distance(end, right);
		if (k >= from && (a < b ? a : b) < best) {
			best = a < b ? a : b;
			found = k;
		}
		left = right + columns->c[k].gap;
	}
	return found;
}

/* Texts between wide blanks, for tables that somebody edited: as many as columns, or by place. */
static bool by_blanks(const struct mlv_columns *columns, struct mlv_str s, struct mlv_cell *cells)
{
	struct {
		size_t start, end; /* characters */
		struct mlv_str text;
	} found[MLV_COLUMNS];
	uint32_t n = 0, next = 0;
	size_t i = margin(s) <= columns->indent ? margin(s) : columns->indent, chars = i;
	while (i < s.n) {
		if (s.p[i] == ' ') {
			i++;
			chars++;
			continue;
		}
		if (n == MLV_COLUMNS)
			return false;
		size_t start = i;
		found[n].start = chars;
		while (!two_blanks(s, i)) {
			chars += ((uint8_t)s.p[i] & 0xc0) != 0x80;
			i++;
		}
		found[n].end = chars;
		found[n++].text = (struct mlv_str){ s.p + start, i - start };
	}
	for (uint32_t k = 0; k < columns->count; k++)
		cells[k] = (struct mlv_cell){ { "", 0 }, true };
	for (uint32_t k = 0; k < n; k++) {
		uint32_t c = n == columns->count
				     ? k
				     : nearest(columns, next, found[k].start, found[k].end);
		if (c == columns->count)
			return false;
		cells[c].text = found[k].text;
		next = c + 1;
	}
	return true;
}

bool mlv_columns_split(const struct mlv_columns *columns, struct mlv_str line,
		       struct mlv_cell *cells)
{
	while (line.n && line.p[line.n - 1] == ' ')
		line.n--;
	return by_place(columns, line, cells) || by_blanks(columns, line, cells);
}

/* "Total MFLOPs": 6; -1 if it is no such title. */
static int flops_power(struct mlv_str title)
{
	static const struct mlv_str scales[] = {
		MLV_STR_INIT("Total FLOPs"),  MLV_STR_INIT("Total KFLOPs"),
		MLV_STR_INIT("Total MFLOPs"), MLV_STR_INIT("Total GFLOPs"),
		MLV_STR_INIT("Total TFLOPs"), MLV_STR_INIT("Total PFLOPs"),
	};
	for (int i = 0; i < 6; i++) {
		if (mlv_str_eq(title, scales[i]))
			return 3 * i;
	}
	return -1;
}

static enum mlv_column_kind kind_of(struct mlv_str title)
{
	static const struct {
		struct mlv_str title;
		enum mlv_column_kind kind;
	} known[] = {
		{ MLV_STR_INIT("Name"), MLV_COLUMN_NAME },
		{ MLV_STR_INIT("Overload Name"), MLV_COLUMN_OVERLOAD },
		{ MLV_STR_INIT("# of Calls"), MLV_COLUMN_COUNT },
		{ MLV_STR_INIT("Node ID"), MLV_COLUMN_COUNT },
		{ MLV_STR_INIT("Input Shapes"), MLV_COLUMN_SHAPES },
		{ MLV_STR_INIT("Source Location"), MLV_COLUMN_SOURCE },
	};
	static const struct mlv_str times[] = { MLV_STR_INIT("CPU"), MLV_STR_INIT("total"),
						MLV_STR_INIT("time avg") };
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		if (mlv_str_eq(title, known[i].title))
			return known[i].kind;
	}
	if (mlv_str_has_suffix(title, MLV_STR(" %")))
		return MLV_COLUMN_SHARE;
	if (mlv_str_has_suffix(title, MLV_STR(" Mem")))
		return MLV_COLUMN_MEMORY;
	if (flops_power(title) >= 0)
		return MLV_COLUMN_FLOPS;
	for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++) {
		if (mlv_str_has_suffix(title, times[i]))
			return MLV_COLUMN_TIME;
	}
	return mlv_str_has_prefix(title, MLV_STR("Self ")) ? MLV_COLUMN_TIME : MLV_COLUMN_OTHER;
}

/*
 * One name for a column in all versions: "Self CPU total %" of 1.5 is "Self
 * CPU %" of today, "Number of Calls" is "# of Calls", and FLOPs are counted
 * without the scale of one table.
 */
static bool intern_title(struct mlv_interner *strings, struct mlv_str title, mlv_strid *id)
{
	char name[64];
	const struct mlv_str total = MLV_STR(" total"), share = MLV_STR(" total %");
	if (mlv_str_eq(title, MLV_STR("Number of Calls")))
		title = MLV_STR("# of Calls");
	if (flops_power(title) >= 0)
		title = MLV_STR("Total FLOPs");
	if (mlv_str_has_prefix(title, MLV_STR("Self ")) && title.n < sizeof(name)) {
		bool is_share = mlv_str_has_suffix(title, share);
		if (is_share || mlv_str_has_suffix(title, total)) {
			size_t n = title.n - (is_share ? share.n : total.n);
			memcpy(name, title.p, n);
			memcpy(name + n, " %", 2);
			title = (struct mlv_str){ name, is_share ? n + 2 : n };
		}
	}
	return mlv_intern(strings, title.p, title.n, id);
}

bool mlv_columns_header(struct mlv_columns *columns, struct mlv_str line,
			struct mlv_interner *strings)
{
	struct mlv_cell cells[MLV_COLUMNS];
	if (!mlv_columns_split(columns, line, cells) || !mlv_str_eq(cells[0].text, MLV_STR("Name")))
		return false;
	for (uint32_t k = 0; k < columns->count; k++) {
		struct mlv_column *c = &columns->c[k];
		if (!cells[k].text.n || !intern_title(strings, cells[k].text, &c->title))
			return false;
		c->kind = kind_of(mlv_str_get(strings, c->title));
		c->power = flops_power(cells[k].text);
		/* "Name" never fills its column, so it tells how the table is aligned. */
		c->right = cells[0].flush && cells[k].flush;
	}
	return true;
}

bool mlv_column_value(const struct mlv_column *column, struct mlv_str cell, struct mlv_decimal *d)
{
	struct mlv_decimal v;
	if (!cell.n || !mlv_value_parse(cell, &v))
		return false;
	switch (column->kind) {
	case MLV_COLUMN_TIME:
		if (mlv_unit_quantity(v.unit) != MLV_DURATION)
			return false;
		break;
	case MLV_COLUMN_MEMORY:
		if (mlv_unit_quantity(v.unit) != MLV_BYTE_COUNT)
			return false;
		break;
	case MLV_COLUMN_SHARE:
		/* "NaN" where the total is 0, and a bare 0 for what ran asynchronously. */
		if (v.unit != MLV_UNIT_PERCENT && (v.unit || (!v.special && v.mantissa)))
			return false;
		v.unit = MLV_UNIT_PERCENT;
		break;
	case MLV_COLUMN_COUNT:
		if (v.unit || v.special || v.exponent)
			return false;
		break;
	case MLV_COLUMN_FLOPS:
		/* Always "%8.3f": what has fewer digits was cut. */
		if (v.unit || v.special || v.exponent != -3)
			return false;
		v.unit = MLV_UNIT_FLOP;
		v.exponent = (int16_t)(v.exponent + column->power);
		break;
	default:
		break;
	}
	*d = v;
	return true;
}
