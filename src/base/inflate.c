/* SPDX-License-Identifier: MIT */
#define ZLIB_CONST
#include "base/inflate.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

struct mlv_inflate {
	enum mlv_compression kind;
	bool between; /* behind a whole member or frame, before the next */
	z_stream gzip;
	ZSTD_DCtx *zstd;
	int window_log; /* of the largest window that is taken */
};

enum {
	GZIP_WINDOW_BITS = 15 + 16, /* 16: gzip header and checksum */
	LEAST_WINDOW_LOG = 10,      /* of zstd */
	MOST_WINDOW_LOG = 31,
};

enum mlv_compression mlv_inflate_detect(struct mlv_bytes head)
{
	if (head.n >= 3 && memcmp(head.p, "\x1f\x8b\x08", 3) == 0)
		return MLV_GZIP;
	if (head.n >= 4 && memcmp(head.p, "\x28\xb5\x2f\xfd", 4) == 0)
		return MLV_ZSTD;
	/* A skippable frame; pzstd begins its files with one. */
	if (head.n >= 4 && (head.p[0] & 0xf0) == 0x50 && memcmp(head.p + 1, "\x2a\x4d\x18", 3) == 0)
		return MLV_ZSTD;
	return MLV_PLAIN;
}

static int window_log(uint64_t window)
{
	int log = MOST_WINDOW_LOG;
	while (log > LEAST_WINDOW_LOG && UINT64_C(1) << log > window)
		log--;
	return log;
}

struct mlv_inflate *mlv_inflate_create(enum mlv_compression kind, uint64_t window)
{
	struct mlv_inflate *d = calloc(1, sizeof(*d));
	if (!d)
		return NULL;
	d->kind = kind;
	bool ok;
	if (kind == MLV_GZIP) {
		ok = inflateInit2(&d->gzip, GZIP_WINDOW_BITS) == Z_OK;
	} else {
		d->zstd = ZSTD_createDCtx();
		d->window_log = window_log(window);
		ok = d->zstd && !ZSTD_isError(ZSTD_DCtx_setParameter(d->zstd, ZSTD_d_windowLogMax,
								     d->window_log));
	}
	if (ok)
		return d;
	mlv_inflate_destroy(d);
	return NULL;
}

void mlv_inflate_destroy(struct mlv_inflate *d)
{
	if (!d)
		return;
	if (d->kind == MLV_GZIP)
		inflateEnd(&d->gzip);
	ZSTD_freeDCtx(d->zstd);
	free(d);
}

bool mlv_inflate_complete(const struct mlv_inflate *d)
{
	return d->between;
}

static enum mlv_rc gzip_failed(int rc, const char *msg, struct mlv_err *err)
{
	if (rc == Z_MEM_ERROR)
		return mlv_err_nomem(err);
	return mlv_err_set(err, MLV_E_FORMAT, "gzip data is damaged: %s",
			   msg ? msg : "unexpected stream state");
}

/* Behind a member: pass over padding and get ready for the next member, if there is one. */
static enum mlv_rc gzip_next_member(struct mlv_inflate *d, struct mlv_bytes *in,
				    struct mlv_err *err)
{
	while (in->n && *in->p == 0) {
		in->p++;
		in->n--;
	}
	if (!in->n)
		return MLV_OK;
	if (*in->p != 0x1f)
		return mlv_err_set(err, MLV_E_FORMAT,
				   "what follows the gzip data is neither gzip nor padding");
	d->between = false;
	int rc = inflateReset(&d->gzip);
	return rc == Z_OK ? MLV_OK : gzip_failed(rc, d->gzip.msg, err);
}

static enum mlv_rc gzip_step(struct mlv_inflate *d, struct mlv_bytes *in, uint8_t *out, size_t cap,
			     size_t *len, struct mlv_err *err)
{
	z_stream *z = &d->gzip;
	for (;;) {
		if (d->between) {
			enum mlv_rc rc = gzip_next_member(d, in, err);
			if (rc || d->between)
				return rc;
		}
		uInt take = in->n < UINT_MAX ? (uInt)in->n : UINT_MAX;
		uInt give = cap - *len < UINT_MAX ? (uInt)(cap - *len) : UINT_MAX;
		z->next_in = in->p;
		z->avail_in = take;
		z->next_out = out + *len;
		z->avail_out = give;
		int rc = inflate(z, Z_NO_FLUSH);
		in->p += take - z->avail_in;
		in->n -= take - z->avail_in;
		*len += give - z->avail_out;
		if (rc == Z_STREAM_END)
			d->between = true;
		else if (rc != Z_OK && rc != Z_BUF_ERROR)
			return gzip_failed(rc, z->msg, err);
		else if (in->n == 0 || *len == cap)
			return MLV_OK;
		else if (rc == Z_BUF_ERROR)
			return gzip_failed(rc, z->msg, err);
	}
}

/* Content that comes back to what was far before it needs as much memory as it reaches back. */
static enum mlv_rc window_too_large(const struct mlv_inflate *d, struct mlv_err *err)
{
	if (d->window_log == MOST_WINDOW_LOG)
		return mlv_err_set(err, MLV_E_UNSUPPORTED,
				   "the zstd data needs a window above 2 GiB");
	bool small = d->window_log < 20;
	return mlv_err_set(err, MLV_E_LIMIT,
			   "the zstd data needs a window above %llu %s, as from zstd --long; raise "
			   "it with --limit memory=2G",
			   (1ULL << d->window_log) >> (small ? 10 : 20), small ? "KiB" : "MiB");
}

static enum mlv_rc zstd_failed(const struct mlv_inflate *d, size_t code, struct mlv_err *err)
{
	switch (ZSTD_getErrorCode(code)) {
	case ZSTD_error_memory_allocation:
		return mlv_err_nomem(err);
	case ZSTD_error_prefix_unknown:
		return mlv_err_set(err, MLV_E_FORMAT, "what follows the zstd data is not zstd");
	case ZSTD_error_frameParameter_windowTooLarge:
		return window_too_large(d, err);
	case ZSTD_error_dictionary_wrong:
	case ZSTD_error_dictionary_corrupted:
		return mlv_err_set(err, MLV_E_UNSUPPORTED,
				   "the zstd data needs a dictionary: decompress it with "
				   "zstd -d -D DICTIONARY first");
	default:
		return mlv_err_set(err, MLV_E_FORMAT, "zstd data is damaged: %s",
				   ZSTD_getErrorName(code));
	}
}

static enum mlv_rc zstd_step(struct mlv_inflate *d, struct mlv_bytes *in, uint8_t *out, size_t cap,
			     size_t *len, struct mlv_err *err)
{
	for (;;) {
		/* A call without input between two frames would begin a frame. */
		if (d->between && !in->n)
			return MLV_OK;
		ZSTD_inBuffer from = { in->p, in->n, 0 };
		ZSTD_outBuffer to = { out, cap, *len };
		size_t rc = ZSTD_decompressStream(d->zstd, &to, &from);
		in->p += from.pos;
		in->n -= from.pos;
		*len = to.pos;
		if (ZSTD_isError(rc))
			return zstd_failed(d, rc, err);
		d->between = rc == 0;
		if (in->n == 0 || *len == cap)
			return MLV_OK;
	}
}

enum mlv_rc mlv_inflate_step(struct mlv_inflate *d, struct mlv_bytes *in, uint8_t *out, size_t cap,
			     size_t *len, struct mlv_err *err)
{
	return d->kind == MLV_GZIP ? gzip_step(d, in, out, cap, len, err)
				   : zstd_step(d, in, out, cap, len, err);
}
