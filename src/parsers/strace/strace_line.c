/* SPDX-License-Identifier: MIT */
/* The body of a line: what kind it is, and where its parts are. */
#include "parsers/strace/strace_line.h"

#include <string.h>

static struct mlv_str trim_end(struct mlv_str s)
{
	while (s.n && (s.p[s.n - 1] == ' ' || s.p[s.n - 1] == '\r'))
		s.n--;
	return s;
}

static bool name_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || mlv_is_digit(c) || c == '_';
}

/* Remove `end` where `s` has it. */
static bool cut_suffix(struct mlv_str *s, struct mlv_str end)
{
	if (!mlv_str_has_suffix(*s, end))
		return false;
	s->n -= end.n;
	*s = trim_end(*s);
	return true;
}

static bool cut_prefix(struct mlv_str *s, struct mlv_str start)
{
	if (!mlv_str_has_prefix(*s, start))
		return false;
	*s = mlv_str_from(*s, start.n);
	return true;
}

static bool leading_number(struct mlv_str s, int64_t *n, size_t *used)
{
	uint64_t v;
	bool negative;
	if (!mlv_strace_number(s, used, &v, &negative) || negative || v > UINT32_MAX)
		return false;
	*n = (int64_t)v;
	return true;
}

/* Spaces, "=", a space and a result, as they stand behind the arguments. */
static bool equals(struct mlv_str s, struct mlv_strace_result *r)
{
	size_t i = 0;
	while (i < s.n && s.p[i] == ' ')
		i++;
	return i + 2 < s.n && s.p[i] == '=' && s.p[i + 1] == ' ' &&
	       mlv_strace_result(mlv_str_from(s, i + 2), r);
}

/*
 * The last ")" that a whole result follows: for lines into which a program
 * wrote, so that their quotes do not pair. s.n if there is none.
 */
static size_t last_result(struct mlv_str s, struct mlv_strace_result *r)
{
	unsigned tries = 0;
	for (size_t i = s.n; i-- > 2 && tries < 4;) {
		if (s.p[i] != '=' || s.p[i - 1] != ' ')
			continue;
		size_t k = i - 1;
		while (k && s.p[k] == ' ')
			k--;
		if (s.p[k] != ')')
			continue;
		tries++;
		if (equals(mlv_str_from(s, k + 1), r) && !r->rest)
			return k;
	}
	*r = (struct mlv_strace_result){ .duration_ns = -1 };
	return s.n;
}

static const struct mlv_str unfinished = MLV_STR_INIT("<unfinished ...>");

/* "<pid changed to 24517 ...>": with -ff, execve by a thread returns in the file of its process. */
static bool cut_moved(struct mlv_str *s)
{
	static const struct mlv_str mark = MLV_STR_INIT("<pid changed to ");
	size_t least = s->n > 48 ? s->n - 48 : 0;
	if (s->n < mark.n || !mlv_str_has_suffix(*s, MLV_STR(" ...>")))
		return false;
	for (size_t i = s->n - mark.n + 1; i-- > least;) {
		if (memcmp(s->p + i, mark.p, mark.n) != 0)
			continue;
		*s = trim_end((struct mlv_str){ s->p, i });
		return true;
	}
	return false;
}

/* What follows "name(" or "<... name resumed>": arguments, and a result unless it is elsewhere. */
static enum mlv_strace_kind arguments(struct mlv_str s, bool resumed, struct mlv_strace_line *l)
{
	bool in_string = false;
	s = trim_end(s);
	size_t end = mlv_strace_scan(s, 0, ')', &in_string);
	bool closed = end < s.n && s.p[end] == ')';
	if (!closed || !equals(mlv_str_from(s, end + 1), &l->result)) {
		l->args = s;
		if (cut_suffix(&l->args, unfinished)) {
			l->still_unfinished = resumed;
			return resumed ? MLV_STRACE_RESUMED : MLV_STRACE_UNFINISHED;
		}
		if (cut_suffix(&l->args, MLV_STR("<detached ...>")) || cut_moved(&l->args))
			return MLV_STRACE_UNFINISHED;
		end = last_result(s, &l->result);
		if (end >= s.n)
			return MLV_STRACE_OPEN;
	}
	l->args = trim_end((struct mlv_str){ s.p, end });
	l->never_returned = cut_suffix(&l->args, unfinished);
	return resumed ? MLV_STRACE_RESUMED : MLV_STRACE_CALL;
}

static bool call(struct mlv_str s, struct mlv_strace_line *l)
{
	size_t n = 0;
	while (n < s.n && n < 64 && name_char(s.p[n]))
		n++;
	/* A call that the kernel did not tell. */
	if (n == 0 && mlv_str_has_prefix(s, MLV_STR("?\?\?(")))
		n = 3;
	if (n == 0 || n >= s.n || s.p[n] != '(' || mlv_is_digit(s.p[0]))
		return false;
	l->name = (struct mlv_str){ s.p, n };
	l->kind = arguments(mlv_str_from(s, n + 1), false, l);
	return true;
}

