/* SPDX-License-Identifier: MIT */
#include "parsers/memory/memory_stats_keys.h"

#include <string.h>

#include "model/decimal.h"

bool mlv_memory_is_counter(struct mlv_str key)
{
	static const struct mlv_str ends[] = { MLV_STR_INIT(".current"), MLV_STR_INIT(".peak"),
					       MLV_STR_INIT(".allocated"), MLV_STR_INIT(".freed") };
	for (size_t i = 0; i < 4; i++) {
		if (key.n > ends[i].n && mlv_str_has_suffix(key, ends[i]))
			return true;
	}
	return false;
}

bool mlv_memory_is_plain_counter(struct mlv_str key)
{
	return mlv_str_has_prefix(key, MLV_STR("num_")) ||
	       mlv_str_eq(key, MLV_STR("max_split_size"));
}

bool mlv_memory_counts_bytes(struct mlv_str key)
{
	const char *point = memchr(key.p, '.', key.n);
	struct mlv_str family = { key.p, point ? (size_t)(point - key.p) : key.n };
	return mlv_str_has_suffix(family, MLV_STR("_bytes"));
}

struct mlv_str mlv_memory_counter_part(struct mlv_str *key)
{
	size_t n = key->n;
	struct mlv_str part;
	while (n && key->p[n - 1] != '.')
		n--;
	if (!n)
		return mlv_str_eq(*key, MLV_STR("max_split_size")) ? MLV_STR("size")
								   : MLV_STR("count");
	part = mlv_str_from(*key, n);
	key->n = n - 1;
	return part;
}

int64_t mlv_memory_device_number(struct mlv_str key)
{
	static const struct mlv_str before[] = { MLV_STR_INIT("cuda:"), MLV_STR_INIT("device "),
						 MLV_STR_INIT("device_"), MLV_STR_INIT("cuda") };
	struct mlv_decimal d;
	for (size_t i = 0; i < 4; i++) {
		if (mlv_str_has_prefix(key, before[i])) {
			key.p += before[i].n;
			key.n -= before[i].n;
			break;
		}
	}
	for (size_t i = 0; i < key.n; i++) {
		if (key.p[i] < '0' || key.p[i] > '9')
			return -1;
	}
	return key.n && key.n < 10 && mlv_decimal_whole(key, MLV_UNIT_NONE, &d) ? d.mantissa : -1;
}
