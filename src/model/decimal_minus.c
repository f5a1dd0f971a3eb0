/* SPDX-License-Identifier: MIT */
/* The difference of two printed numbers, with no digit that neither of them had. */
#include <math.h>

#include "model/decimal.h"

static int64_t less(int64_t a, int64_t b)
{
	int64_t d;
	return __builtin_sub_overflow(a, b, &d) ? (b < 0 ? INT64_MAX : INT64_MIN) : d;
}

/* The same value with that smaller exponent. False if it has no room for the digits. */
static bool refine(struct mlv_decimal *d, int16_t exponent)
{
	while (d->exponent > exponent) {
		if (__builtin_mul_overflow(d->mantissa, (int64_t)10, &d->mantissa))
			return false;
		d->exponent--;
	}
	return true;
}

/* What one step of the last digit is worth, in base units. */
static double step(struct mlv_decimal d)
{
	d.mantissa = 1;
	return mlv_decimal_value(d);
}

bool mlv_decimal_minus(struct mlv_decimal a, struct mlv_decimal b, struct mlv_decimal *d)
{
	struct mlv_decimal x = a, y = b;
	int16_t fine = a.exponent < b.exponent ? a.exponent : b.exponent;
	if (a.special || b.special ||
	    mlv_unit_quantity((enum mlv_unit)a.unit) != mlv_unit_quantity((enum mlv_unit)b.unit))
		return false;
	if (a.unit == b.unit && refine(&x, fine) && refine(&y, fine)) {
		*d = x;
		d->mantissa = less(x.mantissa, y.mantissa);
		return true;
	}
	*d = step(a) > step(b) ? a : b;
	double steps = (mlv_decimal_value(a) - mlv_decimal_value(b)) / step(*d);
	if (!(fabs(steps) < 9e18))
		return false;
	d->mantissa = llround(steps);
	return true;
}
