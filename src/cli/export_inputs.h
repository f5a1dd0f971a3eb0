/* SPDX-License-Identifier: MIT */
#ifndef MLV_CLI_EXPORT_INPUTS_H
#define MLV_CLI_EXPORT_INPUTS_H
/* Inputs in a form of another tool, to a file, a directory or standard output. */
#include "cli/flame_source.h"
#include "cli/load.h"

enum mlv_export_form { MLV_EXPORT_CHROME, MLV_EXPORT_FOLDED, MLV_EXPORT_CSV, MLV_EXPORT_SQLITE };
extern const char *const mlv_export_forms[];

struct mlv_export_ask {
	int to;            /* enum mlv_export_form; -1: not said */
	const char *table; /* of CSV: a table that there is, "all", or NULL: the main one */
	bool raw;          /* of CSV */
	struct mlv_flame_ask flame; /* of folded stacks */
};

struct mlv_exported {
	uint64_t bytes;
	size_t files;
};

/* `path`: NULL is standard output, which a database and all tables cannot go to. */
enum mlv_rc mlv_export_inputs(const struct mlv_inputs *in, const struct mlv_export_ask *ask,
			      const char *path, struct mlv_exported *done, struct mlv_err *err);

#endif
