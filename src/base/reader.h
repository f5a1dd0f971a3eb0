/* SPDX-License-Identifier: MIT */
#ifndef MLV_BASE_READER_H
#define MLV_BASE_READER_H
/*
 * A cursor over a source that makes any number of bytes contiguous on demand.
 * Over one span (a mapped file) it copies nothing; over many, only what
 * straddles two spans. Parsers may work on p..end directly and call
 * mlv_reader_need before they look further.
 *
 * A failing source ends the bytes just as the end of the file does, with the
 * error kept in `err`, so that a parser salvages what it has and reports the
 * cause.
 */
#include <stdbool.h>
#include <stdint.h>

#include "base/source.h"

struct mlv_reader {
	const uint8_t *p, *end; /* bytes at hand */
	const uint8_t *start;   /* where the bytes at hand began, */
	uint64_t start_offset;  /* and their offset in the input */
	struct mlv_source *src; /* borrowed */
	struct mlv_err err;     /* rc != MLV_OK: why the bytes ended early */
	bool ended;             /* the source has no more */
	struct mlv_bytes span;  /* the newest span */
	bool holding; /* p..end is in hold, its last `copied` bytes are the span's first */
	size_t copied;
	uint8_t *hold; /* owned: bytes that straddle spans */
	size_t hold_cap;
};

void mlv_reader_init(struct mlv_reader *r, struct mlv_source *src);
void mlv_reader_fini(struct mlv_reader *r);

/*
 * Slow path of mlv_reader_need: get spans until `n` bytes are contiguous at p,
 * which may move; pointers to what lies before p are void afterwards. False if the input ends
 * before; p..end then holds all that is left.
 */
bool mlv_reader_fill(struct mlv_reader *r, size_t n);

static inline bool mlv_reader_need(struct mlv_reader *r, size_t n)
{
	return (size_t)(r->end - r->p) >= n || mlv_reader_fill(r, n);
}

/* Offset of p in the input. */
static inline uint64_t mlv_reader_offset(const struct mlv_reader *r)
{
	return r->start_offset + (uint64_t)(r->p - r->start);
}

#endif
