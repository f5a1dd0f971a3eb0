/* SPDX-License-Identifier: MIT */
#ifndef MLV_RENDER_HTML_PACK_H
#define MLV_RENDER_HTML_PACK_H
/*
 * Data on its way into the page: columns of integers, and what is to be known
 * of them as JSON. A pack becomes
 *
 *   u32, little-endian: bytes of the header
 *   header, JSON: {"meta": {…}, "columns": [{"name", "kind", "rows", "at", "bytes"}]}
 *   the columns, "at" so many bytes behind the header
 *
 * deflated (RFC 1951) as a whole, which every browser undoes by itself;
 * unpack.js is the other side. A column holds the differences of neighbours,
 * zigzag-coded, seven bits a byte, the lowest first.
 */
#include "base/buf.h"
#include "base/err.h"
#include "base/json_write.h"

struct mlv_pack {
	struct mlv_json meta; /* an open object: write keys and values */
	struct mlv_buf meta_text, directory, data;
};

/* Must stay where it is until it is finished. */
void mlv_pack_init(struct mlv_pack *p);
void mlv_pack_fini(struct mlv_pack *p);

/* `name` is lower case and ASCII. */
void mlv_pack_u32(struct mlv_pack *p, const char *name, const uint32_t *values, size_t rows);
/* What lies beyond 2^53 loses its last digits in the page. */
void mlv_pack_i64(struct mlv_pack *p, const char *name, const int64_t *values, size_t rows);

/* The whole, deflated, to `out`; closes the object. MLV_E_NOMEM only. */
enum mlv_rc mlv_pack_end(struct mlv_pack *p, struct mlv_buf *out, struct mlv_err *err);

#endif
