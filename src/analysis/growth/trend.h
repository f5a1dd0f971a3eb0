/* SPDX-License-Identifier: MIT */
#ifndef MLV_ANALYSIS_GROWTH_TREND_H
#define MLV_ANALYSIS_GROWTH_TREND_H
/*
 * Whether a figure taken once a step grows, and how fast: the Theil-Sen slope
 * (the median of the slopes of all pairs), which no single outlier moves, with
 * the interval that holds it in 95 of 100 cases. A figure that grows is not
 * yet a leak: one jump, a warm-up that stops and a figure that goes up and
 * down are told apart here. docs/verdicts.md explains each threshold.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The median of `v`, which gets sorted; 0 of nothing. */
double mlv_median(double *v, size_t n);

/*
 * How far the values of `v`, which is changed, scatter around their median: their median distance
 * from it, times 1.48, which makes it the standard deviation where they are normal.
 */
double mlv_spread(double *v, size_t n);

enum mlv_trend_shape {
	MLV_TREND_SHORT,  /* too few points to tell */
	MLV_TREND_FLAT,   /* no certain slope, or downwards */
	MLV_TREND_UNEVEN, /* goes up, now more and now less: a few points do not tell */
	MLV_TREND_STEADY, /* grows from point to point, up to the end */
	MLV_TREND_JUMP,   /* one step of it makes most of the growth */
	MLV_TREND_STOPS,  /* it grew, and no longer does */
};

struct mlv_trend {
	enum mlv_trend_shape shape;
	size_t points;
	double slope, low, high; /* per unit of x; the interval of 95 % */
	double intercept;        /* of the line at x = 0 */
	double growth;           /* of the line from the first point to the last */
	double rising;           /* share of the steps between neighbours that go up */
	double largest;          /* share of the largest of them in the sum of all that go up */
	double least;            /* the smallest step between neighbours, in medians of them */
	double late_slope;       /* of the last half */
};

/* x ascends. False when memory runs out. */
bool mlv_trend_fit(struct mlv_trend *t, const double *x, const double *y, size_t n);

#endif
