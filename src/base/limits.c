/* SPDX-License-Identifier: MIT */
#include "base/limits.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

const struct mlv_limits mlv_limits_default = {
	.bytes = UINT64_C(64) << 30,
	.ratio = 1000,
	.depth = 1000,
	.memo = UINT64_C(400) * 1000 * 1000,
	.string = UINT64_C(64) << 20,
	.files = 100 * 1000,
	.rows = UINT64_C(200) * 1000 * 1000,
	.memory = UINT64_C(512) << 20,
};

/* clang-format off */
#define ROW(field, help) { #field, help, offsetof(struct mlv_limits, field) }
/* clang-format on */

const struct mlv_limit_name mlv_limit_names[] = {
	ROW(bytes, "bytes of one input after decompression"),
	ROW(ratio, "decompressed bytes for each compressed byte"),
	ROW(depth, "nesting of containers"),
	ROW(memo, "highest memo index of a pickle"),
	ROW(string, "bytes of one string"),
	ROW(files, "files of one archive, or below one directory"),
	ROW(rows, "rows of one table"),
	ROW(memory, "bytes of memory, beside 100 for each byte as stored"),
	{ NULL, NULL, 0 },
};

static bool parse_count(const char *s, uint64_t *out)
{
	if (*s < '0' || *s > '9')
		return false;
	char *end;
	errno = 0;
	unsigned long long v = strtoull(s, &end, 10);
	unsigned shift = *end == 'K' ? 10 : *end == 'M' ? 20 : *end == 'G' ? 30 : 0;
	if (shift)
		end++;
	if (errno || *end || v > UINT64_MAX >> shift)
		return false;
	*out = (uint64_t)v << shift;
	return true;
}

bool mlv_limits_set(struct mlv_limits *l, const char *assignment)
{
	const char *eq = strchr(assignment, '=');
	if (!eq)
		return false;
	size_t n = (size_t)(eq - assignment);
	for (const struct mlv_limit_name *row = mlv_limit_names; row->name; row++) {
		if (strlen(row->name) == n && memcmp(row->name, assignment, n) == 0)
			return parse_count(eq + 1, (uint64_t *)((char *)l + row->offset));
	}
	return false;
}

enum mlv_rc mlv_limits_full(const struct mlv_limits *l, const char *rows, struct mlv_err *err)
{
	return mlv_err_set(err, MLV_E_LIMIT,
			   "more than %" PRIu64 " %s; raise it with --limit rows=N",
			   l->rows < UINT32_MAX ? l->rows : UINT32_MAX, rows);
}
