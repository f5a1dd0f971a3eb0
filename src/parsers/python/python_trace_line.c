/* SPDX-License-Identifier: MIT */
#include "parsers/python/python_trace_line.h"

#include <string.h>

#include "parsers/text/lines.h"
#include "parsers/text/scan.h"

static bool is_source(struct mlv_str s)
{
	return s.n > 3 && s.n < 300 && !memchr(s.p, ' ', s.n) &&
	       (mlv_str_has_suffix(s, MLV_STR(".py")) || mlv_str_has_suffix(s, MLV_STR(">")));
}

/* "tt.py(7):     for i in range(3):" */
static bool classic(struct mlv_str s, struct mlv_python_trace_line *l)
{
	int64_t n;
	if (!mlv_scan_to(&s, "(", &l->file) || !is_source(l->file) || !mlv_scan_int(&s, &n) ||
	    n > INT32_MAX || !mlv_scan(&s, "):") || (s.n && s.p[0] != ' '))
		return false;
	l->line = (uint32_t)n;
	l->code = mlv_str_trim(s);
	return true;
}

/* "Image.py:  2345:     code": the number is padded to six, which grep does not do. */
static bool nicer(struct mlv_str s, struct mlv_python_trace_line *l)
{
	int64_t n;
	if (!mlv_scan_to(&s, ":", &l->file) || !is_source(l->file))
		return false;
	size_t before = s.n;
	mlv_scan_blanks(&s);
	if (!mlv_scan_int(&s, &n) || n > INT32_MAX || before - s.n < 6 || !mlv_scan(&s, ": "))
		return false;
	l->line = (uint32_t)n;
	l->code = mlv_str_trim(s);
	return before - s.n > 6 || l->time >= 0;
}

/* "0.01 " in seconds, "0:00:01 " or "1 day, 0:00:01 " */
static void time_of(struct mlv_str *s, struct mlv_python_trace_line *l)
{
	struct mlv_str rest = *s;
	int64_t a, b, c, days = 0;
	if (mlv_scan_int(&rest, &days) && (mlv_scan(&rest, " day, ") || mlv_scan(&rest, " days, ")))
		*s = rest;
	else
		days = 0;
	rest = *s;
	if (!mlv_scan_int(&rest, &a) || a > 1000000000)
		return;
	size_t before = rest.n;
	if (mlv_scan(&rest, ".") && mlv_scan_int(&rest, &b) && before - rest.n == 3 &&
	    mlv_scan(&rest, " ")) {
		l->time = a * 100 + b;
		*s = rest;
	} else if (rest = mlv_str_from(*s, s->n - before),
		   mlv_scan(&rest, ":") && mlv_scan_int(&rest, &b) && b < 60 &&
			   mlv_scan(&rest, ":") && mlv_scan_int(&rest, &c) && c < 60 &&
			   mlv_scan(&rest, " ") && days < 100000) {
		l->time = (((days * 24 + a) * 60 + b) * 60 + c) * 100;
		*s = rest;
	}
}

/* " --- modulename: tt, funcname: main", "        torch.nn.functional:12 relu" */
static bool heading(struct mlv_str text, struct mlv_python_trace_line *l)
{
	struct mlv_str s = text, module, function, file;
	uint32_t line;
	if (mlv_scan(&s, " --- modulename: ")) {
		if (!mlv_scan_to(&s, ", funcname: ", &module) || !s.n)
			return false;
		l->function = mlv_str_trim(s);
		return true;
	}
	if (mlv_str_indent(s) != 8)
		return false;
	mlv_scan_blanks(&s);
	if (!mlv_scan_word(&s, &module) || !mlv_scan_place(module, &file, &line))
		return false;
	mlv_scan_blanks(&s);
	if (!mlv_scan_word(&s, &function) || s.n)
		return false;
	l->function = function;
	return true;
}

bool mlv_python_trace_line(struct mlv_str text, struct mlv_python_trace_line *l)
{
	struct mlv_str s = text, rest;
	*l = (struct mlv_python_trace_line){ .pid = -1, .time = -1 };
	l->heading = true;
	if (heading(s, l))
		return true;
	/* A process id may stand before either. */
	rest = s;
	int64_t pid;
	if (mlv_scan_int(&rest, &pid) && mlv_scan(&rest, " ")) {
		l->pid = pid;
		if (heading(rest, l))
			return true;
		l->pid = -1;
	}
	l->heading = false;
	time_of(&s, l);
	if (classic(s, l) || nicer(s, l))
		return true;
	s = rest;
	l->pid = pid;
	l->time = -1;
	if (s.n == text.n || !s.n)
		return false;
	time_of(&s, l);
	return nicer(s, l);
}
