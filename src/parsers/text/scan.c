/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* memmem */
#include "parsers/text/scan.h"

#include <string.h>

bool mlv_scan(struct mlv_str *s, const char *text)
{
	size_t n = strlen(text);
	if (s->n < n || memcmp(s->p, text, n) != 0)
		return false;
	*s = mlv_str_from(*s, n);
	return true;
}

bool mlv_scan_label(struct mlv_str *s, const char *text)
{
	struct mlv_str rest = *s;
	mlv_scan_blanks(&rest);
	if (!mlv_scan(&rest, text))
		return false;
	*s = rest;
	return true;
}

void mlv_scan_blanks(struct mlv_str *s)
{
	*s = mlv_str_from(*s, mlv_str_indent(*s));
}

bool mlv_scan_to(struct mlv_str *s, const char *text, struct mlv_str *before)
{
	ptrdiff_t at = mlv_str_find(*s, text);
	if (at < 0)
		return false;
	if (before)
		*before = mlv_str_head(*s, (size_t)at);
	*s = mlv_str_from(*s, (size_t)at + strlen(text));
	return true;
}

bool mlv_scan_int(struct mlv_str *s, int64_t *n)
{
	int64_t value = 0;
	size_t i = 0;
	for (; i < s->n && mlv_is_digit(s->p[i]); i++) {
		if (i == 18)
			return false;
		value = value * 10 + (s->p[i] - '0');
	}
	if (!i)
		return false;
	*n = value;
	*s = mlv_str_from(*s, i);
	return true;
}

bool mlv_scan_signed(struct mlv_str *s, int64_t *n)
{
	struct mlv_str rest = *s;
	bool minus = mlv_scan(&rest, "-");
	if (!mlv_scan_int(&rest, n))
		return false;
	*n = minus ? -*n : *n;
	*s = rest;
	return true;
}

bool mlv_scan_decimal(struct mlv_str *s, struct mlv_decimal *d)
{
	size_t used, sign = s->n && s->p[0] == '-';
	if (s->n <= sign || !mlv_is_digit(s->p[sign]) || !mlv_decimal_parse(*s, &used, d))
		return false;
	mlv_scan_skip(s, used);
	return true;
}

static bool hex_digit(char c)
{
	return mlv_is_digit(c) || ((c | 0x20) >= 'a' && (c | 0x20) <= 'f');
}

bool mlv_scan_hex(struct mlv_str *s, struct mlv_str *hex)
{
	size_t i = 2;
	if (s->n < 3 || s->p[0] != '0' || s->p[1] != 'x')
		return false;
	while (i < s->n && hex_digit(s->p[i]))
		i++;
	if (i == 2)
		return false;
	*hex = mlv_str_head(*s, i);
	*s = mlv_str_from(*s, i);
	return true;
}

bool mlv_scan_word(struct mlv_str *s, struct mlv_str *word)
{
	size_t i = 0;
	while (i < s->n && s->p[i] != ' ' && s->p[i] != '\t')
		i++;
	if (!i)
		return false;
	*word = mlv_str_head(*s, i);
	*s = mlv_str_from(*s, i);
	return true;
}

bool mlv_scan_place(struct mlv_str s, struct mlv_str *file, uint32_t *line)
{
	size_t i = s.n;
	int64_t n;
	while (i && mlv_is_digit(s.p[i - 1]))
		i--;
	struct mlv_str number = mlv_str_from(s, i);
	if (i < 2 || s.p[i - 1] != ':' || !mlv_scan_int(&number, &n) || n > INT32_MAX)
		return false;
	*file = mlv_str_head(s, i - 1);
	*line = (uint32_t)n;
	return true;
}

/* "rank3", "Rank 3": the number that says whose line it is. */
static bool names_rank(struct mlv_str before)
{
	if (before.n && before.p[before.n - 1] == ' ')
		before.n--;
	return before.n >= 3 && memcmp(before.p + before.n - 3, "ank", 3) == 0;
}

static size_t digits_at(struct mlv_str s, size_t i)
{
	size_t n = 0;
	while (i + n < s.n && mlv_is_digit(s.p[i + n]))
		n++;
	return n;
}

bool mlv_scan_prefix(struct mlv_str line, struct mlv_str prefix, struct mlv_str *rest)
{
	size_t i = 0, k = 0;
	bool parentheses = false;
	while (k < prefix.n) {
		size_t a = digits_at(prefix, k), b = digits_at(line, i);
		if (!a != !b)
			return false;
		if (a) {
			bool same = a == b && memcmp(prefix.p + k, line.p + i, a) == 0;
			if (!same && (parentheses || names_rank(mlv_str_head(prefix, k))))
				return false;
			k += a;
			i += b;
			continue;
		}
		if (i >= line.n || line.p[i] != prefix.p[k])
			return false;
		parentheses = prefix.p[k] == '(' || (parentheses && prefix.p[k] != ')');
		i++;
		k++;
	}
	*rest = mlv_str_from(line, i);
	return true;
}
