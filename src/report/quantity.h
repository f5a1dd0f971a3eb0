/* SPDX-License-Identifier: MIT */
#ifndef MLV_REPORT_QUANTITY_H
#define MLV_REPORT_QUANTITY_H
/*
 * Limits as people write them, for --fail-on and budgets alike: "5%",
 * "64 MiB", "1.5s", "12". Values are whole numbers of small units, so that what
 * lies exactly on a limit is told from what lies above it.
 */
#include <stdbool.h>
#include <stdint.h>

#include "model/decimal.h"

/* Room for the products of such values. */
__extension__ typedef __int128 mlv_wide;

/* Shares are counted in millionths of a percent. */
enum { MLV_PERCENT = 1000000 };

struct mlv_quantity_text {
	enum mlv_quantity quantity; /* MLV_NUMBER, MLV_SHARE, MLV_BYTE_COUNT or MLV_DURATION */
	double value;               /* percent, bytes, seconds or a number */
	/* Millionths of a percent, bytes, nanoseconds, or a number; INT64_MAX: too large, or no
	 * whole one. */
	int64_t exact;
};

/* Without a sign. False if it is none of these. */
bool mlv_quantity_read(struct mlv_quantity_text *q, const char *text);

/* "5 %", "64.0 MiB", "2.00 ms", "12": of the exact value. */
void mlv_quantity_words(enum mlv_quantity quantity, int64_t exact, char *buf, unsigned long size);

/* The unit of the value where figures are written as numbers: "%", "B", "ns", "". */
const char *mlv_quantity_unit(enum mlv_quantity quantity);

#endif
