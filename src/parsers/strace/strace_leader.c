/* SPDX-License-Identifier: MIT */
/*
 * The leader of a line: [pid] [comm] [security context] [time] [relative time]
 * [number of the call] [instruction pointer], each of them only where an
 * option asked for it.
 *
 * A bare number may be a pid or a time. A pid has at most seven digits, a time
 * since 1970 ten and more, and a time since the line before stands right
 * aligned or behind a pid.
 */
#include "parsers/strace/strace_line.h"

#define NS_PER_S INT64_C(1000000000)

struct cursor {
	struct mlv_str s;
	size_t i;
};

static char at(const struct cursor *c, size_t k)
{
	return c->i + k < c->s.n ? c->s.p[c->i + k] : '\0';
}

static size_t digits(const struct cursor *c, size_t from)
{
	size_t n = 0;
	while (mlv_is_digit(at(c, from + n)))
		n++;
	return n;
}

static int64_t value(const struct cursor *c, size_t from, size_t n)
{
	int64_t v = 0;
	for (size_t k = 0; k < n; k++)
		v = v * 10 + (at(c, from + k) - '0');
	return v;
}

static size_t blanks(const struct cursor *c, size_t from)
{
	size_t n = 0;
	while (at(c, from + n) == ' ')
		n++;
	return n;
}

/* ".482796" as nanoseconds; its length. */
static size_t fraction(const struct cursor *c, size_t from, int64_t *ns)
{
	*ns = 0;
	if (at(c, from) != '.')
		return 0;
	size_t n = digits(c, from + 1);
	if (!n || n > 9)
		return 0;
	*ns = value(c, from + 1, n);
	for (size_t k = n; k < 9; k++)
		*ns *= 10;
	return n + 1;
}

/* The name behind a pid, "<python3>". */
static size_t comm(const struct cursor *c, size_t from, char end, struct mlv_str *name)
{
	if (at(c, from) != '<')
		return 0;
	/* The kernel keeps 15 bytes of it, which may be escaped here. */
	for (size_t k = 1; k < 80 && at(c, from + k); k++) {
		if (at(c, from + k) == '>' && at(c, from + k + 1) == end) {
			*name = (struct mlv_str){ c->s.p + c->i + from + 1, k - 1 };
			return k + 1;
		}
	}
	return 0;
}

/* "[pid 13413<python3>] " */
static bool pid_bracket(struct cursor *c, struct mlv_strace_leader *l)
{
	if (!(at(c, 0) == '[' && at(c, 1) == 'p' && at(c, 2) == 'i' && at(c, 3) == 'd' &&
	      at(c, 4) == ' '))
		return false;
	size_t k = 4 + blanks(c, 4), n = digits(c, k);
	if (!n || n > 9)
		return false;
	int64_t pid = value(c, k, n);
	k += n;
	k += comm(c, k, ']', &l->comm);
	if (at(c, k) != ']' || at(c, k + 1) != ' ')
		return false;
	l->pid = pid;
	c->i += k + 2;
	return true;
}

/* "18:26:52.482796 " */
static bool day_time(struct cursor *c, struct mlv_strace_leader *l)
{
	int64_t ns;
	if (digits(c, 0) != 2 || at(c, 2) != ':' || digits(c, 3) != 2 || at(c, 5) != ':' ||
	    digits(c, 6) != 2)
		return false;
	size_t k = 8 + fraction(c, 8, &ns);
	if (at(c, k) != ' ')
		return false;
	l->clock = MLV_STRACE_DAY;
	l->stamp_ns =
		(value(c, 0, 2) * 3600 + value(c, 3, 2) * 60 + value(c, 6, 2)) * NS_PER_S + ns;
	c->i += k + 1;
	return true;
}

/* A number that is a pid or a time; `aligned`: blanks stood before it. */
static bool number(struct cursor *c, struct mlv_strace_leader *l, bool aligned)
{
	int64_t ns;
	size_t n = digits(c, 0);
	if (!n || n > 18)
		return false;
	int64_t v = value(c, 0, n);
	size_t f = fraction(c, n, &ns), k = n + f;
	if (f || n >= 10 || (at(c, k) == ' ' && (aligned || l->pid >= 0))) {
		if (at(c, k) != ' ' || l->clock || v > INT64_MAX / NS_PER_S - 1)
			return false;
		l->clock = n >= 10 ? MLV_STRACE_UNIX : MLV_STRACE_RELATIVE;
		l->stamp_ns = v * NS_PER_S + ns;
		c->i += k + 1;
		return true;
	}
	if (l->pid >= 0 || l->clock || n > 9)
		return false;
	k += comm(c, k, ' ', &l->comm);
	if (at(c, k) != ' ')
		return false;
	l->pid = v;
	/* Padded to five digits: "7     execve". A time behind it may be right aligned. */
	c->i += k + 1;
	return true;
}

/* "(+     0.000273) " beside another time; without one it is the time. */
static bool beside(struct cursor *c, struct mlv_strace_leader *l)
{
	int64_t ns;
	if (at(c, 0) != '(' || at(c, 1) != '+')
		return false;
	size_t k = 2 + blanks(c, 2), n = digits(c, k);
	if (!n || n > 9)
		return false;
	int64_t v = value(c, k, n);
	k += n;
	k += fraction(c, k, &ns);
	if (at(c, k) != ')' || at(c, k + 1) != ' ')
		return false;
	if (!l->clock) {
		l->clock = MLV_STRACE_RELATIVE;
		l->stamp_ns = v * NS_PER_S + ns;
	}
	c->i += k + 2;
	return true;
}

static int hex(char ch)
{
	return mlv_is_digit(ch) ? ch - '0' : ch >= 'a' && ch <= 'f' ? ch - 'a' + 10 : -1;
}

/* "[ 257] ", "[00007fe824f16090] ", "[????????] ", "[unconfined_u:unconfined_r:…] " */
static bool bracket(struct cursor *c, struct mlv_strace_leader *l)
{
	if (at(c, 0) != '[')
		return false;
	size_t k = 1, hexes = 0;
	uint64_t ip = 0;
	for (; k < 256 && at(c, k) && at(c, k) != ']' && at(c, k) != '"'; k++) {
		int d = hex(at(c, k));
		hexes += d >= 0;
		ip = d >= 0 ? ip << 4 | (uint64_t)d : ip;
	}
	if (at(c, k) != ']' || at(c, k + 1) != ' ' || k == 1)
		return false;
	if (hexes == k - 1 && (hexes == 16 || hexes == 8)) {
		l->has_ip = true;
		l->ip = ip;
	}
	c->i += k + 2;
	return true;
}

struct mlv_str mlv_strace_leader(struct mlv_str s, struct mlv_strace_leader *l)
{
	struct cursor c = { .s = s };
	*l = (struct mlv_strace_leader){ .pid = -1 };
	if (s.n > 2 && s.p[0] == ' ' && (s.p[1] == '>' || s.p[1] == '|') && s.p[2] == ' ')
		return s;
	/* Each part comes once, so this ends soon. */
	for (unsigned parts = 0; parts < 8; parts++) {
		size_t before = c.i;
		c.i += blanks(&c, 0);
		bool found = parts == 0 && pid_bracket(&c, l);
		found = found || day_time(&c, l) || number(&c, l, c.i > before) || beside(&c, l) ||
			bracket(&c, l);
		if (!found) {
			/* Blanks that no number followed belong to the body. */
			if (before == 0)
				c.i = 0;
			break;
		}
	}
	return (struct mlv_str){ s.p + c.i, s.n - c.i };
}