/* "<... read resumed>"; before version 5.0 a blank followed. */
static bool resumed(struct mlv_str s, struct mlv_strace_line *l)
{
	size_t n = 0;
	if (!cut_prefix(&s, MLV_STR("<... ")))
		return false;
	while (n < s.n && n < 64 && (name_char(s.p[n]) || s.p[n] == '?'))
		n++;
	l->name = (struct mlv_str){ s.p, n };
	s = mlv_str_from(s, n);
	if (!n || !cut_prefix(&s, MLV_STR(" resumed>")))
		return false;
	l->kind = arguments(s, true, l);
	/* Cut before its result: what it has is the second half all the same. */
	if (l->kind == MLV_STRACE_OPEN) {
		l->kind = MLV_STRACE_RESUMED;
		l->still_unfinished = true;
	}
	return true;
}

/* "--- SIGSEGV {si_signo=SIGSEGV, …} ---", "--- stopped by SIGSTOP ---" */
static bool signal_line(struct mlv_str s, struct mlv_strace_line *l)
{
	if (!cut_prefix(&s, MLV_STR("--- ")))
		return false;
	cut_suffix(&s, MLV_STR("---"));
	struct mlv_str name = s;
	cut_prefix(&name, MLV_STR("stopped by "));
	if (!mlv_str_has_prefix(name, MLV_STR("SIG")))
		return false;
	size_t n = 0;
	while (n < name.n && name_char(name.p[n]))
		n++;
	l->name = (struct mlv_str){ name.p, n };
	l->text = s;
	l->kind = MLV_STRACE_SIGNAL;
	return true;
}

/* "+++ exited with 0 +++", "+++ killed by SIGSEGV (core dumped) +++" */
static bool end_line(struct mlv_str s, struct mlv_strace_line *l)
{
	size_t n = 0;
	if (!cut_prefix(&s, MLV_STR("+++ ")) || !cut_suffix(&s, MLV_STR("+++")))
		return false;
	l->text = s;
	if (cut_prefix(&s, MLV_STR("exited with "))) {
		l->kind = MLV_STRACE_EXITED;
		return leading_number(s, &l->number, &n);
	}
	if (cut_prefix(&s, MLV_STR("superseded by execve in pid "))) {
		l->kind = MLV_STRACE_SUPERSEDED;
		return leading_number(s, &l->number, &n);
	}
	if (!cut_prefix(&s, MLV_STR("killed by ")))
		return false;
	while (n < s.n && name_char(s.p[n]))
		n++;
	l->name = (struct mlv_str){ s.p, n };
	l->kind = MLV_STRACE_KILLED;
	return n > 0;
}

/* "strace: Process 13340 attached", and without "strace: " before 4.9. */
static bool message(struct mlv_str s, struct mlv_strace_line *l)
{
	static const struct mlv_str states[] = { MLV_STR_INIT(" attached"),
						 MLV_STR_INIT(" detached"),
						 MLV_STR_INIT(" suspended"),
						 MLV_STR_INIT(" resumed") };
	size_t n;
	l->text = s;
	bool own = cut_prefix(&s, MLV_STR("strace: "));
	struct mlv_str rest = s;
	if (cut_prefix(&rest, MLV_STR("Process ")) && leading_number(rest, &l->number, &n)) {
		rest = mlv_str_from(rest, n);
		for (size_t i = 0; i < 4; i++) {
			if (!mlv_str_has_prefix(rest, states[i]))
				continue;
			l->kind = i ? MLV_STRACE_MESSAGE : MLV_STRACE_ATTACHED;
			return true;
		}
	}
	l->kind = MLV_STRACE_MESSAGE;
	return own || (mlv_str_has_prefix(s, MLV_STR("[ Process PID=")) &&
		       mlv_str_has_suffix(trim_end(s), MLV_STR(" mode. ]")));
}

void mlv_strace_parse(struct mlv_str s, struct mlv_strace_line *l)
{
	*l = (struct mlv_strace_line){ .leader = { .pid = -1 }, .result = { .duration_ns = -1 } };
	if (s.n > 3 && s.p[0] == ' ' && s.p[2] == ' ') {
		if (s.p[1] == '>')
			l->kind = MLV_STRACE_FRAME;
		else if (s.p[1] == '|')
			l->kind = MLV_STRACE_DUMP;
		l->text = mlv_str_from(s, 3);
		if (l->kind)
			return;
	}
	s = mlv_strace_leader(s, &l->leader);
	s = trim_end(s);
	if (call(s, l) || resumed(s, l) || signal_line(s, l) || end_line(s, l) || message(s, l))
		return;
	l->kind = MLV_STRACE_OTHER;
}

bool mlv_strace_tail(struct mlv_str s)
{
	struct mlv_strace_result r = { .duration_ns = -1 };
	s = trim_end(s);
	return mlv_str_has_suffix(s, unfinished) || last_result(s, &r) < s.n;
}
