/* SPDX-License-Identifier: MIT */
#include "base/stored.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { READ_SIZE = 256 * 1024 };

/* How much of a mapping is made present at once. */
enum { POPULATED = 256 << 20 };

void mlv_stored_init(struct mlv_stored *s)
{
	*s = (struct mlv_stored){ .fd = -1, .rest = { (const uint8_t *)"", 0 } };
}

void mlv_stored_fini(struct mlv_stored *s)
{
	if (s->map)
		munmap(s->map, s->map_size);
	if (s->close_fd && s->fd >= 0)
		close(s->fd);
	free(s->read_buf);
	free(s->piece);
}

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

enum mlv_rc mlv_stored_next(struct mlv_stored *s, struct mlv_bytes *bytes, struct mlv_err *err)
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

enum mlv_rc mlv_stored_peek(struct mlv_stored *s, size_t least, struct mlv_bytes *head,
			    struct mlv_err *err)
{
	*head = s->rest;
	if (s->fd < 0)
		return MLV_OK;
	for (size_t n = 1; n && s->peeked < least; s->peeked += n) {
		enum mlv_rc rc =
			read_some(s->fd, s->read_buf + s->peeked, READ_SIZE - s->peeked, &n, err);
		if (rc)
			return rc;
	}
	*head = (struct mlv_bytes){ s->read_buf, s->peeked };
	return MLV_OK;
}

/* Map a regular file from its current position on. False: it has to be read instead, which
 * also gets the content of files that claim to be empty, such as those of /proc. */
static bool map_file(struct mlv_stored *s, const struct stat *st)
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
	return true;
}

enum mlv_rc mlv_stored_open(struct mlv_stored *s, const char *path, struct mlv_err *err)
{
	if (strcmp(path, "-") == 0) {
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
