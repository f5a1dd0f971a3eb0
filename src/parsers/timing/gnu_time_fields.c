/* SPDX-License-Identifier: MIT */
/* The fields of GNU time, and how their values are written. */
#include <string.h>

#include "parsers/timing/gnu_time.h"
#include "parsers/text/scan.h"

#define KB MLV_UNIT_KIB /* "kbytes" and %M are ru_maxrss of Linux: units of 1024 bytes */
#define NO MLV_UNIT_NONE

/* clang-format off */
const struct mlv_time_field mlv_time_fields[] = {
	{ 'U', "User time (seconds)", "User time", MLV_UNIT_S, MLV_TIME_SECONDS, true },
	{ 'S', "System time (seconds)", "System time", MLV_UNIT_S, MLV_TIME_SECONDS, true },
	{ 'P', "Percent of CPU this job got", "Percent of CPU this job got", MLV_UNIT_PERCENT, MLV_TIME_SHARE, true },
	{ 'E', "Elapsed (wall clock) time (h:mm:ss or m:ss)", "Elapsed (wall clock) time", MLV_UNIT_S, MLV_TIME_CLOCK, true },
	{ 'X', "Average shared text size (kbytes)", "Average shared text size", KB, MLV_TIME_COUNT, true },
	{ 'D', "Average unshared data size (kbytes)", "Average unshared data size", KB, MLV_TIME_COUNT, true },
	{ 'p', "Average stack size (kbytes)", "Average stack size", KB, MLV_TIME_COUNT, true },
	{ 'K', "Average total size (kbytes)", "Average total size", KB, MLV_TIME_COUNT, true },
	{ 'M', "Maximum resident set size (kbytes)", "Maximum resident set size", KB, MLV_TIME_COUNT, true },
	{ 't', "Average resident set size (kbytes)", "Average resident set size", KB, MLV_TIME_COUNT, true },
	{ 'F', "Major (requiring I/O) page faults", "Major (requiring I/O) page faults", NO, MLV_TIME_COUNT, true },
	{ 'R', "Minor (reclaiming a frame) page faults", "Minor (reclaiming a frame) page faults", NO, MLV_TIME_COUNT, true },
	{ 'w', "Voluntary context switches", "Voluntary context switches", NO, MLV_TIME_COUNT, false },
	{ 'c', "Involuntary context switches", "Involuntary context switches", NO, MLV_TIME_COUNT, false },
	{ 'W', "Swaps", "Swaps", NO, MLV_TIME_COUNT, false },
	{ 'I', "File system inputs", "File system inputs", NO, MLV_TIME_COUNT, false },
	{ 'O', "File system outputs", "File system outputs", NO, MLV_TIME_COUNT, false },
	{ 's', "Socket messages sent", "Socket messages sent", NO, MLV_TIME_COUNT, false },
	{ 'r', "Socket messages received", "Socket messages received", NO, MLV_TIME_COUNT, false },
	{ 'k', "Signals delivered", "Signals delivered", NO, MLV_TIME_COUNT, false },
	{ 'Z', "Page size (bytes)", "Page size", MLV_UNIT_BYTES, MLV_TIME_COUNT, false },
	{ 'x', "Exit status", "Exit status", NO, MLV_TIME_COUNT, false },
	{ 'e', NULL, "Elapsed (wall clock) time", MLV_UNIT_S, MLV_TIME_SECONDS, false },
};
/* clang-format on */

const unsigned mlv_time_field_count = sizeof(mlv_time_fields) / sizeof(mlv_time_fields[0]);

const struct mlv_time_field *mlv_time_label(struct mlv_str *s)
{
	/* Most lines of a log are none: their first letter tells. */
	if (!s->n || !memchr("USPEAMVIF", s->p[0], 9))
		return NULL;
	for (unsigned i = 0; i < mlv_time_field_count; i++) {
		struct mlv_str rest = *s;
		if (mlv_time_fields[i].label && mlv_scan(&rest, mlv_time_fields[i].label) &&
		    mlv_scan(&rest, ": ")) {
			*s = rest;
			return &mlv_time_fields[i];
		}
	}
	return NULL;
}

