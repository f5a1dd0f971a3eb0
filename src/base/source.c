/* SPDX-License-Identifier: MIT */
/*
 * Stored bytes (stored.h) into spans, through a decoder (inflate.h) when the
 * content asks for one, within the limits.
 */
#include "base/source.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/inflate.h"
#include "base/stored.h"

enum { OUT_SIZE = 256 * 1024, HEAD_SIZE = 4, DECODE_SIZE = 1 << 20 };

/* Small files compress as well as they like: the ratio counts beyond this much output. And padding
 * and headers may make the stored data longer than what is in it by as much. */
static const uint64_t FREE_BYTES = UINT64_C(64) << 20;

struct mlv_source {
	const char *name;
	struct mlv_limits limits;
	enum mlv_compression compression;
	uint64_t size;  /* bytes as stored, 0 = unknown */
	uint64_t taken; /* stored bytes given to the decoder */
	uint64_t given; /* decompressed bytes handed out */
	struct mlv_err err;
	bool ended;
	struct mlv_stored stored;

	struct mlv_inflate *inflate;
	struct mlv_bytes in;
	uint8_t *out;
};

/* See by the first bytes whether the content is compressed, and prepare for it. */
static enum mlv_rc recognise(struct mlv_source *s, struct mlv_err *err)
{
	struct mlv_bytes head;
	enum mlv_rc rc = mlv_stored_peek(&s->stored, HEAD_SIZE, &head, err);
	if (rc)
		return rc;
	s->compression = mlv_inflate_detect(head);
	if (s->compression == MLV_PLAIN)
		return MLV_OK;
	s->inflate = mlv_inflate_create(s->compression, s->limits.memory);
	s->out = malloc(OUT_SIZE);
	return s->inflate && s->out ? MLV_OK : mlv_err_nomem(err);
}

static struct mlv_source *source_new(const char *name, const struct mlv_limits *limits)
{
	struct mlv_source *s = calloc(1, sizeof(*s));
	if (s) {
		s->name = name;
		s->limits = *limits;
		s->err = MLV_ERR_INIT;
		mlv_stored_init(&s->stored);
		s->in = s->stored.rest;
	}
	return s;
}

/* Give `s` to the caller, or close it when `rc` says that opening failed. */
static enum mlv_rc opened(struct mlv_source *s, enum mlv_rc rc, struct mlv_source **out,
			  struct mlv_err *err)
{
	if (!rc)
		rc = recognise(s, err);
	if (rc) {
		mlv_err_file(err, s->name);
		mlv_source_close(s);
		return rc;
	}
	*out = s;
	return MLV_OK;
}

enum mlv_rc mlv_source_open(struct mlv_source **out, const char *path,
			    const struct mlv_limits *limits, struct mlv_err *err)
{
	bool standard = strcmp(path, "-") == 0;
	struct mlv_source *s = source_new(standard ? "standard input" : path, limits);
	if (!s)
		return mlv_err_nomem(err);
	enum mlv_rc rc = mlv_stored_open(&s->stored, path, err);
	s->size = s->stored.rest.n;
	return opened(s, rc, out, err);
}

enum mlv_rc mlv_source_memory(struct mlv_source **out, const char *name, struct mlv_bytes data,
			      size_t chunk, const struct mlv_limits *limits, struct mlv_err *err)
{
	struct mlv_source *s = source_new(name, limits);
	if (!s)
		return mlv_err_nomem(err);
	if (data.n)
		s->stored.rest = data;
	s->size = data.n;
	s->stored.chunk = chunk;
	return opened(s, MLV_OK, out, err);
}

/* Whether padding and empty frames go on without end. Data that does not compress is stored as it
 * is: nothing honest is much longer than what is in it. */
static bool is_hollow(struct mlv_source *s, size_t n)
{
	uint64_t content = s->given + n;
	if (s->taken <= FREE_BYTES || s->taken - FREE_BYTES <= 2 * content)
		return false;
	mlv_err_set(&s->err, MLV_E_FORMAT,
		    "%" PRIu64 " compressed bytes hold no more than %" PRIu64
		    ": the rest is padding or empty frames, and is not read",
		    s->taken, content);
	return true;
}

