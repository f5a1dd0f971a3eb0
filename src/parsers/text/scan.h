/* SPDX-License-Identifier: MIT */
#ifndef MLV_PARSERS_TEXT_SCAN_H
#define MLV_PARSERS_TEXT_SCAN_H
/*
 * Small steps through a line of text: each takes something from the front of
 * `*s` and says whether it was there; what is not there is left as it is. And
 * what loggers write before a line, taken for what it is by its shape.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"
#include "model/decimal.h"

/* `n` bytes off the front; there are as many. */
static inline void mlv_scan_skip(struct mlv_str *s, size_t n)
{
	s->p += n;
	s->n -= n;
}

/* Exactly this text. */
bool mlv_scan(struct mlv_str *s, const char *text);
/* This text, with any blanks before it. */
bool mlv_scan_label(struct mlv_str *s, const char *text);
/* Blanks and tabs, any number of them. */
void mlv_scan_blanks(struct mlv_str *s);
/* Everything up to `text` into *before (which may be NULL), and `text` itself. */
bool mlv_scan_to(struct mlv_str *s, const char *text, struct mlv_str *before);
/* Decimal digits, of at most 18. */
bool mlv_scan_int(struct mlv_str *s, int64_t *n);
/* An optional minus, then digits. */
bool mlv_scan_signed(struct mlv_str *s, int64_t *n);
/* A number that begins with a digit or a minus, with its digits: no nan, no "+5", no ".5". */
bool mlv_scan_decimal(struct mlv_str *s, struct mlv_decimal *d);
/* "0x" and hexadecimal digits, as written. */
bool mlv_scan_hex(struct mlv_str *s, struct mlv_str *hex);
/* Anything that is not blank, and not empty. */
bool mlv_scan_word(struct mlv_str *s, struct mlv_str *word);

/* "dir/file.py:12" into its two halves; false if it does not end with a number. */
bool mlv_scan_place(struct mlv_str s, struct mlv_str *file, uint32_t *line);

/*
 * Whether `line` begins as `prefix` does: the same text but for numbers (times,
 * line numbers of a logger), which may be others. What stands in parentheses,
 * and the number of a rank, says whose line it is and must be the same.
 * *rest is what follows.
 */
bool mlv_scan_prefix(struct mlv_str line, struct mlv_str prefix, struct mlv_str *rest);

#endif
