/* SPDX-License-Identifier: MIT */
#ifndef MLV_PARSERS_CURSOR_H
#define MLV_PARSERS_CURSOR_H
/*
 * What readers of measurements need beside scan.h: numbers with their digits,
 * and words that may stand behind blanks. Here too, what is not there is left
 * as it is.
 */
#include <string.h>

#include "model/decimal.h"
#include "parsers/scan.h"

static inline bool mlv_is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* `n` bytes off the front; there are as many. */
static inline void mlv_scan_skip(struct mlv_str *s, size_t n)
{
	s->p += n;
	s->n -= n;
}

/* This text, with any blanks before it. */
static inline bool mlv_scan_label(struct mlv_str *s, const char *text)
{
	struct mlv_str rest = *s;
	mlv_scan_blanks(&rest);
	if (!mlv_scan(&rest, text))
		return false;
	*s = rest;
	return true;
}

/* A number that begins with a digit or a minus: no nan, no "+5", no ".5". */
static inline bool mlv_scan_decimal(struct mlv_str *s, struct mlv_decimal *d)
{
	size_t used, sign = s->n && s->p[0] == '-';
	if (s->n <= sign || !mlv_is_digit(s->p[sign]) || !mlv_decimal_parse(*s, &used, d))
		return false;
	mlv_scan_skip(s, used);
	return true;
}

#endif