/* Decode until the output is full or the input ends. What came before an error counts. */
static size_t decode(struct mlv_source *s)
{
	size_t n = 0;
	for (;;) {
		struct mlv_bytes piece = { s->in.p, s->in.n < DECODE_SIZE ? s->in.n : DECODE_SIZE };
		enum mlv_rc rc =
			mlv_inflate_step(s->inflate, &piece, s->out, OUT_SIZE, &n, &s->err);
		size_t taken = (size_t)(piece.p - s->in.p);
		s->taken += taken;
		s->in.p += taken;
		s->in.n -= taken;
		if (rc || n == OUT_SIZE || is_hollow(s, n))
			return n;
		if (s->in.n)
			continue;
		if (mlv_stored_next(&s->stored, &s->in, &s->err))
			return n;
		if (s->in.n)
			continue;
		s->ended = true;
		if (!mlv_inflate_complete(s->inflate))
			mlv_err_set(&s->err, MLV_E_FORMAT,
				    "%s data ends early, after %" PRIu64 " compressed bytes",
				    s->compression == MLV_GZIP ? "gzip" : "zstd", s->taken);
		return n;
	}
}

/* Cut what goes beyond the limits, with the error left for the next call. */
static void apply_limits(struct mlv_source *s, struct mlv_bytes *bytes)
{
	const struct mlv_limits *l = &s->limits;
	if (bytes->n > l->bytes - s->given) {
		bytes->n = (size_t)(l->bytes - s->given);
		s->err = MLV_ERR_INIT;
		mlv_err_set(&s->err, MLV_E_LIMIT,
			    "more than %" PRIu64 " bytes%s; raise it with --limit bytes=N",
			    l->bytes, s->inflate ? " after decompression" : "");
	}
	uint64_t total = s->given + bytes->n;
	if (s->inflate && total > FREE_BYTES && s->taken && (total - 1) / s->taken >= l->ratio)
		mlv_err_set(&s->err, MLV_E_LIMIT,
			    "%" PRIu64 " compressed bytes became %" PRIu64
			    ", a ratio above %" PRIu64 "; raise it with --limit ratio=N",
			    s->taken, total, l->ratio);
}

static enum mlv_rc failed(const struct mlv_source *s, struct mlv_err *err)
{
	if (err && !err->rc)
		*err = s->err;
	return s->err.rc;
}

enum mlv_rc mlv_source_next(struct mlv_source *s, struct mlv_bytes *span, struct mlv_err *err)
{
	struct mlv_bytes bytes = { NULL, 0 };
	if (s->err.rc)
		return failed(s, err);
	if (!s->ended) {
		if (s->inflate)
			bytes = (struct mlv_bytes){ s->out, decode(s) };
		else if (!mlv_stored_next(&s->stored, &bytes, &s->err))
			s->ended = bytes.n == 0;
		apply_limits(s, &bytes);
	}
	s->given += bytes.n;
	if (s->err.rc) {
		s->err.file = s->name;
		s->err.offset = s->given;
		if (!bytes.n)
			return failed(s, err);
	}
	*span = bytes;
	return MLV_OK;
}

void mlv_source_close(struct mlv_source *s)
{
	if (!s)
		return;
	mlv_stored_fini(&s->stored);
	mlv_inflate_destroy(s->inflate);
	free(s->out);
	free(s);
}

bool mlv_source_stable(const struct mlv_source *s)
{
	return mlv_stored_stable(&s->stored) && !s->inflate;
}

const char *mlv_source_name(const struct mlv_source *s)
{
	return s->name;
}

enum mlv_compression mlv_source_compression(const struct mlv_source *s)
{
	return s->compression;
}

uint64_t mlv_source_taken(const struct mlv_source *s)
{
	return s->inflate ? s->taken : s->given;
}

uint64_t mlv_source_stored_bytes(const struct mlv_source *s)
{
	return s->size;
}
