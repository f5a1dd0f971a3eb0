/* SPDX-License-Identifier: MIT */
#ifndef MLV_BASE_ARCHIVE_H
#define MLV_BASE_ARCHIVE_H
/*
 * A tar archive, one member after the other, without unpacking it: what a CI
 * keeps of a run is often one file. Its bytes come from a reader, which undoes
 * gzip and zstd and keeps the limits on bytes and ratio; libarchive takes the
 * archive apart. Of a damaged or truncated one, all before the damage is there.
 */
#include "base/buf.h"
#include "base/reader.h"

struct mlv_archive;

/* Whether what begins so, after decompression, is a tar archive. */
bool mlv_archive_looks(struct mlv_bytes head);

/* `r` is borrowed, and its bytes are taken. */
enum mlv_rc mlv_archive_create(struct mlv_archive **out, struct mlv_reader *r,
			       const struct mlv_limits *limits, struct mlv_err *err);
void mlv_archive_destroy(struct mlv_archive *a); /* NULL is fine */

/*
 * Go to the next regular file; what is none, and what lies in hidden
 * directories, is passed over. *name is valid until the next call, and NULL at
 * the end. MLV_E_LIMIT for too many, MLV_E_FORMAT for damage: no more comes then.
 */
enum mlv_rc mlv_archive_next(struct mlv_archive *a, const char **name, struct mlv_err *err);

/*
 * Add bytes of the member until there are `most` in `data`, or it ends. After an
 * error `data` holds what could be read, and no other member comes.
 */
enum mlv_rc mlv_archive_read(struct mlv_archive *a, struct mlv_buf *data, size_t most,
			     struct mlv_err *err);

#endif
