/* SPDX-License-Identifier: MIT */
/*
 * Two halves: stored_next() gets bytes as they are stored (a mapping, memory,
 * or read(2)), and mlv_source_next() turns them into spans, through a decoder
 * when the content asks for one, and applies the limits.
 */
#include "base/source.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/inflate.h"

enum { READ_SIZE = 256 * 1024, OUT_SIZE = 256 * 1024, HEAD_SIZE = 4, DECODE_SIZE = 1 << 20 };

/* Small files compress as well as they like: the ratio counts beyond this much output. It is also
 * how much longer than what is in it the stored data may be, for padding and headers. */
static const uint64_t FREE_BYTES = UINT64_C(64) << 20;

/* How much of a mapping is made present at once. */
enum { POPULATED = 256 << 20 };

struct mlv_source {
	const char *name;
	struct mlv_limits limits;
	enum mlv_compression compression;
	uint64_t stored; /* bytes as stored, 0 = unknown */
	uint64_t taken;  /* stored bytes given to the decoder */
	uint64_t given;  /* decompressed bytes handed out */
	struct mlv_err err;
	bool ended;

	/* Stored bytes: `rest` for a mapping or memory, else `fd`. */
	struct mlv_bytes rest;
	size_t chunk; /* most bytes of `rest` at a time; 0 = all */
	void *map;
	size_t map_size;
	int fd;
	bool close_fd;
	uint8_t *read_buf;
	size_t peeked;  /* bytes in read_buf that were read to see the kind of content */
	uint8_t *piece; /* the current chunk on its own, so that checkers see a step beyond it */

	struct mlv_inflate *inflate;
	struct mlv_bytes in;
	uint8_t *out;
};

static enum mlv_rc read_failed(int error, struct mlv_err *err)
{
	return mlv_err_set(err, MLV_E_IO, "cannot read: %s", strerror(error));
}

/* read(2) that waits, whatever the mode of a descriptor that others gave us. */
static enum mlv_rc read_some(int fd, uint8_t *p, size_t n, size_t *got, struct mlv_err *err)
{
	for (;;) {
		ssize_t k = read(fd, p, n);
		if (k >= 0) {
			*got = (size_t)k;
			return MLV_OK;
		}
		if (errno == EAGAIN || errno == EWOULDBLOCK) {
			struct pollfd wait = { .fd = fd, .events = POLLIN };
			if (poll(&wait, 1, -1) < 0 && errno != EINTR)
				return read_failed(errno, err);
		} else if (errno != EINTR) {
			return read_failed(errno, err);
		}
	}
}

/* The next bytes as stored; none at the end. */
static enum mlv_rc stored_next(struct mlv_source *s, struct mlv_bytes *bytes, struct mlv_err *err)
{
	if (s->fd >= 0) {
		size_t n = s->peeked;
		s->peeked = 0;
		if (!n) {
			enum mlv_rc rc = read_some(s->fd, s->read_buf, READ_SIZE, &n, err);
			if (rc)
				return rc;
		}
		*bytes = (struct mlv_bytes){ s->read_buf, n };
		return MLV_OK;
	}
	size_t n = s->rest.n;
	if (s->chunk && n > s->chunk)
		n = s->chunk;
	const uint8_t *p = s->rest.p;
	s->rest.p += n;
	s->rest.n -= n;
	if (s->chunk && n) {
		free(s->piece);
		s->piece = malloc(n);
		if (!s->piece)
			return mlv_err_nomem(err);
		memcpy(s->piece, p, n);
		p = s->piece;
	}
	*bytes = (struct mlv_bytes){ p, n };
	return MLV_OK;
}

/* See by the first bytes whether the content is compressed, and prepare for it. */
static enum mlv_rc recognise(struct mlv_source *s, struct mlv_err *err)
{
	struct mlv_bytes head = s->rest;
	if (s->fd >= 0) {
		size_t n = 1;
		while (n && s->peeked < HEAD_SIZE) {
			enum mlv_rc rc = read_some(s->fd, s->read_buf + s->peeked,
						   READ_SIZE - s->peeked, &n, err);
			if (rc)
				return rc;
			s->peeked += n;
		}
		head = (struct mlv_bytes){ s->read_buf, s->peeked };
	}
	s->compression = mlv_inflate_detect(head);
	if (s->compression == MLV_PLAIN)
		return MLV_OK;
	s->inflate = mlv_inflate_create(s->compression, s->limits.memory);
	s->out = malloc(OUT_SIZE);
	return s->inflate && s->out ? MLV_OK : mlv_err_nomem(err);
}

