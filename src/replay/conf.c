/* SPDX-License-Identifier: MIT */
/* The sizes that settings lead to, and settings as text. */
#include "replay/conf.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const struct mlv_alloc_conf mlv_alloc_conf_default = {
	.max_split = UINT64_MAX,
	.max_non_split_rounding = 20 * MLV_MIB,
	.large_segment = 20 * MLV_MIB,
};

static unsigned log2_floor(uint64_t n)
{
	return 63 - (unsigned)__builtin_clzll(n);
}

static uint64_t up_to(uint64_t n, uint64_t step)
{
	return n > UINT64_MAX - step ? n / step * step : (n + step - 1) / step * step;
}

static uint64_t divisions_for(const struct mlv_alloc_conf *conf, uint64_t bytes)
{
	unsigned log = log2_floor(bytes);
	unsigned i = log <= 20 ? 0 : log - 20;
	return conf->divisions[i < MLV_ALLOC_DIVISIONS ? i : MLV_ALLOC_DIVISIONS - 1];
}

/* roundup_power2_next_division */
static uint64_t round_to_division(uint64_t bytes, uint64_t divisions)
{
	uint64_t power = UINT64_C(1) << log2_floor(bytes);
	if (power == bytes)
		return bytes;
	uint64_t step = power >> log2_floor(divisions);
	if (!step)
		return power << 1;
	uint64_t floor = bytes & ~(step - 1);
	return floor == bytes ? bytes : floor + step;
}

uint64_t mlv_alloc_round(const struct mlv_alloc_conf *conf, uint64_t bytes)
{
	if (bytes < MLV_ALLOC_MIN_BLOCK)
		return MLV_ALLOC_MIN_BLOCK;
	uint64_t divisions = divisions_for(conf, bytes);
	if (divisions > 1 && bytes > MLV_ALLOC_MIN_BLOCK * divisions)
		return round_to_division(bytes, divisions);
	return up_to(bytes, MLV_ALLOC_MIN_BLOCK);
}

uint64_t mlv_alloc_segment_bytes(const struct mlv_alloc_conf *conf, uint64_t rounded)
{
	if (rounded <= MLV_ALLOC_SMALL)
		return MLV_ALLOC_BUFFER;
	if (rounded < MLV_ALLOC_LARGE)
		return conf->large_segment;
	return up_to(rounded, MLV_ALLOC_BUFFER);
}

/* A list as short as it can be: "4" for all sizes, else "[256:1,512:2,>:8]". */
static void divisions_text(const struct mlv_alloc_conf *conf, char *buf, size_t size)
{
	const uint64_t *d = conf->divisions;
	size_t n = 0, last = MLV_ALLOC_DIVISIONS - 1;
	while (last && d[last - 1] == d[MLV_ALLOC_DIVISIONS - 1])
		last--;
	if (!last) {
		snprintf(buf, size, "%" PRIu64, d[0]);
		return;
	}
	/* The first key also covers what is smaller, ">" what is larger than the last one. */
	size_t first = 0;
	while (d[first + 1] == d[0])
		first++;
	buf[n++] = '[';
	for (size_t i = first; i < last && n < size; i++) {
		if (d[i] || i == first)
			n += (size_t)snprintf(buf + n, size - n, "%u:%" PRIu64 ",", 1U << i, d[i]);
	}
	if (n < size)
		snprintf(buf + n, size - n, ">:%" PRIu64 "]", d[last]);
}

static void add(char *buf, size_t size, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

static void add(char *buf, size_t size, const char *fmt, ...)
{
	va_list args;
	size_t n = strlen(buf);
	if (n && n + 1 < size) {
		buf[n++] = ',';
		buf[n] = '\0';
	}
	va_start(args, fmt);
	vsnprintf(buf + n, size - n, fmt, args);
	va_end(args);
}

const char *mlv_alloc_conf_text(const struct mlv_alloc_conf *conf, char *buf, size_t size)
{
	const struct mlv_alloc_conf *usual = &mlv_alloc_conf_default;
	char list[300];
	buf[0] = '\0';
	if (conf->expandable)
		add(buf, size, "expandable_segments:True");
	if (conf->max_split != UINT64_MAX)
		add(buf, size, "max_split_size_mb:%" PRIu64, conf->max_split / MLV_MIB);
	if (conf->max_non_split_rounding != conf->large_segment)
		add(buf, size, "max_non_split_rounding_mb:%" PRIu64,
		    conf->max_non_split_rounding / MLV_MIB);
	if (memcmp(conf->divisions, usual->divisions, sizeof(conf->divisions)) != 0) {
		divisions_text(conf, list, sizeof(list));
		add(buf, size, "roundup_power2_divisions:%s", list);
	}
	if (conf->gc_threshold > 0)
		add(buf, size, "garbage_collection_threshold:%g", conf->gc_threshold);
	if (conf->large_segment != usual->large_segment)
		add(buf, size, "large_segment_size_mb:%" PRIu64, conf->large_segment / MLV_MIB);
	if (conf->fraction > 0)
		add(buf, size, "per_process_memory_fraction:%g", conf->fraction);
	return buf;
}
