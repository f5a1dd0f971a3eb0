/* SPDX-License-Identifier: MIT */
/*
 * Arguments as strace writes them: quoted strings with escapes, nested
 * brackets, comments, and the decorations of -y: 3</path>,
 * 4<TCP:[127.0.0.1:34711->127.0.0.1:5000]>. One pass, whatever the nesting.
 */
#include "parsers/strace/strace_line.h"

#include <string.h>

/* Behind the string that begins at `i`; s.n if it does not end. */
static size_t string_end(struct mlv_str s, size_t i, bool *open)
{
	for (i++; i < s.n; i++) {
		if (s.p[i] == '\\')
			i++;
		else if (s.p[i] == '"')
			return i + 1;
	}
	*open = true;
	return s.n;
}

static size_t comment_end(struct mlv_str s, size_t i)
{
	for (i += 2; i + 1 < s.n; i++) {
		if (s.p[i] == '*' && s.p[i + 1] == '/')
			return i + 2;
	}
	return s.n;
}

/* Behind a decoration; 0 if it does not end. '>' in a path is escaped, in an address it is "->". */
static size_t decoration_end(struct mlv_str s, size_t i)
{
	unsigned angle = 0, square = 0;
	for (; i < s.n; i++) {
		char c = s.p[i];
		if (c == '[')
			square++;
		else if (c == ']' && square)
			square--;
		else if (c == '<')
			angle++;
		else if (c == '>' && !(square && s.p[i - 1] == '-') && --angle == 0)
			return i + 1;
	}
	return 0;
}

/* A descriptor, a pid, AT_FDCWD: what a decoration follows. */
static bool decorable(char c)
{
	return mlv_is_digit(c) || (c >= 'A' && c <= 'Z');
}

size_t mlv_strace_scan(struct mlv_str s, size_t i, char stop, bool *in_string)
{
	size_t depth = 0;
	bool open = false, undecorated = false;
	while (i < s.n) {
		char c = s.p[i];
		if (depth == 0 && (c == stop || c == ')' || c == ']' || c == '}'))
			return i;
		if (c == '"') {
			i = string_end(s, i, &open);
			continue;
		}
		if (c == '/' && i + 1 < s.n && s.p[i + 1] == '*') {
			i = comment_end(s, i);
			continue;
		}
		if (c == '<' && i && decorable(s.p[i - 1]) && !undecorated) {
			size_t end = decoration_end(s, i);
			undecorated = !end;
			i = end ? end : i + 1;
			continue;
		}
		if (c == '(' || c == '[' || c == '{')
			depth++;
		else if (c == ')' || c == ']' || c == '}')
			depth--;
		i++;
	}
	if (in_string)
		*in_string = open;
	return s.n;
}

bool mlv_strace_next_arg(struct mlv_str args, size_t *at, struct mlv_str *arg)
{
	size_t i = *at;
	while (i < args.n && args.p[i] == ' ')
		i++;
	if (i >= args.n)
		return false;
	size_t end = mlv_strace_scan(args, i, ',', NULL);
	*arg = (struct mlv_str){ args.p + i, end - i };
	while (arg->n && arg->p[arg->n - 1] == ' ')
		arg->n--;
	*at = end < args.n ? end + 1 : args.n;
	return true;
}

struct mlv_str mlv_strace_arg(struct mlv_str args, unsigned n)
{
	struct mlv_str arg;
	size_t at = 0;
	do {
		if (!mlv_strace_next_arg(args, &at, &arg))
			return (struct mlv_str){ "", 0 };
	} while (n--);
	return arg;
}

static int digit(char c, unsigned base)
{
	int d = mlv_is_digit(c)        ? c - '0'
		: c >= 'a' && c <= 'f' ? c - 'a' + 10
		: c >= 'A' && c <= 'F' ? c - 'A' + 10
				       : 99;
	return d < (int)base ? d : -1;
}

