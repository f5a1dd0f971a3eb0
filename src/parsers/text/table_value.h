/* SPDX-License-Identifier: MIT */
#ifndef MLV_PARSERS_TEXT_TABLE_VALUE_H
#define MLV_PARSERS_TEXT_TABLE_VALUE_H
/*
 * What stands in a cell of the tables that PyTorch prints: a number together
 * with the unit behind it.
 */
#include "base/str.h"
#include "model/decimal.h"

/*
 * The whole of `s` as a number and a unit: "1.234ms", "45.6us", "-512 b",
 * "12.3 Mb", "12.34%", "7". For sizes that tools of PyTorch print: KB, Kb and
 * KiB all mean 1024 bytes. Blanks may stand between the two. False if it is
 * anything else.
 */
bool mlv_value_parse(struct mlv_str s, struct mlv_decimal *d);

#endif
