/* SPDX-License-Identifier: MIT */
/* Calls between functions in pstats' text: print_callers and print_callees. */
#include <string.h>

#include "base/buf.h"
#include "parsers/python/cprofile.h"
#include "parsers/text/lines.h"

struct mlv_str mlv_cprofile_word(struct mlv_str s, size_t *i, size_t *blanks)
{
	size_t start = *i;
	while (*i < s.n && s.p[*i] == ' ')
		++*i;
	*blanks = *i - start;
	start = *i;
	while (*i < s.n && s.p[*i] != ' ')
		++*i;
	return (struct mlv_str){ s.p + start, *i - start };
}

static bool is_digits(struct mlv_str s)
{
	for (size_t i = 0; i < s.n; i++) {
		if (s.p[i] < '0' || s.p[i] > '9')
			return false;
	}
	return s.n > 0;
}

bool mlv_cprofile_seconds(struct mlv_str s, struct mlv_decimal *d)
{
	const char *point = memchr(s.p, '.', s.n);
	size_t start = s.n && s.p[0] == '-'; /* a clock may have been set back */
	if (!point)
		return false;
	struct mlv_str before = { s.p + start, (size_t)(point - s.p) - start };
	struct mlv_str behind = { point + 1, s.n - (size_t)(point - s.p) - 1 };
	return (size_t)(point - s.p) > start && is_digits(before) && is_digits(behind) &&
	       mlv_decimal_whole(s, MLV_UNIT_S, d);
}

bool mlv_cprofile_calls(struct mlv_str s, struct mlv_decimal *calls, struct mlv_decimal *primitive)
{
	const char *slash = memchr(s.p, '/', s.n);
	struct mlv_str all = { s.p, slash ? (size_t)(slash - s.p) : s.n };
	struct mlv_str rest = slash ? (struct mlv_str){ slash + 1, s.n - all.n - 1 } : all;
	return is_digits(all) && is_digits(rest) && mlv_decimal_whole(all, MLV_UNIT_NONE, calls) &&
	       mlv_decimal_whole(rest, MLV_UNIT_NONE, primitive);
}

enum mlv_rc mlv_cprofile_edge(struct mlv_run *run, mlv_strid caller, mlv_strid callee,
			      mlv_strid *id, struct mlv_err *err)
{
	struct mlv_buf b = { 0 };
	mlv_buf_str(&b, mlv_run_str(run, caller));
	mlv_buf_puts(&b, " -> ");
	mlv_buf_str(&b, mlv_run_str(run, callee));
	bool good = !b.failed && mlv_run_intern(run, (struct mlv_str){ b.data, b.len }, id);
	mlv_buf_fini(&b);
	return good ? MLV_OK : mlv_err_nomem(err);
}

/* Where the arrow is: at its column, else the first one between blanks. */
static bool find_arrow(const struct mlv_cprofile_calls *c, struct mlv_str line, size_t *at)
{
	const char *arrow = c->callees ? "->" : "<-";
	size_t chars = 0, first = SIZE_MAX;
	for (size_t i = 0; i + 1 < line.n; i++) {
		if (memcmp(line.p + i, arrow, 2) == 0) {
			if (chars == c->width) {
				*at = i;
				return true;
			}
			if (first == SIZE_MAX && i && line.p[i - 1] == ' ' &&
			    (i + 2 == line.n || line.p[i + 2] == ' '))
				first = i;
		}
		chars += ((uint8_t)line.p[i] & 0xc0) != 0x80;
	}
	*at = first;
	return first != SIZE_MAX;
}

struct call {
	struct mlv_decimal calls, primitive, tottime, cumtime;
	bool has_times;
	struct mlv_str other; /* the function at the other end */
};

/* "    18/7    0.000    0.001  _parser.py:456(_parse_sub)" of cProfile */
static bool call_of_cprofile(struct mlv_str s, struct call *c)
{
	size_t i = 0, blanks;
	c->has_times = true;
	if (!mlv_cprofile_calls(mlv_cprofile_word(s, &i, &blanks), &c->calls, &c->primitive) ||
	    !mlv_cprofile_seconds(mlv_cprofile_word(s, &i, &blanks), &c->tottime) ||
	    !mlv_cprofile_seconds(mlv_cprofile_word(s, &i, &blanks), &c->cumtime))
		return false;
	c->other = mlv_str_trim((struct mlv_str){ s.p + i, s.n - i });
	return c->other.n > 0;
}

/*
 * "a.py:3(work)(20)    0.005" of the profile module: a count, and the time of
 * the function itself, which says nothing of this call and is not taken.
 */
static bool call_of_profile(struct mlv_str s, struct call *c)
{
	struct mlv_decimal time;
	s = mlv_str_trim(s);
	size_t end = s.n;
	while (end && s.p[end - 1] != ' ')
		end--;
	if (!mlv_cprofile_seconds((struct mlv_str){ s.p + end, s.n - end }, &time))
		return false;
	s = mlv_str_trim((struct mlv_str){ s.p, end });
	size_t open = s.n;
	while (open && s.p[open - 1] != '(')
		open--;
	if (open < 2 || s.p[s.n - 1] != ')')
		return false;
	c->has_times = false;
	c->other = (struct mlv_str){ s.p, open - 1 };
	return mlv_cprofile_calls((struct mlv_str){ s.p + open, s.n - open - 1 }, &c->calls,
				  &c->primitive);
}

static enum mlv_rc add_call(const struct mlv_cprofile_calls *c, struct mlv_metric_row *at,
			    const struct call *call, struct mlv_err *err)
{
	mlv_strid other;
	if (!mlv_run_intern(at->run, call->other, &other))
		return mlv_err_nomem(err);
	enum mlv_rc rc = mlv_cprofile_edge(at->run, c->callees ? c->named : other,
					   c->callees ? other : c->named, &at->subject, err);
	if (!rc)
		rc = mlv_add_metric_named(at, MLV_CPROFILE_CALLS, call->calls, err);
	if (!rc && call->has_times)
		rc = mlv_add_metric_named(at, MLV_CPROFILE_PRIMITIVE, call->primitive, err);
	if (!rc && call->has_times)
		rc = mlv_add_metric_named(at, MLV_CPROFILE_TOTTIME, call->tottime, err);
	if (!rc && call->has_times)
		rc = mlv_add_metric_named(at, MLV_CPROFILE_CUMTIME, call->cumtime, err);
	at->row++;
	return rc;
}

enum mlv_rc mlv_cprofile_call_line(struct mlv_cprofile_calls *c, struct mlv_metric_row *at,
				   struct mlv_str line, bool *mine, struct mlv_err *err)
{
	struct call call;
	size_t arrow = 0;
	struct mlv_str rest = line;
	*mine = false;
	bool named = line.n && line.p[0] != ' ';
	if (named && find_arrow(c, line, &arrow)) {
		struct mlv_str name = mlv_str_trim((struct mlv_str){ line.p, arrow });
		if (!mlv_run_intern(at->run, name, &c->named))
			return mlv_err_nomem(err);
		c->has_named = *mine = true;
		rest = (struct mlv_str){ line.p + arrow + 2, line.n - arrow - 2 };
	} else if (named || !c->has_named) {
		return MLV_OK;
	}
	if (!call_of_cprofile(rest, &call) && !call_of_profile(rest, &call))
		return MLV_OK;
	*mine = true;
	return add_call(c, at, &call, err);
}
