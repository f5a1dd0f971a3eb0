/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* memmem */
#include "parsers/memory/memory_summary_line.h"

#include <string.h>

#include "parsers/text/table_value.h"

void mlv_summary_split(struct mlv_str line, struct mlv_summary_cells *cells)
{
	struct mlv_str s = mlv_str_trim(line);
	cells->count = 0;
	if (s.n && s.p[0] == '|') {
		s.p++;
		s.n--;
	}
	while (s.n && cells->count < MLV_SUMMARY_CELLS) {
		const char *bar = memchr(s.p, '|', s.n);
		size_t n = bar ? (size_t)(bar - s.p) : s.n;
		cells->c[cells->count].text = mlv_str_trim((struct mlv_str){ s.p, n });
		cells->c[cells->count++].closed = bar;
		n += bar != NULL;
		s.p += n;
		s.n -= n;
	}
}

bool mlv_summary_is_rule(const struct mlv_summary_cells *cells, char of)
{
	if (cells->count != 1 || cells->c[0].text.n < 8)
		return false;
	for (size_t i = 0; i < cells->c[0].text.n; i++) {
		if (cells->c[0].text.p[i] != of)
			return false;
	}
	return true;
}

bool mlv_summary_is_title(struct mlv_str s, struct mlv_str *title)
{
	const struct mlv_str words = MLV_STR(" memory summary, device ID ");
	const char *start = memmem(s.p, s.n, "PyTorch ", 8);
	if (!start)
		return false;
	s = (struct mlv_str){ start, s.n - (size_t)(start - s.p) };
	for (size_t i = 8; i + words.n < s.n && i < 40; i++) {
		struct mlv_decimal d;
		size_t used, at = i + words.n;
		if (memcmp(s.p + i, words.p, words.n) != 0)
			continue;
		if (!mlv_decimal_parse((struct mlv_str){ s.p + at, s.n - at }, &used, &d) ||
		    d.exponent || d.special || d.mantissa < 0)
			return false;
		*title = (struct mlv_str){ s.p, at + used };
		return true;
	}
	return false;
}

bool mlv_summary_is_header(const struct mlv_summary_cells *cells)
{
	return cells->count > MLV_SUMMARY_COLUMNS &&
	       mlv_str_eq(cells->c[0].text, MLV_STR("Metric")) &&
	       mlv_str_eq(cells->c[1].text, MLV_STR("Cur Usage"));
}

bool mlv_summary_is_name(struct mlv_str name)
{
	static const struct mlv_str ends[] = { MLV_STR_INIT(" memory"), MLV_STR_INIT("llocations"),
					       MLV_STR_INIT(" allocs"), MLV_STR_INIT(" segments"),
					       MLV_STR_INIT(" pool") };
	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		if (mlv_str_has_suffix(name, ends[i]))
			return true;
	}
	return false;
}

bool mlv_summary_value(struct mlv_str cell, bool memory, bool closed, struct mlv_decimal *d)
{
	int power = 0;
	if (memory)
		return mlv_value_parse(cell, d) && mlv_unit_quantity(d->unit) == MLV_BYTE_COUNT;
	if (!closed || !cell.n)
		return false;
	char last = cell.p[cell.n - 1];
	if (last == 'K' || last == 'M') {
		power = last == 'K' ? 3 : 6;
		cell = mlv_str_trim((struct mlv_str){ cell.p, cell.n - 1 });
	}
	if (!mlv_decimal_whole(cell, MLV_UNIT_NONE, d) || d->special)
		return false;
	d->exponent = (int16_t)(d->exponent + power);
	return true;
}
