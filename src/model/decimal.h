/* SPDX-License-Identifier: MIT */
#ifndef MLV_MODEL_DECIMAL_H
#define MLV_MODEL_DECIMAL_H
/*
 * A number as a report printed it: "14.04 GiB" is 1404 times 10^-2 GiB. Its
 * digits, and so its rounding, are kept, and it is never shown with digits
 * that it did not have.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"

enum mlv_unit {
	MLV_UNIT_NONE,
	MLV_UNIT_PERCENT,
	MLV_UNIT_BYTES,
	MLV_UNIT_KIB, /* binary, whatever the report spelled */
	MLV_UNIT_MIB,
	MLV_UNIT_GIB,
	MLV_UNIT_TIB,
	MLV_UNIT_PIB,
	MLV_UNIT_KB, /* decimal */
	MLV_UNIT_MB,
	MLV_UNIT_GB,
	MLV_UNIT_TB,
	MLV_UNIT_NS,
	MLV_UNIT_US,
	MLV_UNIT_MS,
	MLV_UNIT_S,
	MLV_UNIT_FLOP,
	MLV_UNITS,
};

/* What a unit measures: only numbers of one kind are compared or added. */
enum mlv_quantity { MLV_NUMBER, MLV_SHARE, MLV_BYTE_COUNT, MLV_DURATION, MLV_OPERATIONS };

struct mlv_decimal {
	int64_t mantissa;
	int16_t exponent; /* of ten */
	uint8_t unit;     /* enum mlv_unit */
	uint8_t special;  /* 0, or one of: */
};

enum { MLV_DECIMAL_NAN = 1, MLV_DECIMAL_INF, MLV_DECIMAL_NEG_INF };

static inline struct mlv_decimal mlv_decimal_int(int64_t n, enum mlv_unit unit)
{
	return (struct mlv_decimal){ .mantissa = n, .unit = (uint8_t)unit };
}

/*
 * A number at the beginning of `s`: sign, digits, fraction, exponent, or nan
 * or inf in any case; no blanks before it and no unit. `used` gets its length.
 * More digits than 18 are rounded. False if there is none.
 */
bool mlv_decimal_parse(struct mlv_str s, size_t *used, struct mlv_decimal *d);

/* The same for the whole of `s`, with the given unit. */
bool mlv_decimal_whole(struct mlv_str s, enum mlv_unit unit, struct mlv_decimal *d);

/* "14.04 GiB", "-512 B", "12.34 %", "8.2e-30", "inf". */
char *mlv_decimal_text(struct mlv_decimal d, char *buf, size_t size);

enum mlv_quantity mlv_unit_quantity(enum mlv_unit unit);
/* "GiB", "ms", "%"; "" for none */
const char *mlv_unit_name(enum mlv_unit unit);

/* In bytes, seconds, operations or as it is; nan and infinities as such. */
double mlv_decimal_value(struct mlv_decimal d);
/*
 * a - b: exact where both have one unit, else with the coarser of their roundings. False when
 * there is none: unlike quantities, or no numbers.
 */
bool mlv_decimal_minus(struct mlv_decimal a, struct mlv_decimal b, struct mlv_decimal *d);
/* As a whole number of bytes or nanoseconds, rounded. False if it measures something else or does
 * not fit. */
bool mlv_decimal_bytes(struct mlv_decimal d, int64_t *bytes);
bool mlv_decimal_ns(struct mlv_decimal d, int64_t *ns);

#endif
