/* SPDX-License-Identifier: MIT */
#include "cli/rank_name.h"

#include <string.h>
#include <strings.h>

#include "base/str.h"

static int64_t number(const char *p, size_t n)
{
	int64_t v = 0;
	if (n == 0 || n > 8)
		return -1;
	for (size_t i = 0; i < n; i++)
		v = v * 10 + (p[i] - '0');
	return v;
}

static size_t digits(struct mlv_str s, size_t i)
{
	size_t n = 0;
	while (i + n < s.n && mlv_is_digit(s.p[i + n]))
		n++;
	return n;
}

/* The last "rank" that is followed by digits, with at most one of "-_=." between. */
static int64_t named(struct mlv_str s)
{
	int64_t rank = -1;
	for (size_t i = 0; i + 4 < s.n; i++) {
		if (strncasecmp(s.p + i, "rank", 4) != 0)
			continue;
		size_t at = i + 4;
		if (strchr("-_=.", s.p[at]) && s.p[at])
			at++;
		if (digits(s, at))
			rank = number(s.p + at, digits(s, at));
	}
	return rank;
}

int64_t mlv_rank_of_name(const char *path, bool bare)
{
	static const struct mlv_str endings[] = {
		MLV_STR_INIT(".gz"),  MLV_STR_INIT(".zst"),    MLV_STR_INIT(".json"),
		MLV_STR_INIT(".pkl"), MLV_STR_INIT(".pickle"),
	};
	struct mlv_str s = mlv_str_basename(mlv_str_of(path));
	for (size_t i = 0; i < sizeof(endings) / sizeof(endings[0]); i++) {
		if (mlv_str_has_suffix(s, endings[i]))
			s.n -= endings[i].n;
	}
	int64_t rank = named(s);
	if (rank >= 0 || !bare)
		return rank;
	size_t n = 0;
	while (n < s.n && mlv_is_digit(s.p[s.n - 1 - n]))
		n++;
	return number(s.p + s.n - n, n);
}
