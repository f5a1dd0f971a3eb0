/* SPDX-License-Identifier: MIT */
#ifndef MLV_BASE_STR_H
#define MLV_BASE_STR_H
/*
 * Pieces of text that somebody else owns, and questions about them. Bytes are
 * as they came: any encoding, also NUL. No function here allocates or copies.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Borrowed. There is a NUL behind its bytes only where the owner says so, as base/intern.h does. */
struct mlv_str {
	const char *p;
	size_t n;
};

#define MLV_STR(literal) ((struct mlv_str)MLV_STR_INIT(literal))
/* The same as an initializer, for static tables. */
#define MLV_STR_INIT(literal)                                                                      \
	{                                                                                          \
		literal, sizeof(literal) - 1                                                       \
	}

static inline struct mlv_str mlv_str_of(const char *text)
{
	return (struct mlv_str){ text, strlen(text) };
}

/* What a zeroed struct left out, as a text that may be copied. */
static inline struct mlv_str mlv_str_some(struct mlv_str s)
{
	return s.p ? s : MLV_STR("");
}

/* ASCII, whatever the locale. */
static inline bool mlv_is_digit(char c)
{
	return c >= '0' && c <= '9';
}

bool mlv_str_eq(struct mlv_str a, struct mlv_str b);
/* Order by bytes, as memcmp. */
int mlv_str_cmp(struct mlv_str a, struct mlv_str b);
bool mlv_str_has_suffix(struct mlv_str s, struct mlv_str suffix);
bool mlv_str_has_prefix(struct mlv_str s, struct mlv_str prefix);
/* Whether `needle` occurs in `s`. */
bool mlv_str_contains(struct mlv_str s, struct mlv_str needle);
enum { MLV_NOT_FOUND = -1 };

/* Where `text` begins in `s`; MLV_NOT_FOUND. */
ptrdiff_t mlv_str_find(struct mlv_str s, const char *text);
/* Where it begins last. */
ptrdiff_t mlv_str_find_last(struct mlv_str s, const char *text);

/* Leading blanks and tabs. */
size_t mlv_str_indent(struct mlv_str s);

/* Parts of a text; of what lies beyond its end there is nothing. */
struct mlv_str mlv_str_from(struct mlv_str s, size_t i);
struct mlv_str mlv_str_head(struct mlv_str s, size_t n);
/* Without blanks and tabs at both ends, and without carriage returns at the end. */
struct mlv_str mlv_str_trim(struct mlv_str s);
/* The part behind the last '/' (or backslash). */
struct mlv_str mlv_str_basename(struct mlv_str path);

#endif
