/* SPDX-License-Identifier: MIT */
#include "report/quantity.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"

static int64_t whole(double value)
{
	return fabs(value) < 9e15 && value == floor(value) ? (int64_t)value : INT64_MAX;
}

bool mlv_quantity_read(struct mlv_quantity_text *q, const char *text)
{
	uint64_t bytes;
	int64_t ns;
	char *end;
	double number = strtod(text, &end);
	bool begins = isdigit((unsigned char)text[0]) || text[0] == '.';
	/* The letter of a hexadecimal number is no unit. */
	if (!begins || end == text || !isfinite(number) || text[1] == 'x' || text[1] == 'X')
		return false;
	*q = (struct mlv_quantity_text){ MLV_NUMBER, number, whole(number) };
	while (*end == ' ')
		end++;
	if (strcmp(end, "%") == 0) {
		q->quantity = MLV_SHARE;
		/* What is written with six decimals is meant, not the binary fraction beside it. */
		double scaled = nearbyint(number * MLV_PERCENT);
		bool exact = fabs(scaled - number * MLV_PERCENT) < 1e-3;
		q->exact = exact ? whole(scaled) : INT64_MAX;
	} else if (*end && mlv_parse_duration(text, &ns)) {
		*q = (struct mlv_quantity_text){ MLV_DURATION, (double)ns / 1e9, ns };
	} else if (*end) {
		if (!mlv_parse_bytes(text, &bytes) || bytes >= INT64_MAX)
			return false;
		*q = (struct mlv_quantity_text){ MLV_BYTE_COUNT, (double)bytes, (int64_t)bytes };
	}
	return true;
}

static void share_words(int64_t exact, char *buf, unsigned long size)
{
	/* As many decimals as it has, but not more than tell something. */
	int64_t hundredths = (exact + MLV_PERCENT / 200) / (MLV_PERCENT / 100);
	bool fine = exact % (MLV_PERCENT / 100) != 0;
	if (fine && exact < MLV_PERCENT / 10)
		snprintf(buf, size, "%.6f", (double)exact / MLV_PERCENT);
	else
		snprintf(buf, size, "%" PRId64 ".%02" PRId64, hundredths / 100, hundredths % 100);
	char *end = buf + strlen(buf);
	while (end > buf && end[-1] == '0')
		*--end = '\0';
	if (end > buf && end[-1] == '.')
		*--end = '\0';
	snprintf(end, size - (size_t)(end - buf), " %%");
}

void mlv_quantity_words(enum mlv_quantity quantity, int64_t exact, char *buf, unsigned long size)
{
	char number[MLV_NUM_SIZE];
	uint64_t u = exact < 0 ? 0 - (uint64_t)exact : (uint64_t)exact;
	const char *sign = exact < 0 ? "-" : "";
	switch (quantity) {
	case MLV_BYTE_COUNT:
		snprintf(buf, size, "%s%s", sign, mlv_fmt_bytes(number, sizeof(number), u));
		break;
	case MLV_DURATION:
		mlv_fmt_duration(buf, size, exact);
		break;
	case MLV_SHARE:
		if (*sign)
			snprintf(buf, size, "-");
		share_words((int64_t)u, buf + (*sign != 0), size - (*sign != 0));
		break;
	default:
		snprintf(buf, size, "%s%s", sign, mlv_fmt_count(number, sizeof(number), u));
		break;
	}
}

const char *mlv_quantity_unit(enum mlv_quantity quantity)
{
	return quantity == MLV_BYTE_COUNT ? "B"
	       : quantity == MLV_DURATION ? "ns"
	       : quantity == MLV_SHARE    ? "%"
					  : "";
}
