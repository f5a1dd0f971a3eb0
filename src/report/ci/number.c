/* SPDX-License-Identifier: MIT */
#include "report/ci/number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

void mlv_ci_number(struct mlv_json *j, double v)
{
	char digits[40];
	if (!isfinite(v)) {
		mlv_json_null(j);
		return;
	}
	/* Counts and bytes without an exponent, as far as they are exact. */
	if (v == floor(v) && fabs(v) < 9007199254740992.0) {
		mlv_json_int(j, (int64_t)v);
		return;
	}
	for (int n = 6; n <= 17; n++) {
		snprintf(digits, sizeof(digits), "%.*g", n, v);
		if (strtod(digits, NULL) == v)
			break;
	}
	mlv_json_raw(j, digits);
}

void mlv_ci_key_number(struct mlv_json *j, const char *key, double v)
{
	mlv_json_key(j, key);
	mlv_ci_number(j, v);
}
