/* SPDX-License-Identifier: MIT */
/* Numbers keep the digits that they were written with. */
#include <math.h>
#include <string.h>

#include "model/decimal.h"
#include "unit.h"

static struct mlv_decimal decimal(const char *text, enum mlv_unit unit)
{
	struct mlv_decimal d = { 0 };
	unit_check(mlv_decimal_whole(mlv_str_of(text), unit, &d));
	return d;
}

static void ck_text(const char *written, const char *want)
{
	char buf[64];
	ck_assert_str_eq(mlv_decimal_text(decimal(written, MLV_UNIT_NONE), buf, sizeof(buf)), want);
}

START_TEST(digits_are_kept)
{
	static const char *const plain[] = {
		"0",
		"7",
		"-7",
		"14.04",
		"14.40",
		"0.5",
		"-0.05",
		"0.000",
		"33.4248046875",
		"0.00000001",
		"1234567890.123456789",
		"nan",
		"inf",
		"-inf",
	};
	for (size_t i = 0; i < sizeof(plain) / sizeof(plain[0]); i++)
		ck_text(plain[i], plain[i]);
	ck_text("+3", "3");
}
END_TEST

START_TEST(powers_of_ten)
{
	ck_text("1e-30", "1e-30");
	ck_text("1.5E+12", "1.5e12");
	ck_text("3.4028234663852886e38", "3.4028234663852886e38");
	ck_text("1.5e-3", "0.0015");
	ck_assert_double_eq(mlv_decimal_value(decimal("1.5E+12", MLV_UNIT_NONE)), 1.5e12);
}
END_TEST

START_TEST(powers_beyond_all_bounds)
{
	struct mlv_decimal d = decimal("1e99999999", MLV_UNIT_NONE);
	unit_check(d.exponent == 9999 && isinf(mlv_decimal_value(d)));
	d = decimal("-1e-99999999", MLV_UNIT_NONE);
	unit_check(d.exponent == -9999 && fpclassify(mlv_decimal_value(d)) == FP_ZERO);
	/* As many digits as an exponent of 16 bits cannot count. */
	static char digits[70000];
	memset(digits, '9', sizeof(digits) - 1);
	d = decimal(digits, MLV_UNIT_NONE);
	unit_check(d.exponent == 9999 && isinf(mlv_decimal_value(d)));
	digits[0] = '.';
	d = decimal(digits, MLV_UNIT_NONE);
	unit_check(mlv_decimal_value(d) > 0.99);
}
END_TEST

START_TEST(units)
{
	int64_t n;
	unit_check(mlv_decimal_bytes(decimal("1.5", MLV_UNIT_KIB), &n) && n == 1536);
	unit_check(mlv_decimal_bytes(decimal("1.5", MLV_UNIT_KB), &n) && n == 1500);
	unit_check(!mlv_decimal_bytes(decimal("1e30", MLV_UNIT_BYTES), &n));
	unit_check(mlv_decimal_ns(decimal("1700000000.123456789", MLV_UNIT_S), &n) &&
		   n == INT64_C(1700000000123456789));
	unit_check(mlv_decimal_ns(decimal("1.5", MLV_UNIT_US), &n) && n == 1500);
	unit_check(!mlv_decimal_ns(decimal("1e30", MLV_UNIT_S), &n));
}
END_TEST

UNIT_MAIN("decimal", digits_are_kept, powers_of_ten, powers_beyond_all_bounds, units)
