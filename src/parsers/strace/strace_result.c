/* SPDX-License-Identifier: MIT */
/*
 * What stands behind "=":
 *   3</etc/passwd> | 0x7f0512 | 002 | -1 ENOENT (No such file or directory)
 *   ? | ? ERESTARTSYS (To be restarted if SA_RESTART is set) | ? <unavailable>
 * each with "(detail)", "(INJECTED)", "(DELAYED)" and "<0.000012>" behind it.
 */
#include "parsers/strace/strace_line.h"

static bool is_upper(char c)
{
	return (c >= 'A' && c <= 'Z') || mlv_is_digit(c) || c == '_';
}

static struct mlv_str slice(struct mlv_str s, size_t from, size_t to)
{
	return (struct mlv_str){ s.p + from, to - from };
}

/* "<0.000012>", with none, 3, 6 or 9 digits behind the point. */
static bool duration(struct mlv_str s, size_t *i, int64_t *ns)
{
	size_t k = *i + 1, digits = 0, places = 0;
	int64_t v = 0;
	bool point = false;
	for (; k < s.n && s.p[k] != '>'; k++) {
		if (s.p[k] == '.' && !point) {
			point = true;
			continue;
		}
		if (s.p[k] < '0' || s.p[k] > '9' || ++digits > 18)
			return false;
		v = v * 10 + (s.p[k] - '0');
		places += point;
	}
	if (k >= s.n || !digits || places > 9)
		return false;
	for (; places < 9; places++) {
		if (__builtin_mul_overflow(v, 10, &v))
			return false;
	}
	*ns = v;
	*i = k + 1;
	return true;
}

/* "(…)": detail of the result, words on the error, or that strace changed something. */
static bool parenthesis(struct mlv_str s, size_t *i, struct mlv_strace_result *r)
{
	size_t end = mlv_strace_scan(s, *i + 1, ')', NULL);
	if (end >= s.n || s.p[end] != ')')
		return false;
	struct mlv_str inside = slice(s, *i + 1, end);
	if (mlv_str_has_prefix(inside, MLV_STR("INJECTED")) ||
	    mlv_str_has_prefix(inside, MLV_STR("DELAYED"))) {
		const char *first = r->tampering.n ? r->tampering.p : s.p + *i;
		r->tampering = (struct mlv_str){ first, (size_t)(s.p + end + 1 - first) };
	} else if (r->error.n && !r->error_text.n) {
		r->error_text = inside;
	} else if (r->is_number && r->number == -1 && !r->error.n &&
		   mlv_str_has_prefix(inside, MLV_STR("errno "))) {
		r->error = inside;
	} else if (!r->detail.n) {
		r->detail = inside;
	}
	*i = end + 1;
	return true;
}

/* "ENOENT", "ERESTARTSYS" */
static bool error_name(struct mlv_str s, size_t *i, struct mlv_strace_result *r)
{
	size_t k = *i;
	while (k < s.n && is_upper(s.p[k]))
		k++;
	if (k < *i + 2 || s.p[*i] != 'E' || r->error.n || (k < s.n && s.p[k] != ' '))
		return false;
	r->error = slice(s, *i, k);
	*i = k;
	return true;
}

static bool comment(struct mlv_str s, size_t *i, struct mlv_strace_result *r)
{
	size_t k = *i + 2;
	while (k + 1 < s.n && !(s.p[k] == '*' && s.p[k + 1] == '/'))
		k++;
	if (k + 1 >= s.n)
		return false;
	/* "5", and "1234 in strace's PID NS" in a comment: the number by which the other lines know
	 * the process. */
	struct mlv_str inside = mlv_str_has_prefix(slice(s, *i, s.n), MLV_STR("/* "))
					? slice(s, *i + 3, k)
					: slice(s, *i + 2, k);
	uint64_t pid;
	if (mlv_str_contains(inside, MLV_STR("in strace's PID NS")) &&
	    mlv_strace_arg_address(inside, &pid) && pid <= INT32_MAX)
		r->number = (int64_t)pid;
	*i = k + 2;
	return true;
}

/* One thing behind the number. */
static bool part(struct mlv_str s, size_t *i, struct mlv_strace_result *r)
{
	switch (s.p[*i]) {
	case '(':
		return parenthesis(s, i, r);
	case '<':
		if (mlv_str_has_prefix(slice(s, *i, s.n), MLV_STR("<unavailable>"))) {
			*i += 13;
			return true;
		}
		return duration(s, i, &r->duration_ns);
	case '/':
		return *i + 1 < s.n && s.p[*i + 1] == '*' && comment(s, i, r);
	default:
		return error_name(s, i, r);
	}
}

bool mlv_strace_result(struct mlv_str s, struct mlv_strace_result *r)
{
	size_t i = 0;
	uint64_t v;
	bool negative;
	*r = (struct mlv_strace_result){ .duration_ns = -1 };
	while (i < s.n && s.p[i] == ' ')
		i++;
	s = slice(s, i, s.n);
	if (s.n && s.p[0] == '?') {
		i = 1;
	} else {
		if (!mlv_strace_number(s, &i, &v, &negative))
			return false;
		r->is_number = v <= INT64_MAX;
		r->number = r->is_number ? (negative ? -(int64_t)v : (int64_t)v) : 0;
	}
	r->text = slice(s, 0, i);
	if (i < s.n && s.p[i] == '<' && r->is_number) {
		r->decoration = mlv_strace_decoration(s);
		i += r->decoration.n ? r->decoration.n + 2 : 0;
	}
	if (i < s.n && s.p[i] == '(' && mlv_str_has_prefix(slice(s, i, s.n), MLV_STR("(deleted)")))
		i += 9;
	if (i < s.n && s.p[i] != ' ')
		return false;
	for (;;) {
		while (i < s.n && (s.p[i] == ' ' || s.p[i] == '\r'))
			i++;
		if (i >= s.n)
			return true;
		if (!part(s, &i, r)) {
			r->rest = true;
			return true;
		}
	}
}
