/* SPDX-License-Identifier: MIT */
#ifndef MLV_BASE_LIMITS_H
#define MLV_BASE_LIMITS_H
/*
 * How much a single input may take before reading stops with MLV_E_LIMIT.
 * The defaults let every honest file through and stop what was built to eat
 * memory; `--limit NAME=VALUE` changes one.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct mlv_limits {
	uint64_t bytes;  /* bytes after decompression */
	uint64_t ratio;  /* decompressed bytes for each compressed byte, beyond the first 64 MiB */
	uint64_t depth;  /* nesting of containers */
	uint64_t memo;   /* highest memo index of a pickle */
	uint64_t string; /* bytes of one string */
	uint64_t files;  /* of one archive, or below one directory */
	uint64_t rows;   /* rows of one table, and values held while reading */
	uint64_t memory; /* bytes that what is kept of an input may take, beside: */
};

/* What an input may take for each of its bytes as stored. Honest ones, compressed, take a third. */
enum { MLV_MEMORY_PER_BYTE = 100 };

extern const struct mlv_limits mlv_limits_default;

/* One row of the table behind `--limit` and its help. */
struct mlv_limit_name {
	const char *name, *help;
	size_t offset; /* of the uint64_t in struct mlv_limits */
};
/* Ends with a NULL name. */
extern const struct mlv_limit_name mlv_limit_names[];

/* Set from "name=value" (K, M, G suffixes are binary). False if it is not understood. */
bool mlv_limits_set(struct mlv_limits *l, const char *assignment);

/* MLV_E_LIMIT, with a message in which `rows` says what there are too many of. */
enum mlv_rc mlv_limits_full(const struct mlv_limits *l, const char *rows, struct mlv_err *err);

/* Whether a table of `len` rows, which a 32-bit id names, may have one more. */
static inline enum mlv_rc mlv_limits_room(const struct mlv_limits *l, size_t len, const char *rows,
					  struct mlv_err *err)
{
	return len < l->rows && len < UINT32_MAX ? MLV_OK : mlv_limits_full(l, rows, err);
}

#endif
