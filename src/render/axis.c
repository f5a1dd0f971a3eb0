/* SPDX-License-Identifier: MIT */
#include "render/axis.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

uint64_t mlv_axis_bytes_step(uint64_t span, unsigned most)
{
	uint64_t step = 1;
	while (step < UINT64_C(1) << 62 && span / step > most)
		step *= 2;
	return step;
}

uint64_t mlv_axis_count_step(uint64_t span, unsigned most)
{
	static const unsigned factors[] = { 1, 2, 5 };
	for (uint64_t power = 1;; power *= 10) {
		for (unsigned i = 0; i < 3; i++) {
			if (span / (power * factors[i]) <= most || power > UINT64_MAX / 100)
				return power * factors[i];
		}
	}
}

int64_t mlv_axis_time_step(int64_t span_ns, unsigned most)
{
	static const int64_t s = 1000000000;
	static const int64_t clock[] = { 15 * s,       30 * s,       60 * s,       120 * s,
					 300 * s,      600 * s,      900 * s,      1800 * s,
					 3600 * s,     2 * 3600 * s, 6 * 3600 * s, 12 * 3600 * s,
					 24 * 3600 * s };
	int64_t decimal = (int64_t)mlv_axis_count_step((uint64_t)span_ns, most);
	if (decimal <= 10 * s)
		return decimal;
	for (size_t i = 0; i < sizeof(clock) / sizeof(clock[0]); i++) {
		if (span_ns / clock[i] <= (int64_t)most)
			return clock[i];
	}
	int64_t days = 24 * 3600 * s;
	return (int64_t)mlv_axis_count_step((uint64_t)(span_ns / days), most) * days;
}

/* "1.500" becomes "1.5", "2.000" becomes "2". */
static void trim(char *digits)
{
	size_t n = strlen(digits);
	if (!strchr(digits, '.'))
		return;
	while (digits[n - 1] == '0')
		n--;
	if (digits[n - 1] == '.')
		n--;
	digits[n] = '\0';
}

void mlv_axis_bytes_label(uint64_t bytes, char *buf, size_t size)
{
	static const char *const units[] = { "B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB" };
	unsigned u = 0;
	if (!bytes) {
		snprintf(buf, size, "0");
		return;
	}
	while (u < 6 && bytes >> (10 * (u + 1)))
		u++;
	/* Multiples of a power of two: three binary digits behind the point say them exactly. */
	uint64_t whole = bytes >> (10 * u);
	uint64_t rest = u ? (bytes & ((UINT64_C(1) << (10 * u)) - 1)) >> (10 * u - 10) : 0;
	char digits[40];
	snprintf(digits, sizeof(digits), "%" PRIu64 ".%03" PRIu64, whole, rest * 1000 / 1024);
	trim(digits);
	snprintf(buf, size, "%s %s", digits, units[u]);
}

static void decimal_label(int64_t ns, int64_t unit, int digits, const char *name, char *buf,
			  size_t size)
{
	char text[40];
	snprintf(text, sizeof(text), "%.*f", digits, (double)ns / (double)unit);
	trim(text);
	snprintf(buf, size, "%s %s", text, name);
}

void mlv_axis_time_label(int64_t ns, int64_t step, char *buf, size_t size)
{
	static const int64_t s = 1000000000;
	if (ns == 0) {
		snprintf(buf, size, "0");
	} else if (step >= 15 * s) {
		int64_t t = ns / s;
		if (step >= 3600 * s)
			snprintf(buf, size, "%" PRId64 " h", t / 3600);
		else if (step >= 60 * s && t < 3600)
			snprintf(buf, size, "%" PRId64 " min", t / 60);
		else
			snprintf(buf, size, "%" PRId64 ":%02" PRId64 "%s",
				 t < 3600 ? t / 60 : t / 3600, t < 3600 ? t % 60 : t / 60 % 60,
				 t < 3600 ? " min" : " h");
	} else if (step >= s / 100) {
		decimal_label(ns, s, 3, "s", buf, size);
	} else if (step >= 10000) {
		decimal_label(ns, 1000000, 3, "ms", buf, size);
	} else {
		decimal_label(ns, 1000, 3, "us", buf, size);
	}
}
