/* SPDX-License-Identifier: MIT */
#ifndef MLV_BASE_INFLATE_H
#define MLV_BASE_INFLATE_H
/*
 * gzip and zstd decoding behind one step function, private to source.c. It
 * owns what the formats leave to the reader: concatenated members and frames,
 * skippable frames, the padding of zeros that tapes and block devices leave
 * behind a gzip member, and what counts as an early end.
 */
#include <stdbool.h>

#include "base/source.h"

struct mlv_inflate;

/* By the magic bytes at the beginning of a file; four of them decide. */
enum mlv_compression mlv_inflate_detect(struct mlv_bytes head);

/* `kind` is MLV_GZIP or MLV_ZSTD; a window of zstd data may take up to `window` bytes, but no more
 * than 2 GiB. NULL when memory runs out. */
struct mlv_inflate *mlv_inflate_create(enum mlv_compression kind, uint64_t window);
void mlv_inflate_destroy(struct mlv_inflate *d); /* NULL is fine */

/*
 * Decode from `in`, which is advanced, into `out` behind its first `*len`
 * bytes, until `in` is empty or `cap` is reached. On failure `*len` counts
 * what was decoded before the damage, and `err` has no offset yet.
 */
enum mlv_rc mlv_inflate_step(struct mlv_inflate *d, struct mlv_bytes *in, uint8_t *out, size_t cap,
			     size_t *len, struct mlv_err *err);

/* Whether the input may end here: behind a whole member or frame. */
bool mlv_inflate_complete(const struct mlv_inflate *d);

#endif
