/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* memmem */
#include "base/str.h"

#include <string.h>

bool mlv_str_eq(struct mlv_str a, struct mlv_str b)
{
	return a.n == b.n && memcmp(a.p, b.p, a.n) == 0;
}

int mlv_str_cmp(struct mlv_str a, struct mlv_str b)
{
	int c = memcmp(a.p, b.p, a.n < b.n ? a.n : b.n);
	return c ? c : (a.n > b.n) - (a.n < b.n);
}

bool mlv_str_has_suffix(struct mlv_str s, struct mlv_str suffix)
{
	return s.n >= suffix.n && memcmp(s.p + s.n - suffix.n, suffix.p, suffix.n) == 0;
}

bool mlv_str_has_prefix(struct mlv_str s, struct mlv_str prefix)
{
	return s.n >= prefix.n && memcmp(s.p, prefix.p, prefix.n) == 0;
}

bool mlv_str_contains(struct mlv_str s, struct mlv_str needle)
{
	return memmem(s.p, s.n, needle.p, needle.n) != NULL;
}

struct mlv_str mlv_str_basename(struct mlv_str path)
{
	size_t i = path.n;
	while (i && path.p[i - 1] != '/' && path.p[i - 1] != '\\')
		i--;
	return (struct mlv_str){ path.p + i, path.n - i };
}

struct mlv_str mlv_str_from(struct mlv_str s, size_t i)
{
	i = i < s.n ? i : s.n;
	return (struct mlv_str){ s.p + i, s.n - i };
}

struct mlv_str mlv_str_head(struct mlv_str s, size_t n)
{
	return (struct mlv_str){ s.p, n < s.n ? n : s.n };
}

size_t mlv_str_indent(struct mlv_str s)
{
	size_t i = 0;
	while (i < s.n && (s.p[i] == ' ' || s.p[i] == '\t'))
		i++;
	return i;
}

ptrdiff_t mlv_str_find(struct mlv_str s, const char *text)
{
	const char *at = s.n ? memmem(s.p, s.n, text, strlen(text)) : NULL;
	return at ? at - s.p : MLV_NOT_FOUND;
}

ptrdiff_t mlv_str_find_last(struct mlv_str s, const char *text)
{
	size_t n = strlen(text);
	for (size_t i = s.n >= n ? s.n - n + 1 : 0; i--;) {
		if (memcmp(s.p + i, text, n) == 0)
			return (ptrdiff_t)i;
	}
	return MLV_NOT_FOUND;
}

struct mlv_str mlv_str_trim(struct mlv_str s)
{
	while (s.n && (s.p[0] == ' ' || s.p[0] == '\t')) {
		s.p++;
		s.n--;
	}
	while (s.n && (s.p[s.n - 1] == ' ' || s.p[s.n - 1] == '\t' || s.p[s.n - 1] == '\r'))
		s.n--;
	return s;
}
