/* SPDX-License-Identifier: MIT */
/* What is growth, and what only looks like it. */
#include <math.h>

#include "analysis/growth/trend.h"
#include "unit.h"

static enum mlv_trend_shape shape_of(const double *y, size_t n)
{
	struct mlv_trend t;
	double *x = malloc((n + 1) * sizeof(*x));
	unit_check(x);
	for (size_t i = 0; i < n; i++)
		x[i] = (double)i;
	unit_check(mlv_trend_fit(&t, x, y, n));
	free(x);
	return t.shape;
}
#define SHAPE(...)                                                                                 \
	shape_of((const double[]){ __VA_ARGS__ },                                                  \
		 sizeof((const double[]){ __VA_ARGS__ }) / sizeof(double))

START_TEST(test_shapes)
{
	ck_assert_int_eq(SHAPE(5), MLV_TREND_SHORT);
	ck_assert_int_eq(SHAPE(5, 6), MLV_TREND_SHORT);
	ck_assert_int_eq(SHAPE(1, 2, 3), MLV_TREND_STEADY);
	ck_assert_int_eq(SHAPE(1, 2, 3.1, 4.2, 5), MLV_TREND_STEADY);
	ck_assert_int_eq(SHAPE(5, 5, 5, 5), MLV_TREND_FLAT);
	ck_assert_int_eq(SHAPE(5, 4, 3, 2), MLV_TREND_FLAT);
	/* One jump, early, late or in the middle. */
	ck_assert_int_eq(SHAPE(1, 9, 9, 9, 9), MLV_TREND_JUMP);
	ck_assert_int_eq(SHAPE(1, 1, 1, 9, 9, 9), MLV_TREND_JUMP);
	ck_assert_int_eq(SHAPE(1, 1, 1, 1, 9), MLV_TREND_JUMP);
	ck_assert_int_eq(SHAPE(1, 1.1, 1.2, 9, 9.1, 9.2), MLV_TREND_JUMP);
	/* A warm-up that stops. */
	ck_assert_int_eq(SHAPE(1, 3, 5, 6, 6, 6, 6), MLV_TREND_STOPS);
	/* Up and down, as with sequences of many lengths. */
	ck_assert_int_eq(SHAPE(3, 7, 2, 8, 4, 6, 3, 7), MLV_TREND_FLAT);
	ck_assert_int_eq(SHAPE(3, 4, 2, 5, 4, 6), MLV_TREND_FLAT);
}
END_TEST

START_TEST(test_slope)
{
	/* The median of (1, 2, 3, 1, 2, 1, …): pairs of y = 2x with one outlier. */
	const double x[] = { 0, 1, 2, 3, 4, 6 }, y[] = { 1, 3, 5, 107, 9, 13 };
	struct mlv_trend t;
	unit_check(mlv_trend_fit(&t, x, y, 6));
	ck_assert_double_eq_tol(t.slope, 2, 1e-12);
	ck_assert_double_eq_tol(t.intercept, 1, 1e-12);
	ck_assert_double_eq_tol(t.growth, 12, 1e-12);
	ck_assert(t.low <= 2 && t.high >= 2);
}
END_TEST

START_TEST(test_long)
{
	enum { N = 100000 };
	double *x = malloc(2 * N * sizeof(*x)), *y = x + N;
	struct mlv_trend t;
	unit_check(x);
	for (int i = 0; i < N; i++) {
		x[i] = i;
		y[i] = 7 + 0.5 * i;
	}
	unit_check(mlv_trend_fit(&t, x, y, N));
	ck_assert_int_eq(t.shape, MLV_TREND_STEADY);
	ck_assert_double_eq_tol(t.slope, 0.5, 1e-9);
	free(x);
}
END_TEST

START_TEST(test_middle)
{
	double one[] = { 4 }, even[] = { 4, 1, 3, 2 }, outlier[] = { 5, 5, 5, 90 };
	ck_assert_double_eq(mlv_median(one, 1), 4);
	ck_assert_double_eq(mlv_median(even, 4), 2.5);
	ck_assert_double_eq(mlv_median(even, 0), 0);
	ck_assert_double_eq(mlv_spread(outlier, 4), 0);
	double plain[] = { 1, 2, 3, 4, 5 };
	ck_assert_double_eq_tol(mlv_spread(plain, 5), 1.4826, 1e-9);
}
END_TEST

UNIT_MAIN("trend", test_shapes, test_slope, test_long, test_middle)