bool mlv_strace_number(struct mlv_str s, size_t *used, uint64_t *number, bool *negative)
{
	size_t i = 0;
	unsigned base = 10;
	*number = 0;
	*negative = s.n && s.p[0] == '-';
	i += *negative;
	if (i + 2 < s.n && s.p[i] == '0' && s.p[i + 1] == 'x') {
		base = 16;
		i += 2;
	} else if (i + 1 < s.n && s.p[i] == '0' && digit(s.p[i + 1], 8) >= 0) {
		base = 8;
		i++;
	}
	size_t first = i;
	for (int d; i < s.n && (d = digit(s.p[i], base)) >= 0; i++) {
		if (__builtin_mul_overflow(*number, (uint64_t)base, number) ||
		    __builtin_add_overflow(*number, (uint64_t)d, number))
			return false;
	}
	*used = i;
	return i > first;
}

bool mlv_strace_arg_number(struct mlv_str arg, int64_t *number)
{
	size_t used;
	uint64_t n;
	bool negative;
	if (!mlv_strace_number(arg, &used, &n, &negative) || n > INT64_MAX)
		return false;
	*number = negative ? -(int64_t)n : (int64_t)n;
	return true;
}

bool mlv_strace_arg_address(struct mlv_str arg, uint64_t *number)
{
	size_t used;
	bool negative;
	return mlv_strace_number(arg, &used, number, &negative) && !negative;
}

struct mlv_str mlv_strace_decoration(struct mlv_str arg)
{
	size_t i = 0;
	while (i < arg.n && arg.p[i] != '<' && arg.p[i] != '"' && arg.p[i] != '(' &&
	       arg.p[i] != '{' && arg.p[i] != '[')
		i++;
	if (i == 0 || i >= arg.n || arg.p[i] != '<' || !decorable(arg.p[i - 1]))
		return (struct mlv_str){ "", 0 };
	size_t end = decoration_end(arg, i);
	if (!end)
		return (struct mlv_str){ "", 0 };
	return (struct mlv_str){ arg.p + i + 1, end - i - 2 };
}

/* An escape behind its backslash; how many bytes it takes. */
static size_t escape(struct mlv_str s, size_t i, char *out)
{
	static const char from[] = "ntrfvab", to[] = "\n\t\r\f\v\a\b";
	const char *known = s.p[i] ? strchr(from, s.p[i]) : NULL;
	unsigned v = 0;
	size_t n = 0;
	if (s.p[i] == 'x') {
		for (int d; n < 2 && i + 1 + n < s.n && (d = digit(s.p[i + 1 + n], 16)) >= 0; n++)
			v = v << 4 | (unsigned)d;
		*out = (char)v;
		return n + 1;
	}
	for (int d; n < 3 && i + n < s.n && (d = digit(s.p[i + n], 8)) >= 0; n++)
		v = v << 3 | (unsigned)d;
	*out = n ? (char)v : known ? to[known - from] : s.p[i];
	return n ? n : 1;
}

/* Up to `end` or the end of `s`; *i stands there afterwards. */
static size_t unescape(struct mlv_str s, size_t *i, char end, char *out)
{
	size_t n = 0;
	while (*i < s.n && !(s.p[*i] == end && end)) {
		if (s.p[*i] != '\\') {
			out[n++] = s.p[(*i)++];
			continue;
		}
		if (++*i >= s.n)
			break;
		*i += escape(s, *i, &out[n++]);
	}
	return n;
}

size_t mlv_strace_unescape(struct mlv_str s, char *out)
{
	size_t i = 0;
	return unescape(s, &i, '\0', out);
}

size_t mlv_strace_unquote(struct mlv_str arg, char *out)
{
	size_t i = 1;
	if (!arg.n || arg.p[0] != '"')
		return 0;
	size_t n = unescape(arg, &i, '"', out);
	/* "text"... was abbreviated. */
	for (i++; i < arg.n && arg.p[i] == '.'; i++)
		out[n++] = '.';
	return n;
}
