/* SPDX-License-Identifier: MIT */
#ifndef MLV_CLI_EXPAND_H
#define MLV_CLI_EXPAND_H
/*
 * Operands that are directories stand for the files in them: the dumps of the
 * ranks of a job lie together, beside files that are no reports. Archives do so
 * as well, but only whoever reads one sees that it is one (load.h).
 */
#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/source.h"
#include "base/vec.h"

struct mlv_path {
	const char *path;
	bool found; /* in a directory: nobody named it, so it may be something else */
	bool taken; /* read already, together with another */
	const struct mlv_buf *data; /* of a member of an archive, its bytes; NULL: of a file */
};

struct mlv_paths {
	struct mlv_arena arena;
	MLV_VEC(struct mlv_path) list;
	uint64_t unreadable; /* below directories */
};

struct mlv_paths_options {
	bool deep;     /* what lies below directories at any depth, too */
	uint64_t most; /* files below one directory */
};

/*
 * Files of directories in the order of their names, digits as numbers (rank 2 before rank 10).
 * With `deep`, files that an earlier report wrote are left out, and a file that has several names
 * comes once.
 */
enum mlv_rc mlv_paths_init(struct mlv_paths *p, int count, char **operands,
			   const struct mlv_paths_options *o, struct mlv_err *err);
void mlv_paths_fini(struct mlv_paths *p);

/* Open a file, or the bytes of a member. */
enum mlv_rc mlv_path_open(const struct mlv_path *path, const struct mlv_limits *limits,
			  struct mlv_source **src, struct mlv_err *err);

#endif
