/* SPDX-License-Identifier: MIT */
#include "model/decimal.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum {
	MOST_POWER = 9999, /* of ten */
	MOST_ZEROS = 8,    /* behind the point, before a number is written with its power */
};

static const struct {
	const char *name;
	enum mlv_quantity quantity;
	double factor; /* to bytes, seconds or operations */
} units[MLV_UNITS] = {
	[MLV_UNIT_NONE] = { "", MLV_NUMBER, 1 },
	[MLV_UNIT_PERCENT] = { "%", MLV_SHARE, 1 },
	[MLV_UNIT_BYTES] = { "B", MLV_BYTE_COUNT, 1 },
	[MLV_UNIT_KIB] = { "KiB", MLV_BYTE_COUNT, 1024.0 },
	[MLV_UNIT_MIB] = { "MiB", MLV_BYTE_COUNT, 1048576.0 },
	[MLV_UNIT_GIB] = { "GiB", MLV_BYTE_COUNT, 1073741824.0 },
	[MLV_UNIT_TIB] = { "TiB", MLV_BYTE_COUNT, 1099511627776.0 },
	[MLV_UNIT_PIB] = { "PiB", MLV_BYTE_COUNT, 1125899906842624.0 },
	[MLV_UNIT_KB] = { "kB", MLV_BYTE_COUNT, 1e3 },
	[MLV_UNIT_MB] = { "MB", MLV_BYTE_COUNT, 1e6 },
	[MLV_UNIT_GB] = { "GB", MLV_BYTE_COUNT, 1e9 },
	[MLV_UNIT_TB] = { "TB", MLV_BYTE_COUNT, 1e12 },
	[MLV_UNIT_NS] = { "ns", MLV_DURATION, 1e-9 },
	[MLV_UNIT_US] = { "us", MLV_DURATION, 1e-6 },
	[MLV_UNIT_MS] = { "ms", MLV_DURATION, 1e-3 },
	[MLV_UNIT_S] = { "s", MLV_DURATION, 1 },
	[MLV_UNIT_FLOP] = { "FLOP", MLV_OPERATIONS, 1 },
};

enum mlv_quantity mlv_unit_quantity(enum mlv_unit unit)
{
	return units[unit].quantity;
}

const char *mlv_unit_name(enum mlv_unit unit)
{
	return units[unit].name;
}

static size_t word(struct mlv_str s, size_t i, const char *text)
{
	size_t n = strlen(text);
	return s.n - i >= n && strncasecmp(s.p + i, text, n) == 0 ? n : 0;
}

static bool special(struct mlv_str s, size_t sign, size_t *used, struct mlv_decimal *d)
{
	size_t n = word(s, sign, "infinity");
	if (!n)
		n = word(s, sign, "inf");
	if (n)
		d->special = s.p[0] == '-' ? MLV_DECIMAL_NEG_INF : MLV_DECIMAL_INF;
	else if ((n = word(s, sign, "nan")))
		d->special = MLV_DECIMAL_NAN;
	*used = sign + n;
	return n > 0;
}

/* "e-30" at `i`; 0 if there is no exponent. */
static size_t exponent(struct mlv_str s, size_t i, int *value)
{
	size_t at = i + 1;
	bool negative = false;
	int n = 0;
	if (i >= s.n || (s.p[i] | 0x20) != 'e')
		return 0;
	if (at < s.n && (s.p[at] == '-' || s.p[at] == '+'))
		negative = s.p[at++] == '-';
	size_t digits = at;
	for (; at < s.n && s.p[at] >= '0' && s.p[at] <= '9'; at++)
		n = n < 10000 ? n * 10 + (s.p[at] - '0') : n;
	if (at == digits)
		return 0;
	*value = negative ? -n : n;
	return at - i;
}

/* Beyond it a number is 0 or infinite as a double; an exponent has 16 bits. */
static int clamped(int power)
{
	return power > MOST_POWER ? MOST_POWER : power < -MOST_POWER ? -MOST_POWER : power;
}

