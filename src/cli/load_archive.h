/* SPDX-License-Identifier: MIT */
#ifndef MLV_CLI_LOAD_ARCHIVE_H
#define MLV_CLI_LOAD_ARCHIVE_H
/*
 * Within the reading of inputs: the files of an archive, one after the other as
 * they stand in it. Of each only the first bytes are read unless they are a
 * report's; then its bytes are in memory while it is parsed.
 */
#include "base/reader.h"
#include "cli/load.h"

/* `r` is at the beginning of the archive. What goes wrong is told as of files. */
void mlv_load_archive(struct mlv_inputs *in, const struct mlv_path *path, struct mlv_reader *r,
		      const struct mlv_common *c);

/* ---- load.c, for it ---- */

/* The first bytes, by which an input is judged, and which parser takes them. */
struct mlv_bytes mlv_load_head(struct mlv_reader *r);
enum mlv_rc mlv_load_find(struct mlv_bytes head, const struct mlv_common *c,
			  const struct mlv_parser **parser, struct mlv_err *err);
/* One file, and each of several alone or with those that it belongs to. */
void mlv_load_one(struct mlv_inputs *in, const struct mlv_path *path, const struct mlv_common *c);
void mlv_load_all(struct mlv_inputs *in, struct mlv_paths *paths, const struct mlv_common *c);
/* Let the visitor know. */
void mlv_load_damage(struct mlv_inputs *in, const char *file, const char *text);

#endif
