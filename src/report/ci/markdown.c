/* SPDX-License-Identifier: MIT */
#include "report/ci/markdown.h"

#include <string.h>

/* Has no width, and no name of an address, a person or an issue goes on behind it. */
#define WORD_JOINER "\u2060"

static bool is_alnum(char c)
{
	return mlv_is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* What begins or ends something wherever it stands; an underscore does at the edge of a word. */
static bool is_special(struct mlv_str s, size_t i)
{
	char c = s.p[i];
	if (c == '_')
		return !i || !is_alnum(s.p[i - 1]) || i + 1 == s.n || !is_alnum(s.p[i + 1]);
	return c && strchr("\\`*[]<>|~&$", c);
}

/* A line that begins so is a list, a heading or a rule. */
static bool is_special_first(struct mlv_str s, size_t i)
{
	size_t digits = 0;
	while (digits < s.n && mlv_is_digit(s.p[digits]))
		digits++;
	if (digits)
		return i == digits && (s.p[i] == '.' || s.p[i] == ')');
	return i == 0 && strchr("-+=#", s.p[0]);
}

/* Addresses, mentions and references become links without any brackets, behind these. */
static bool is_link(struct mlv_str s, size_t i)
{
	char next = i + 1 < s.n ? s.p[i + 1] : ' ';
	switch (s.p[i]) {
	case ':':
		return next == '/';
	case '@':
	case '#':
		return is_alnum(next);
	case '.':
		return i >= 3 && strncmp(s.p + i - 3, "www", 3) == 0;
	default:
		return false;
	}
}

void mlv_md_text(struct mlv_buf *out, const char *text)
{
	struct mlv_buf safe = { 0 };
	mlv_buf_safe(&safe, mlv_str_of(text));
	struct mlv_str s = { safe.data, safe.len };
	for (size_t i = 0; i < s.n; i++) {
		if (is_special(s, i) || is_special_first(s, i))
			mlv_buf_putc(out, '\\');
		mlv_buf_putc(out, s.p[i]);
		if (is_link(s, i))
			mlv_buf_puts(out, WORD_JOINER);
	}
	out->failed |= safe.failed;
	mlv_buf_fini(&safe);
}

static void fence(struct mlv_buf *out, size_t longest)
{
	for (size_t i = 0; i <= longest; i++)
		mlv_buf_putc(out, '`');
}

void mlv_md_code(struct mlv_buf *out, const char *text)
{
	struct mlv_buf safe = { 0 };
	size_t longest = 0, run = 0;
	mlv_buf_safe(&safe, mlv_str_of(text));
	for (size_t i = 0; i < safe.len; i++) {
		run = safe.data[i] == '`' ? run + 1 : 0;
		longest = run > longest ? run : longest;
	}
	if (safe.len) {
		fence(out, longest);
		mlv_buf_puts(out, longest ? " " : "");
	}
	for (size_t i = 0; i < safe.len; i++) {
		/* A bar ends the cell even within code. */
		mlv_buf_puts(out, safe.data[i] == '|' ? "\\" : "");
		mlv_buf_putc(out, safe.data[i]);
	}
	if (safe.len) {
		mlv_buf_puts(out, longest ? " " : "");
		fence(out, longest);
	}
	out->failed |= safe.failed;
	mlv_buf_fini(&safe);
}