/* Map a regular file from its current position on. False: it has to be read instead, which
 * also gets the content of files that claim to be empty, such as those of /proc. */
static bool map_file(struct mlv_source *s, const struct stat *st)
{
	if (!S_ISREG(st->st_mode) || st->st_size <= 0 || (uintmax_t)st->st_size > SIZE_MAX)
		return false;
	size_t size = (size_t)st->st_size;
	off_t at = lseek(s->fd, 0, SEEK_CUR);
	if (at < 0 || at >= st->st_size)
		return false;
	void *map = mmap(NULL, size, PROT_READ, MAP_PRIVATE, s->fd, 0);
	if (map == MAP_FAILED)
		return false;
	(void)madvise(map, size, MADV_SEQUENTIAL);
#ifdef MADV_POPULATE_READ
	/* All page faults at once cost a fraction of one after the other; of larger files, whose
	 * reading takes a while, the first part. */
	(void)madvise(map, size < POPULATED ? size : POPULATED, MADV_POPULATE_READ);
#endif
	s->map = map;
	s->map_size = size;
	s->rest = (struct mlv_bytes){ (const uint8_t *)map + at, size - (size_t)at };
	s->stored = s->rest.n;
	return true;
}

static enum mlv_rc open_stored(struct mlv_source *s, const char *path, struct mlv_err *err)
{
	if (strcmp(path, "-") == 0) {
		s->name = "standard input";
		s->fd = STDIN_FILENO;
	} else {
		s->fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
		s->close_fd = true;
	}
	struct stat st;
	if (s->fd < 0 || fstat(s->fd, &st) < 0)
		return mlv_err_set(err, MLV_E_IO, "cannot open: %s", strerror(errno));
	if (S_ISDIR(st.st_mode))
		return mlv_err_set(err, MLV_E_IO, "is a directory: name a file in it");
	if (map_file(s, &st)) {
		if (s->close_fd)
			close(s->fd);
		s->fd = -1;
		return MLV_OK;
	}
	s->read_buf = malloc(READ_SIZE);
	return s->read_buf ? MLV_OK : mlv_err_nomem(err);
}

static struct mlv_source *source_new(const char *name, const struct mlv_limits *limits)
{
	struct mlv_source *s = calloc(1, sizeof(*s));
	if (s) {
		s->name = name;
		s->limits = *limits;
		s->err = MLV_ERR_INIT;
		s->fd = -1;
		s->in = s->rest = (struct mlv_bytes){ (const uint8_t *)"", 0 };
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
	struct mlv_source *s = source_new(path, limits);
	if (!s)
		return mlv_err_nomem(err);
	return opened(s, open_stored(s, path, err), out, err);
}

enum mlv_rc mlv_source_memory(struct mlv_source **out, const char *name, struct mlv_bytes data,
			      size_t chunk, const struct mlv_limits *limits, struct mlv_err *err)
{
	struct mlv_source *s = source_new(name, limits);
	if (!s)
		return mlv_err_nomem(err);
	if (data.n)
		s->rest = data;
	s->stored = data.n;
	s->chunk = chunk;
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
		if (stored_next(s, &s->in, &s->err))
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
		else if (!stored_next(s, &bytes, &s->err))
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
	if (s->map)
		munmap(s->map, s->map_size);
	if (s->close_fd && s->fd >= 0)
		close(s->fd);
	mlv_inflate_destroy(s->inflate);
	free(s->read_buf);
	free(s->piece);
	free(s->out);
	free(s);
}

bool mlv_source_stable(const struct mlv_source *s)
{
	return s->fd < 0 && !s->chunk && !s->inflate;
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
	return s->stored;
}
