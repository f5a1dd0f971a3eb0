/* SPDX-License-Identifier: MIT */
#ifndef MLV_UNIT_RECORDING_H
#define MLV_UNIT_RECORDING_H
/*
 * Recordings beside the checkout, and what PyTorch counted in the same run
 * (NAME.stats.json beside NAME.pickle.zst). CORPUS and PUBLIC name the folders.
 */
#include <cJSON.h>
#include <stdio.h>
#include <string.h>

#include "base/source.h"
#include "snapshot_writer.h"
#include "unit.h"

/* NULL: not there */
static inline const char *recording_folder(const char *variable)
{
	const char *path = getenv(variable);
	return path && *path ? path : NULL;
}

static inline bool recording_load(const char *dir, const char *name, struct mlv_buf *out)
{
	char path[8192];
	struct mlv_source *src;
	struct mlv_bytes span;
	snprintf(path, sizeof(path), "%s/%s", dir, name);
	memset(out, 0, sizeof(*out));
	if (mlv_source_open(&src, path, &mlv_limits_default, NULL))
		return false;
	while (!mlv_source_next(src, &span, NULL) && span.n)
		mlv_buf_add(out, span.p, span.n);
	mlv_source_close(src);
	return true;
}

static inline bool recording_has_suffix(const char *name, const char *suffix)
{
	size_t n = strlen(name), k = strlen(suffix);
	return n >= k && !strcmp(name + n - k, suffix);
}

static inline cJSON *recording_stats(const char *dir, const char *pickle)
{
	char name[300];
	struct mlv_buf text;
	snprintf(name, sizeof(name), "%.*s.stats.json", (int)(strlen(pickle) - 11), pickle);
	if (!recording_load(dir, name, &text))
		return NULL;
	cJSON *json = cJSON_ParseWithLength(text.data, text.len);
	unit_check(json);
	mlv_buf_fini(&text);
	return json;
}

static inline void recording_counter(const char *file, const cJSON *stats, const char *key,
				     uint64_t value)
{
	const cJSON *item =
		cJSON_GetObjectItemCaseSensitive(cJSON_GetObjectItem(stats, "memory_stats"), key);
	unit_check(item);
	if ((uint64_t)item->valuedouble != value)
		ck_abort_msg("%s: %s is %.0f, not %llu", file, key, item->valuedouble,
			     (unsigned long long)value);
}

/* As UNIT_MAIN, for suites that can do nothing without recordings: they say so. */
#define RECORDING_MAIN(name, ...)                                                                  \
	int main(void)                                                                             \
	{                                                                                          \
		const TTest *const tests[] = { __VA_ARGS__ };                                      \
		const char *corpus = recording_folder("CORPUS"),                                   \
			   *public = recording_folder("PUBLIC");                                   \
		if (!corpus && !public) {                                                          \
			puts("1..0 # SKIP the recordings are not beside the checkout");            \
			return 0;                                                                  \
		}                                                                                  \
		if (!corpus || !public)                                                            \
			puts("# some of the recordings are not beside the checkout: their tests "  \
			     "do nothing");                                                        \
		return unit_run(name, tests, sizeof(tests) / sizeof(tests[0]));                    \
	}

#endif