bool mlv_decimal_parse(struct mlv_str s, size_t *used, struct mlv_decimal *d)
{
	struct mlv_decimal r = { 0 };
	size_t i = s.n && (s.p[0] == '-' || s.p[0] == '+');
	if (special(s, i, used, &r)) {
		*d = r;
		return true;
	}
	int scale = 0, written = 0;
	unsigned digits = 0;
	bool point = false;
	size_t start = i;
	for (; i < s.n; i++) {
		if (s.p[i] == '.' && !point) {
			point = true;
			continue;
		}
		if (s.p[i] < '0' || s.p[i] > '9')
			break;
		digits++;
		/* 19 digits hold a time of day in nanoseconds since 1970. */
		if (r.mantissa <= (INT64_MAX - 9) / 10) {
			r.mantissa = r.mantissa * 10 + (s.p[i] - '0');
			scale -= point;
		} else {
			scale += !point; /* more digits than fit */
		}
	}
	if (!digits)
		return false;
	/* "1." at the end of a sentence is the number 1. */
	if (point && s.p[i - 1] == '.' && i - 1 > start)
		i--;
	i += exponent(s, i, &written);
	if (s.p[0] == '-')
		r.mantissa = -r.mantissa;
	r.exponent = (int16_t)clamped(scale + written);
	*used = i;
	*d = r;
	return true;
}

bool mlv_decimal_whole(struct mlv_str s, enum mlv_unit unit, struct mlv_decimal *d)
{
	size_t used;
	struct mlv_decimal r;
	if (!mlv_decimal_parse(s, &used, &r) || used != s.n)
		return false;
	r.unit = (uint8_t)unit;
	*d = r;
	return true;
}

static void digits_text(struct mlv_decimal d, char *buf, size_t size)
{
	uint64_t m = d.mantissa < 0 ? 0 - (uint64_t)d.mantissa : (uint64_t)d.mantissa;
	const char *sign = d.mantissa < 0 ? "-" : "";
	char all[24];
	int n = snprintf(all, sizeof(all), "%" PRIu64, m);
	int behind = -d.exponent;
	if (d.exponent == 0) {
		snprintf(buf, size, "%s%s", sign, all);
	} else if (behind > 0 && behind <= n + MOST_ZEROS) {
		int before = n - behind;
		if (before > 0)
			snprintf(buf, size, "%s%.*s.%s", sign, before, all, all + before);
		else
			snprintf(buf, size, "%s0.%0*d%s", sign, -before, 0, all);
		if (before == 0)
			snprintf(buf, size, "%s0.%s", sign, all);
	} else {
		snprintf(buf, size, "%s%c%s%se%d", sign, all[0], n > 1 ? "." : "", all + 1,
			 d.exponent + n - 1);
	}
}

char *mlv_decimal_text(struct mlv_decimal d, char *buf, size_t size)
{
	static const char *const specials[] = { "", "nan", "inf", "-inf" };
	char digits[64];
	if (d.special)
		snprintf(digits, sizeof(digits), "%s", specials[d.special]);
	else
		digits_text(d, digits, sizeof(digits));
	snprintf(buf, size, "%s%s%s", digits, d.unit ? " " : "", units[d.unit].name);
	return buf;
}

double mlv_decimal_value(struct mlv_decimal d)
{
	if (d.special)
		return d.special == MLV_DECIMAL_NAN   ? (double)NAN
		       : d.special == MLV_DECIMAL_INF ? (double)INFINITY
						      : (double)-INFINITY;
	double v = (double)d.mantissa;
	/* Dividing by an exact power is closer than multiplying by an inexact one. */
	v = d.exponent < 0 ? v / pow(10, -d.exponent) : v * pow(10, d.exponent);
	return v * units[d.unit].factor;
}

static bool whole(double v, int64_t *n)
{
	if (!(fabs(v) < 9.2e18))
		return false;
	*n = (int64_t)llround(v);
	return true;
}

bool mlv_decimal_bytes(struct mlv_decimal d, int64_t *bytes)
{
	if (units[d.unit].quantity != MLV_BYTE_COUNT)
		return false;
	if (d.exponent == 0 && d.unit == MLV_UNIT_BYTES && !d.special) {
		*bytes = d.mantissa;
		return true;
	}
	return whole(mlv_decimal_value(d), bytes);
}

bool mlv_decimal_ns(struct mlv_decimal d, int64_t *ns)
{
	if (units[d.unit].quantity != MLV_DURATION || d.special)
		return false;
	/* Exactly, as long as it can be: a time stamp has more digits than a double. */
	static const int powers[] = {
		[MLV_UNIT_NS] = 0, [MLV_UNIT_US] = 3, [MLV_UNIT_MS] = 6, [MLV_UNIT_S] = 9
	};
	int power = powers[d.unit] + d.exponent;
	int64_t n = d.mantissa;
	for (; power > 0; power--) {
		if (__builtin_mul_overflow(n, 10, &n))
			return false;
	}
	for (; power < 0 && n; power++)
		n = power == -1 ? (n + (n < 0 ? -5 : 5)) / 10 : n / 10;
	*ns = n;
	return true;
}
