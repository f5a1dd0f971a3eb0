/* SPDX-License-Identifier: MIT */
#include "base/num.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/str.h"

/* `n` / 2^shift with `decimals` digits, as a whole number of its last digit. Digit by digit,
 * since n * 10^decimals may not fit. */
static uint64_t scaled(uint64_t n, unsigned shift, unsigned decimals)
{
	uint64_t mask = (UINT64_C(1) << shift) - 1;
	uint64_t v = n >> shift, rest = n & mask;
	for (unsigned i = 0; i < decimals; i++) {
		rest *= 10;
		v = v * 10 + (rest >> shift);
		rest &= mask;
	}
	return v + (shift && rest >> (shift - 1));
}

static void put_bytes(char *buf, size_t size, const char *sign, uint64_t bytes)
{
	static const char *const units[] = { "KiB", "MiB", "GiB", "TiB", "PiB", "EiB" };
	if (bytes < 1024) {
		snprintf(buf, size, "%s%" PRIu64 " B", sign, bytes);
		return;
	}
	for (unsigned i = 0;; i++) {
		unsigned decimals = i < 2 ? 1 : 2;
		uint64_t one = decimals == 1 ? 10 : 100;
		uint64_t v = scaled(bytes, 10 * (i + 1), decimals);
		/* Also when only the rounding makes it 1024. */
		if (v >= 1024 * one && i < 5)
			continue;
		snprintf(buf, size, "%s%" PRIu64 ".%0*" PRIu64 " %s", sign, v / one, (int)decimals,
			 v % one, units[i]);
		return;
	}
}

static uint64_t magnitude(int64_t v)
{
	return v < 0 ? 0 - (uint64_t)v : (uint64_t)v;
}

char *mlv_fmt_bytes(char *buf, size_t size, uint64_t bytes)
{
	put_bytes(buf, size, "", bytes);
	return buf;
}

char *mlv_fmt_bytes_signed(char *buf, size_t size, int64_t bytes)
{
	put_bytes(buf, size, bytes > 0 ? "+" : bytes < 0 ? "-" : "", magnitude(bytes));
	return buf;
}

char *mlv_fmt_count(char *buf, size_t size, uint64_t n)
{
	char text[MLV_NUM_SIZE];
	char *p = text + sizeof(text);
	*--p = '\0';
	for (unsigned digits = 0; digits == 0 || n; digits++, n /= 10) {
		if (digits && digits % 3 == 0)
			*--p = ' ';
		*--p = (char)('0' + n % 10);
	}
	snprintf(buf, size, "%s", p);
	return buf;
}

char *mlv_fmt_count_of(char *buf, size_t size, uint64_t n, const char *one, const char *many)
{
	char count[MLV_NUM_SIZE];
	snprintf(buf, size, "%s %s", mlv_fmt_count(count, sizeof(count), n), n == 1 ? one : many);
	return buf;
}

static uint64_t rounded(uint64_t n, uint64_t unit)
{
	return n / unit + (n % unit >= unit - unit / 2);
}

/* Below a minute, in the largest unit that leaves a digit before the point. False if rounding
 * makes it a minute. */
static bool put_short(char *buf, size_t size, const char *sign, uint64_t ns)
{
	static const struct {
		const char *name;
		uint64_t unit;
	} units[] = { { "us", 1000 }, { "ms", 1000000 } };
	if (ns < 1000) {
		snprintf(buf, size, "%s%" PRIu64 " ns", sign, ns);
		return true;
	}
	for (unsigned i = 0; i < 2; i++) {
		uint64_t tenths = rounded(ns, units[i].unit / 10);
		uint64_t whole = rounded(ns, units[i].unit);
		if (whole >= 1000)
			continue;
		if (tenths < 100)
			snprintf(buf, size, "%s%" PRIu64 ".%" PRIu64 " %s", sign, tenths / 10,
				 tenths % 10, units[i].name);
		else
			snprintf(buf, size, "%s%" PRIu64 " %s", sign, whole, units[i].name);
		return true;
	}
	uint64_t hundredths = rounded(ns, 10000000);
	snprintf(buf, size, "%s%" PRIu64 ".%02" PRIu64 " s", sign, hundredths / 100,
		 hundredths % 100);
	return hundredths < 6000;
}