/* Digits, a point and two digits; no more of them, so that "0.000.00" is two values. */
static bool seconds(struct mlv_str *s, struct mlv_decimal *value)
{
	struct mlv_str rest = *s, part;
	int64_t whole;
	size_t i = 0;
	if (!mlv_scan_int(&rest, &whole) || !mlv_scan(&rest, "."))
		return false;
	while (i < rest.n && i < 2 && mlv_is_digit(rest.p[i]))
		i++;
	part = (struct mlv_str){ s->p, (size_t)(rest.p - s->p) + i };
	if (!i || !mlv_decimal_whole(part, MLV_UNIT_S, value))
		return false;
	mlv_scan_skip(s, part.n);
	return true;
}

/* Hours, minutes and seconds with `digits` decimals. */
static bool clock_value(int64_t h, int64_t m, int64_t sec, int64_t fraction, int digits,
			struct mlv_decimal *value)
{
	static const int64_t powers[] = { 1, 10, 100, 1000 };
	if (h > 100000000 || m > 100000000 || sec > 100000000)
		return false;
	*value = mlv_decimal_int(((h * 60 + m) * 60 + sec) * powers[digits] + fraction, MLV_UNIT_S);
	value->exponent = (int16_t)-digits;
	return true;
}

/* ".45"; true without one too. */
static bool fraction(struct mlv_str *s, int64_t *value, int *digits)
{
	*value = 0;
	*digits = 0;
	if (s->n < 2 || s->p[0] != '.' || !mlv_is_digit(s->p[1]))
		return true;
	mlv_scan_skip(s, 1);
	while (s->n && *digits < 2 && mlv_is_digit(s->p[0])) {
		*value = *value * 10 + (s->p[0] - '0');
		(*digits)++;
		mlv_scan_skip(s, 1);
	}
	return true;
}

/* BusyBox writes "0m 1.23s" and "1h 02m 03s". */
static bool busybox_clock(struct mlv_str *s, struct mlv_decimal *value)
{
	struct mlv_str rest = *s;
	int64_t h = 0, m, sec, part;
	int digits;
	if (!mlv_scan_int(&rest, &m))
		return false;
	if (mlv_scan(&rest, "h ")) {
		h = m;
		if (!mlv_scan_int(&rest, &m))
			return false;
	}
	if (!mlv_scan(&rest, "m ") || !mlv_scan_int(&rest, &sec) ||
	    !fraction(&rest, &part, &digits) || !mlv_scan(&rest, "s") ||
	    !clock_value(h, m, sec, part, digits, value))
		return false;
	*s = rest;
	return true;
}

static bool clock_time(struct mlv_str *s, struct mlv_decimal *value)
{
	struct mlv_str rest = *s;
	int64_t h = 0, m, sec, part;
	int digits;
	if (!mlv_scan_int(&rest, &m) || !mlv_scan(&rest, ":") || !mlv_scan_int(&rest, &sec))
		return busybox_clock(s, value);
	if (rest.n > 1 && rest.p[0] == ':' && mlv_is_digit(rest.p[1])) {
		h = m;
		m = sec;
		mlv_scan_skip(&rest, 1);
		if (!mlv_scan_int(&rest, &sec))
			return false;
	}
	if (!fraction(&rest, &part, &digits) || !clock_value(h, m, sec, part, digits, value))
		return false;
	*s = rest;
	return true;
}

static bool share(struct mlv_str *s, struct mlv_decimal *value)
{
	struct mlv_str rest = *s;
	if (mlv_scan(&rest, "?%")) {
		*value = (struct mlv_decimal){ .unit = MLV_UNIT_PERCENT,
					       .special = MLV_DECIMAL_NAN };
	} else {
		int64_t n;
		if (!mlv_scan_int(&rest, &n) || !mlv_scan(&rest, "%"))
			return false;
		*value = mlv_decimal_int(n, MLV_UNIT_PERCENT);
	}
	*s = rest;
	return true;
}

bool mlv_time_value(const struct mlv_time_field *f, struct mlv_str *s, struct mlv_decimal *value)
{
	int64_t n;
	switch (f->kind) {
	case MLV_TIME_SECONDS:
		return seconds(s, value);
	case MLV_TIME_CLOCK:
		return clock_time(s, value);
	case MLV_TIME_SHARE:
		return share(s, value);
	default:
		if (!mlv_scan_int(s, &n))
			return false;
		*value = mlv_decimal_int(n, f->unit);
		return true;
	}
}
