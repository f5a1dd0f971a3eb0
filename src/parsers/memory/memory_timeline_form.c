/* SPDX-License-Identifier: MIT */
/*
 * Both forms begin with "[[" and a number. A row of events holds four small
 * ones with an action and a category in their places; a list of times holds
 * any number of late times, and may be longer than what is looked at.
 */
#include "parsers/memory/memory_timeline.h"

enum { FIELDS = 4 };

struct scan {
	const uint8_t *p, *end;
};

static void blanks(struct scan *s)
{
	while (s->p < s->end && (*s->p == ' ' || *s->p == '\n' || *s->p == '\r' || *s->p == '\t'))
		s->p++;
}

static bool take(struct scan *s, char c)
{
	blanks(s);
	if (s->p == s->end || *s->p != (uint8_t)c)
		return false;
	s->p++;
	return true;
}

/* An integer, of at most 19 digits, that the end does not cut. */
static bool take_integer(struct scan *s, int64_t *n)
{
	bool negative = take(s, '-');
	uint64_t v = 0;
	blanks(s);
	const uint8_t *begin = s->p;
	for (; s->p < s->end && mlv_is_digit(*s->p) && s->p - begin < 20; s->p++)
		v = v * 10 + (uint64_t)(*s->p - '0');
	*n = negative ? (int64_t)(0 - v) : (int64_t)v;
	return s->p > begin && s->p - begin < 20 && s->p < s->end;
}

static bool is_raw_row(const int64_t *v, size_t n)
{
	return n == FIELDS && v[0] >= MLV_TIMELINE_PREEXISTING && v[1] >= 1 && v[1] <= 4 &&
	       v[3] >= 0 && v[3] < MLV_TIMELINE_CATEGORIES;
}

enum mlv_timeline_form mlv_timeline_form(struct mlv_bytes head)
{
	struct scan s = { head.p, head.p + head.n };
	int64_t v[FIELDS] = { 0 }, n = 0, before = 0;
	size_t count = 0;
	bool closed = false, comma = true;
	if (!take(&s, '[') || !take(&s, '['))
		return MLV_TIMELINE_NONE;
	for (; comma && take_integer(&s, &n); count++) {
		if (count < FIELDS)
			v[count] = n;
		else if (n < before)
			return MLV_TIMELINE_NONE;
		before = n;
		comma = take(&s, ',');
		closed = !comma && take(&s, ']');
	}
	if (!closed)
		/* Nothing but times: a list of them that is longer than the head. */
		return s.p + 32 > s.end && count > 1000 && v[0] > 0 ? MLV_TIMELINE_SUMS
								    : MLV_TIMELINE_NONE;
	if (is_raw_row(v, count))
		return take(&s, ',') ? (take(&s, '[') ? MLV_TIMELINE_EVENTS : MLV_TIMELINE_NONE)
				     : (take(&s, ']') ? MLV_TIMELINE_EVENTS : MLV_TIMELINE_NONE);
	bool rows = take(&s, ',') && take(&s, '[') && take(&s, '[') && take_integer(&s, &n);
	return rows && n == 0 && count && v[0] >= 0 ? MLV_TIMELINE_SUMS : MLV_TIMELINE_NONE;
}