char *mlv_fmt_duration(char *buf, size_t size, int64_t ns)
{
	const uint64_t second = 1000000000, minute = 60 * second;
	const char *sign = ns < 0 ? "-" : "";
	uint64_t n = magnitude(ns);
	if (n < minute && put_short(buf, size, sign, n))
		return buf;
	/* Two units: seconds below an hour, minutes below a day, then hours. */
	uint64_t v = rounded(n, second);
	const char *big = "min", *small = "s";
	uint64_t each = 60;
	if (v >= 3600) {
		v = rounded(n, minute);
		big = "h", small = "min";
		if (v >= 1440) {
			v = rounded(n, 60 * minute);
			big = "d", small = "h";
			each = 24;
		}
	}
	snprintf(buf, size, "%s%" PRIu64 " %s %02" PRIu64 " %s", sign, v / each, big, v % each,
		 small);
	return buf;
}

/* A decimal number: its whole part, and `frac` of `pow`. */
struct decimal {
	uint64_t whole, frac, pow;
};

static bool read_decimal(const char **s, struct decimal *d)
{
	const char *p = *s;
	*d = (struct decimal){ 0, 0, 1 };
	if (!mlv_is_digit(*p))
		return false;
	for (; mlv_is_digit(*p); p++) {
		uint64_t digit = (uint64_t)(*p - '0');
		if (d->whole > (UINT64_MAX - digit) / 10)
			return false;
		d->whole = d->whole * 10 + digit;
	}
	if (*p == '.' && mlv_is_digit(p[1])) {
		for (p++; mlv_is_digit(*p); p++) {
			if (d->pow < 1000000000) {
				d->pow *= 10;
				d->frac = d->frac * 10 + (uint64_t)(*p - '0');
			}
		}
	}
	*s = p;
	return true;
}

/* d * unit (at most 2^60), rounded; false if it does not fit. */
static bool times(struct decimal d, uint64_t unit, uint64_t *out)
{
	if (d.whole > UINT64_MAX / unit)
		return false;
	/* frac * unit in two halves of the unit: frac and pow are below 2^30. */
	uint64_t high = d.frac * (unit >> 30);
	uint64_t low = d.frac * (unit & 0x3fffffff);
	uint64_t part = (high / d.pow << 30) + rounded((high % d.pow << 30) + low, d.pow);
	if (part > UINT64_MAX - d.whole * unit)
		return false;
	*out = d.whole * unit + part;
	return true;
}

static bool byte_unit(const char *s, uint64_t *unit)
{
	static const char letters[] = "kmgtpe";
	*unit = 1;
	if (!*s || strcasecmp(s, "b") == 0)
		return true;
	const char *letter = strchr(letters, *s | 0x20);
	if (!letter)
		return false;
	bool decimal = strcasecmp(s + 1, "b") == 0;
	if (!decimal && s[1] && strcasecmp(s + 1, "ib") != 0)
		return false;
	for (const char *p = letters; p <= letter; p++)
		*unit *= decimal ? 1000 : 1024;
	return true;
}

bool mlv_parse_bytes(const char *s, uint64_t *bytes)
{
	struct decimal d;
	uint64_t unit;
	if (!read_decimal(&s, &d))
		return false;
	while (*s == ' ')
		s++;
	return byte_unit(s, &unit) && times(d, unit, bytes);
}

static bool time_unit(const char **s, uint64_t *unit)
{
	static const struct {
		const char *name;
		uint64_t ns;
	} units[] = {
		{ "ns", 1 },
		{ "us", 1000 },
		{ "ms", 1000000 },
		{ "min", UINT64_C(60000000000) },
		{ "m", UINT64_C(60000000000) },
		{ "s", UINT64_C(1000000000) },
		{ "h", UINT64_C(3600000000000) },
		{ "d", UINT64_C(86400000000000) },
	};
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		size_t n = strlen(units[i].name);
		char after = strncasecmp(*s, units[i].name, n) == 0 ? (*s)[n] : 'x';
		if (after && after != ' ' && !mlv_is_digit(after))
			continue;
		*s += n;
		*unit = units[i].ns;
		return true;
	}
	return false;
}

static void skip_spaces(const char **s)
{
	while (**s == ' ')
		++*s;
}

bool mlv_parse_duration(const char *s, int64_t *ns)
{
	bool negative = *s == '-';
	s += negative;
	uint64_t total = 0, last = UINT64_MAX;
	do {
		struct decimal d;
		uint64_t unit, part;
		if (!read_decimal(&s, &d))
			return false;
		skip_spaces(&s);
		/* Units only get smaller: "5s 2h" is a mistake. */
		if (!time_unit(&s, &unit) || unit >= last || !times(d, unit, &part) ||
		    part > INT64_MAX - total)
			return false;
		total += part;
		last = unit;
		skip_spaces(&s);
	} while (*s);
	*ns = negative ? -(int64_t)total : (int64_t)total;
	return true;
}
