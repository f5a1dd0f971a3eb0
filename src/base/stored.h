/* SPDX-License-Identifier: MIT */
#ifndef MLV_BASE_STORED_H
#define MLV_BASE_STORED_H
/*
 * Bytes as they are stored, private to source.c, which decodes them: a regular
 * file is mapped, pipes and what cannot be mapped are read, and a test may give
 * memory.
 */
#include <stdbool.h>

#include "base/source.h"

struct mlv_stored {
	/* Mapped, or memory: what is left of it. Else `fd` is read. */
	struct mlv_bytes rest;
	size_t chunk; /* most bytes of `rest` at a time; 0 = all */
	void *map;
	size_t map_size;
	int fd;
	bool close_fd;
	uint8_t *read_buf;
	size_t peeked;  /* bytes in read_buf that were read to see the kind of content */
	uint8_t *piece; /* the current chunk on its own, so that checkers see a step beyond it */
};

/* No bytes; what mlv_stored_fini() may be called on. */
void mlv_stored_init(struct mlv_stored *s);
void mlv_stored_fini(struct mlv_stored *s);

/* A file, or standard input for "-". */
enum mlv_rc mlv_stored_open(struct mlv_stored *s, const char *path, struct mlv_err *err);

/* The first bytes, `least` of them where there are so many. They come again with the next ones. */
enum mlv_rc mlv_stored_peek(struct mlv_stored *s, size_t least, struct mlv_bytes *head,
			    struct mlv_err *err);

/* The next bytes, valid until the next call; none at the end. */
enum mlv_rc mlv_stored_next(struct mlv_stored *s, struct mlv_bytes *bytes, struct mlv_err *err);

/* Whether they stay valid until mlv_stored_fini(). */
static inline bool mlv_stored_stable(const struct mlv_stored *s)
{
	return s->fd < 0 && !s->chunk;
}

#endif
