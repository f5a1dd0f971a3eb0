/* SPDX-License-Identifier: MIT */
#include "parsers/failure/oom_cursor.h"

#include <string.h>

#include "parsers/text/scan.h"

static bool glue(struct mlv_oom_cursor *c)
{
	struct mlv_oom *o = c->o;
	if (o->glue_count == MLV_OOM_GLUE)
		return false;
	o->glue[o->glue_count++] = (uint16_t)(c->s.p - c->begin);
	c->s = mlv_str_from(c->s, 1);
	return true;
}

static char next(const struct mlv_oom_cursor *c)
{
	return c->s.n ? c->s.p[0] : '\0';
}

bool mlv_oom_lit(struct mlv_oom_cursor *c, const char *text)
{
	struct mlv_oom_cursor saved = *c;
	unsigned glued = c->o->glue_count;
	for (const char *p = text; *p; p++) {
		bool within = p > text || strchr(".,;)", *p);
		bool ok = next(c) != '\n' || *p == ' ' || (within && glue(c));
		if (!ok || (next(c) != *p && !(*p == ' ' && next(c) == '\n'))) {
			*c = saved;
			c->o->glue_count = glued;
			return false;
		}
		c->s = mlv_str_from(c->s, 1);
	}
	return true;
}

void mlv_oom_blanks(struct mlv_oom_cursor *c)
{
	while (next(c) == ' ' || next(c) == '\t' || next(c) == '\n')
		c->s = mlv_str_from(c->s, 1);
}

bool mlv_oom_lit_ahead(struct mlv_oom_cursor *c, const char *text, size_t within)
{
	struct mlv_oom_cursor at = *c;
	for (size_t i = 0; i < within && at.s.n; i++) {
		if (mlv_oom_lit(&at, text)) {
			*c = at;
			return true;
		}
		at.s = mlv_str_from(at.s, 1);
	}
	return false;
}

static bool digits(struct mlv_oom_cursor *c, bool fraction)
{
	size_t n = 0;
	for (;; n++) {
		char d = next(c);
		if (d == '\n' && n && c->s.n > 1 && (mlv_is_digit(c->s.p[1]) || c->s.p[1] == '.')) {
			if (!glue(c))
				return false;
			d = next(c);
		}
		if (!mlv_is_digit(d) && !(fraction && d == '.' && n))
			break;
		c->s = mlv_str_from(c->s, 1);
	}
	return n > 0;
}

bool mlv_oom_number(struct mlv_oom_cursor *c, int64_t *n)
{
	struct mlv_oom_cursor from = *c;
	int64_t value = 0;
	if (!digits(c, false))
		return false;
	for (const char *p = from.s.p; p < c->s.p; p++) {
		if (*p == '\n')
			continue;
		if (value > INT64_MAX / 10 - 10)
			return false;
		value = value * 10 + (*p - '0');
	}
	*n = value;
	return true;
}

static bool is_letter(char c)
{
	return (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
}

bool mlv_oom_size(struct mlv_oom_cursor *c, struct mlv_str *out)
{
	static const char *const units[] = { "bytes", "KiB", "MiB", "GiB", "TiB", "PiB",
					     "KB",    "MB",  "GB",  "TB",  "B" };
	const char *begin = c->s.p;
	if (!digits(c, true))
		return false;
	mlv_oom_blanks(c);
	for (size_t k = 0; k < sizeof(units) / sizeof(units[0]); k++) {
		struct mlv_oom_cursor after = *c;
		if (mlv_oom_lit(&after, units[k]) && !is_letter(next(&after))) {
			*out = (struct mlv_str){ begin, (size_t)(after.s.p - begin) };
			*c = after;
			return true;
		}
	}
	return false;
}

bool mlv_oom_phrase(struct mlv_oom_cursor *c, const char *before, struct mlv_str *value,
		    const char *after)
{
	struct mlv_oom_cursor at = *c;
	struct mlv_str said;
	unsigned glued = c->o->glue_count;
	if (mlv_oom_lit(&at, before)) {
		mlv_oom_blanks(&at);
		if (mlv_oom_size(&at, &said)) {
			if (*after && *after != '.' && *after != ',' && *after != ')')
				mlv_oom_blanks(&at);
			if (mlv_oom_lit(&at, after)) {
				*value = said;
				*c = at;
				return true;
			}
		}
	}
	c->o->glue_count = glued;
	return false;
}
