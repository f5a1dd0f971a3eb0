/* SPDX-License-Identifier: MIT */
#ifndef MLV_CLI_EXPAND_H
#define MLV_CLI_EXPAND_H
/*
 * Operands that are directories stand for the files in them: the dumps of the
 * ranks of a job lie together, beside files that are no reports.
 */
#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/vec.h"

struct mlv_path {
	const char *path;
	bool found; /* in a directory: nobody named it, so it may be something else */
	bool taken; /* read already, together with another */
};

struct mlv_paths {
	struct mlv_arena arena;
	MLV_VEC(struct mlv_path) list;
};

/* Files of directories in the order of their names, digits as numbers (rank 2 before rank 10). */
enum mlv_rc mlv_paths_init(struct mlv_paths *p, int count, char **operands, struct mlv_err *err);
void mlv_paths_fini(struct mlv_paths *p);

#endif
