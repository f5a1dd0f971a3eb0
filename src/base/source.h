/* SPDX-License-Identifier: MIT */
#ifndef MLV_BASE_SOURCE_H
#define MLV_BASE_SOURCE_H
/*
 * Byte sources. A source hands out the bytes of an input after decompression,
 * span by span. gzip and zstd are recognised by their content, never by name
 * (concatenated members and frames, windows up to the limit on memory); a regular file is
 * mapped and, when it is not compressed, comes as one span; pipes and "-"
 * are read. The limits on bytes and ratio act here.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/limits.h"

struct mlv_bytes {
	const uint8_t *p;
	size_t n;
};

enum mlv_compression { MLV_PLAIN, MLV_GZIP, MLV_ZSTD };

struct mlv_source;

/* Open a file, or standard input for "-". `path` must outlive the source. */
enum mlv_rc mlv_source_open(struct mlv_source **out, const char *path,
			    const struct mlv_limits *limits, struct mlv_err *err);

/*
 * A source over memory, which must outlive it. `chunk` is the most bytes it
 * takes at a time from `data` (0 = all), which lets tests and fuzzers split an
 * input anywhere. Compressed data is recognised as in a file.
 */
enum mlv_rc mlv_source_memory(struct mlv_source **out, const char *name, struct mlv_bytes data,
			      size_t chunk, const struct mlv_limits *limits, struct mlv_err *err);

/*
 * The next span, valid until the next call; n == 0 at the end. After an error
 * (truncated or damaged compressed data, a limit, a read error) every further
 * call returns the same error; bytes decoded before it were handed out.
 */
enum mlv_rc mlv_source_next(struct mlv_source *s, struct mlv_bytes *span, struct mlv_err *err);

/* Whether spans stay valid until the source is closed (a mapped file or memory, as it is). */
bool mlv_source_stable(const struct mlv_source *s);

void mlv_source_close(struct mlv_source *s); /* NULL is fine */

const char *mlv_source_name(const struct mlv_source *s);
enum mlv_compression mlv_source_compression(const struct mlv_source *s);
/* Stored bytes that what was handed out was made of. */
uint64_t mlv_source_taken(const struct mlv_source *s);
/* Bytes of the file as stored; 0 when unknown (pipes). */
uint64_t mlv_source_stored_bytes(const struct mlv_source *s);

#endif
