/* SPDX-License-Identifier: MIT */
#include "analysis/growth/trend.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of longer series every k-th point is taken: pairs grow with the square. */
enum { MOST_POINTS = 512, LEAST_POINTS = 3, FEW_POINTS = 16 };

/* Thresholds; docs/verdicts.md gives the reasons. */
static const double LEAST_RISING = 0.8, MOST_JUMP = 0.6, LEAST_LATE = 0.25, LEAST_RISE = 0.5;

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

/* Between the two middle values of an even number. */
static double middle(const double *sorted, size_t n)
{
	if (!n)
		return 0;
	return n % 2 ? sorted[n / 2] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2;
}

double mlv_median(double *v, size_t n)
{
	if (n)
		qsort(v, n, sizeof(*v), compare);
	return middle(v, n);
}

double mlv_spread(double *v, size_t n)
{
	double m = mlv_median(v, n);
	for (size_t i = 0; i < n; i++)
		v[i] = fabs(v[i] - m);
	return 1.4826 * mlv_median(v, n);
}

/* Sorted slopes of all pairs; returns how many there are. */
static size_t pair_slopes(double *slopes, const double *x, const double *y, size_t n)
{
	size_t k = 0;
	for (size_t i = 0; i < n; i++) {
		for (size_t j = i + 1; j < n; j++) {
			if (x[j] > x[i])
				slopes[k++] = (y[j] - y[i]) / (x[j] - x[i]);
		}
	}
	if (k)
		qsort(slopes, k, sizeof(*slopes), compare);
	return k;
}

/* Sen's interval: how many pairs may point the other way by chance. */
static void interval(struct mlv_trend *t, const double *slopes, size_t k, size_t n)
{
	double c = 1.96 * sqrt((double)n * (double)(n - 1) * (double)(2 * n + 5) / 18);
	double low = ((double)k - c) / 2, high = ((double)k + c) / 2;
	t->low = slopes[low > 0 ? (size_t)low : 0];
	t->high = slopes[high < (double)(k - 1) ? (size_t)ceil(high) : k - 1];
}

/* `room` for n numbers. */
static void neighbours(struct mlv_trend *t, const double *y, size_t n, double *room)
{
	double up = 0, most = 0;
	size_t rises = 0;
	for (size_t i = 1; i < n; i++) {
		double d = y[i] - y[i - 1];
		room[i - 1] = d;
		if (d <= 0)
			continue;
		rises++;
		up += d;
		most = d > most ? d : most;
	}
	t->rising = (double)rises / (double)(n - 1);
	t->largest = up > 0 ? most / up : 0;
	double middle_step = mlv_median(room, n - 1);
	t->least = middle_step > 0 ? room[0] / middle_step : 0;
}

static enum mlv_trend_shape shape(const struct mlv_trend *t, const double *y, size_t n)
{
	size_t tail = n / 3 > 2 ? n / 3 : 2;
	if (n < LEAST_POINTS)
		return MLV_TREND_SHORT;
	if (!(t->slope > 0)) {
		/* A jump leaves the median of the slopes at nothing. */
		return y[n - 1] > y[0] && t->largest > MOST_JUMP ? MLV_TREND_JUMP : MLV_TREND_FLAT;
	}
	/* Of two steps, one may well be half as large as the other. */
	if (t->largest > (n == LEAST_POINTS ? 0.75 : MOST_JUMP))
		return MLV_TREND_JUMP;
	if (!(y[n - 1] > y[n - tail]) || t->late_slope < LEAST_LATE * t->slope)
		return MLV_TREND_STOPS;
	if (!(t->low > 0))
		return MLV_TREND_FLAT;
	if (t->rising < LEAST_RISING || (n < FEW_POINTS && t->least < LEAST_RISE))
		return MLV_TREND_UNEVEN;
	return MLV_TREND_STEADY;
}

static void fit(struct mlv_trend *t, double *slopes, const double *x, const double *y, size_t n)
{
	size_t late = n / 2 < n - 2 ? n / 2 : n - 2;
	size_t k = pair_slopes(slopes, x + late, y + late, n - late);
	t->late_slope = middle(slopes, k);
	k = pair_slopes(slopes, x, y, n);
	if (!k)
		return;
	t->slope = middle(slopes, k);
	interval(t, slopes, k, n);
	neighbours(t, y, n, slopes);
	t->growth = t->slope * (x[n - 1] - x[0]);
	for (size_t i = 0; i < n; i++)
		slopes[i] = y[i] - t->slope * x[i];
	t->intercept = mlv_median(slopes, n);
	t->shape = shape(t, y, n);
}

bool mlv_trend_fit(struct mlv_trend *t, const double *x, const double *y, size_t n)
{
	memset(t, 0, sizeof(*t));
	t->points = n;
	if (n < 2)
		return true;
	size_t every = (n + MOST_POINTS - 1) / MOST_POINTS, m = 0;
	size_t pairs = (n / every + 1) * (n / every + 2) / 2;
	double *room = malloc((2 * (n / every + 1) + pairs + n) * sizeof(*room));
	if (!room)
		return false;
	double *px = room, *py = px + n / every + 1, *slopes = py + n / every + 1;
	for (size_t i = 0; i < n; i += every) {
		px[m] = x[i];
		py[m++] = y[i];
	}
	/* The last point says whether the growth goes on. */
	px[m - 1] = x[n - 1];
	py[m - 1] = y[n - 1];
	fit(t, slopes, px, py, m);
	free(room);
	return true;
}
