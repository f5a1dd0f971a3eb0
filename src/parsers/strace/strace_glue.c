/* SPDX-License-Identifier: MIT */
/*
 * A traced program that writes to the terminal on which strace writes gets
 * into its lines: a call is cut in two by output, or output precedes a line
 * that did not begin with one. strace's own messages do the same.
 */
#include <string.h>

#include "parsers/strace/strace_state.h"

/* The rest of an open call did not come: its line was cut. */
enum mlv_rc mlv_strace_give_up_open(struct mlv_strace *st, struct mlv_text *t, struct mlv_err *err)
{
	struct mlv_strace_line l;
	if (!st->open.is)
		return MLV_OK;
	st->open.is = false;
	if (!st->cut++)
		st->cut_line = st->open.line;
	mlv_strace_parse((struct mlv_str){ st->open.text.data, st->open.text.len }, &l);
	return mlv_strace_take(st, t, &l, st->open.line, err);
}

enum mlv_rc mlv_strace_keep_open(struct mlv_strace *st, struct mlv_str s, uint32_t line,
				 struct mlv_err *err)
{
	st->open.text.len = 0;
	mlv_buf_str(&st->open.text, s);
	st->open.is = !st->open.text.failed;
	st->open.line = line;
	return st->open.is ? MLV_OK : mlv_err_nomem(err);
}

/* A line that completes the open call; *done says whether it does. */
enum mlv_rc mlv_strace_complete_open(struct mlv_strace *st, struct mlv_text *t, struct mlv_str s,
				     bool *done, struct mlv_err *err)
{
	struct mlv_strace_line l;
	size_t before = st->open.text.len;
	*done = false;
	if (!st->open.is || !mlv_strace_tail(s))
		return MLV_OK;
	mlv_buf_str(&st->open.text, s);
	if (st->open.text.failed)
		return mlv_err_nomem(err);
	mlv_strace_parse((struct mlv_str){ st->open.text.data, st->open.text.len }, &l);
	if (l.kind != MLV_STRACE_CALL && l.kind != MLV_STRACE_UNFINISHED) {
		st->open.text.len = before;
		return MLV_OK;
	}
	st->open.is = false;
	*done = true;
	return mlv_strace_take(st, t, &l, st->open.line, err);
}

/* Where within a line one of strace's may begin: a leader, or the name of a call. */
static size_t candidate(struct mlv_str s, size_t from)
{
	static const struct mlv_str marks[] = { MLV_STR_INIT("[pid "), MLV_STR_INIT("<... "),
						MLV_STR_INIT("--- SIG"), MLV_STR_INIT("+++ ") };
	for (size_t i = from; i < s.n; i++) {
		struct mlv_str rest = { s.p + i, s.n - i };
		for (size_t k = 0; k < 4; k++) {
			if (mlv_str_has_prefix(rest, marks[k]))
				return i;
		}
		if (rest.p[0] < 'a' || rest.p[0] > 'z')
			continue;
		size_t n = 0;
		while (n < rest.n && n < 32 &&
		       ((rest.p[n] >= 'a' && rest.p[n] <= 'z') || mlv_is_digit(rest.p[n]) ||
			rest.p[n] == '_'))
			n++;
		if (n < rest.n && rest.p[n] == '(' &&
		    mlv_strace_shape((struct mlv_str){ rest.p, n }) != MLV_STRACE_UNKNOWN)
			return i;
	}
	return s.n;
}

/* A line that output of a program precedes. */
bool mlv_strace_glued(struct mlv_str s, struct mlv_strace_line *l)
{
	size_t from = 1;
	for (unsigned tries = 0; tries < 8; tries++) {
		size_t i = candidate(s, from);
		if (i >= s.n)
			return false;
		mlv_strace_parse((struct mlv_str){ s.p + i, s.n - i }, l);
		if (mlv_strace_certain(l))
			return true;
		from = i + 1;
	}
	return false;
}

/* "strace: Process 13340 attached" may end any line; 0 where it does not or is all of it. */
size_t mlv_strace_message_within(struct mlv_str s)
{
	static const struct mlv_str mark = MLV_STR_INIT("strace: Process ");
	if (s.n < mark.n || !mlv_str_has_suffix(s, MLV_STR("ed")))
		return 0;
	/* What follows it is a number and a word. */
	size_t least = s.n > 64 ? s.n - 64 : 0;
	for (size_t i = s.n - mark.n; i > least; i--) {
		if (memcmp(s.p + i, mark.p, mark.n) == 0)
			return i;
	}
	return 0;
}
