/* SPDX-License-Identifier: MIT */
#include "parsers/python/cprofile_line.h"

#include <string.h>

/* Whether the line begins with `word`, but for blanks; *rest is what follows it, without blanks. */
static bool take(struct mlv_str s, struct mlv_str word, struct mlv_str *rest)
{
	s = mlv_str_trim(s);
	if (!mlv_str_has_prefix(s, word))
		return false;
	*rest = mlv_str_trim((struct mlv_str){ s.p + word.n, s.n - word.n });
	return true;
}

bool mlv_cprofile_is_summary(struct mlv_str s, struct mlv_cprofile_summary *r)
{
	size_t i = 0, blanks;
	struct mlv_decimal unused;
	struct mlv_str rest;
	struct mlv_str number = mlv_cprofile_word(s, &i, &blanks);
	if (!mlv_cprofile_calls(number, &r->calls, &unused) || memchr(number.p, '/', number.n) ||
	    !take((struct mlv_str){ s.p + i, s.n - i }, MLV_STR("function calls"), &rest))
		return false;
	r->primitive = r->calls;
	if (take(rest, MLV_STR("("), &rest)) {
		i = 0;
		number = mlv_cprofile_word(rest, &i, &blanks);
		if (!mlv_cprofile_calls(number, &r->primitive, &unused) ||
		    !take((struct mlv_str){ rest.p + i, rest.n - i }, MLV_STR("primitive calls)"),
			  &rest))
			return false;
	}
	if (!take(rest, MLV_STR("in "), &rest))
		return false;
	i = 0;
	number = mlv_cprofile_word(rest, &i, &blanks);
	rest = mlv_str_trim((struct mlv_str){ rest.p + i, rest.n - i });
	/* "CPU seconds" until Python 2.6 */
	return mlv_cprofile_seconds(number, &r->seconds) &&
	       (mlv_str_eq(rest, MLV_STR("seconds")) || mlv_str_eq(rest, MLV_STR("CPU seconds")));
}

bool mlv_cprofile_is_note(struct mlv_str s)
{
	return mlv_str_has_prefix(s, MLV_STR("Ordered by: ")) ||
	       mlv_str_eq(s, MLV_STR("Random listing order was used")) ||
	       (mlv_str_has_prefix(s, MLV_STR("List reduced from ")) &&
		mlv_str_contains(s, MLV_STR(" due to restriction ")));
}

bool mlv_cprofile_begins_notes(struct mlv_str s)
{
	return !mlv_str_has_prefix(s, MLV_STR("List reduced"));
}

/*
 * ncalls, four columns of "%8.3f" and a name. The two shares are blank where
 * nothing was called, which leaves more blanks than any number has before it.
 */
bool mlv_cprofile_is_stats(struct mlv_str s, struct mlv_cprofile_stats *r)
{
	enum { BLANK_COLUMN = 9 };
	size_t i = 0, blanks;
	if (!mlv_cprofile_calls(mlv_cprofile_word(s, &i, &blanks), &r->calls, &r->primitive))
		return false;
	for (unsigned k = 0; k < 4; k++) {
		size_t at = i;
		struct mlv_str word = mlv_cprofile_word(s, &at, &blanks);
		bool share = k % 2;
		r->has[k] = !(share && blanks >= BLANK_COLUMN) &&
			    mlv_cprofile_seconds(word, &r->times[k]);
		if (r->has[k])
			i = at;
		else if (!share || blanks < BLANK_COLUMN)
			return false;
	}
	r->name = mlv_str_trim((struct mlv_str){ s.p + i, s.n - i });
	return r->name.n > 0;
}

bool mlv_cprofile_has_end(struct mlv_str name)
{
	return name.p[name.n - 1] == ')' || name.p[name.n - 1] == '}';
}

bool mlv_cprofile_is_title(struct mlv_str s)
{
	static const char *const words[] = { "ncalls",  "tottime", "percall",
					     "cumtime", "percall", "filename:lineno(function)" };
	size_t i = 0, blanks;
	for (unsigned k = 0; k < 6; k++) {
		struct mlv_str word = mlv_cprofile_word(s, &i, &blanks);
		if (word.n != strlen(words[k]) || memcmp(word.p, words[k], word.n) != 0)
			return false;
	}
	return true;
}

bool mlv_cprofile_is_subtitle(struct mlv_str s)
{
	struct mlv_str rest;
	return take(s, MLV_STR("ncalls"), &rest) && take(rest, MLV_STR("tottime"), &rest) &&
	       mlv_str_eq(rest, MLV_STR("cumtime"));
}

bool mlv_cprofile_is_calls_title(struct mlv_str s, struct mlv_cprofile_calls *calls)
{
	struct mlv_str rest;
	if (!mlv_str_has_prefix(s, MLV_STR("Function ")) || !take(s, MLV_STR("Function"), &rest))
		return false;
	bool callees = mlv_str_eq(rest, MLV_STR("called..."));
	if (!callees && !mlv_str_eq(rest, MLV_STR("was called by...")))
		return false;
	*calls = (struct mlv_cprofile_calls){ .callees = callees, .width = (size_t)(rest.p - s.p) };
	return true;
}
