/* SPDX-License-Identifier: MIT */
/*
 * Which lines are strace's. In a log of many tools a line counts only when it
 * is a call that Linux has, whole, with arguments that look like those of a
 * call. Once a few such lines were there, lines that are less clear count too.
 */
#include <string.h>

#include "parsers/strace/strace_state.h"

/* No call has more than nine. */
enum { PROBE_LINES = 400, MAX_ARGS = 16 };

/* Arguments are numbers, strings, constants, structures; never words of a program. */
static bool plausible_args(struct mlv_str args)
{
	struct mlv_str arg;
	size_t at = 0;
	for (unsigned n = 0; mlv_strace_next_arg(args, &at, &arg); n++) {
		char c = arg.n ? arg.p[0] : ' ';
		bool named = memchr(arg.p, '=', arg.n) != NULL;
		if (!(named || mlv_is_digit(c) || (c >= 'A' && c <= 'Z') ||
		      strchr("\"{[(~&-<", c)) ||
		    c == '\0')
			return false;
		if (n >= MAX_ARGS || (at < args.n && args.p[at - 1] != ','))
			return false;
	}
	return true;
}

/* A line that is strace's whatever stands around it. */
bool mlv_strace_certain(const struct mlv_strace_line *l)
{
	switch (l->kind) {
	case MLV_STRACE_CALL:
		return !l->result.rest && mlv_strace_shape(l->name) != MLV_STRACE_UNKNOWN &&
		       plausible_args(l->args);
	case MLV_STRACE_UNFINISHED:
	case MLV_STRACE_RESUMED:
		return mlv_strace_shape(l->name) != MLV_STRACE_UNKNOWN;
	case MLV_STRACE_SIGNAL:
		/* Before version 4.7: "SIGCHLD (Child exited) @ 0 (0)" */
		return mlv_str_contains(l->text, MLV_STR(" {si_signo=")) ||
		       mlv_str_contains(l->text, MLV_STR(") @ ")) ||
		       mlv_str_has_prefix(l->text, MLV_STR("stopped by SIG"));
	case MLV_STRACE_EXITED:
	case MLV_STRACE_KILLED:
	case MLV_STRACE_SUPERSEDED:
	case MLV_STRACE_ATTACHED:
		return true;
	default:
		return false;
	}
}

/* A line that is strace's within one of its logs. */
bool mlv_strace_likely(const struct mlv_strace_line *l)
{
	switch (l->kind) {
	case MLV_STRACE_OTHER:
	case MLV_STRACE_FRAME:
	case MLV_STRACE_DUMP:
		return false;
	case MLV_STRACE_OPEN:
		return mlv_strace_shape(l->name) != MLV_STRACE_UNKNOWN;
	default:
		return true;
	}
}

static struct mlv_str next_line(struct mlv_bytes head, size_t *i, bool *whole)
{
	const uint8_t *from = head.p + *i, *lf = memchr(from, '\n', head.n - *i);
	size_t n = lf ? (size_t)(lf - from) : head.n - *i;
	*whole = lf != NULL;
	*i += n + (lf != NULL);
	while (n && from[n - 1] == '\r')
		n--;
	return (struct mlv_str){ (const char *)from, n };
}

int mlv_strace_probe(struct mlv_bytes head)
{
	unsigned lines = 0, good = 0, calls = 0;
	bool whole, previous = false;
	for (size_t i = 0; i < head.n && lines < PROBE_LINES;) {
		struct mlv_strace_line l;
		struct mlv_str s = next_line(head, &i, &whole);
		if (!s.n || (!whole && lines))
			continue;
		if (mlv_strace_table_names(s))
			break;
		mlv_strace_parse(s, &l);
		bool mine = mlv_strace_certain(&l) ||
			    (previous && (l.kind == MLV_STRACE_FRAME || l.kind == MLV_STRACE_DUMP ||
					  l.kind == MLV_STRACE_MESSAGE));
		calls += mine && (l.kind == MLV_STRACE_CALL || l.kind == MLV_STRACE_RESUMED);
		good += mine;
		lines++;
		previous = mine;
	}
	return calls && good * 10 >= lines * 6 ? 90 : 0;
}
