/* SPDX-License-Identifier: MIT */
#ifndef MLV_CLI_PARTS_H
#define MLV_CLI_PARTS_H
/*
 * Files that are one recording together: those of strace -ff, whose names end
 * in the number of a process. What they are is judged by their content; a
 * name only says which of them belong together, and of which process each is.
 */
#include "base/reader.h"
#include "base/source.h"
#include "cli/expand.h"
#include "cli/option.h"
#include "parsers/parser.h"

struct mlv_parts {
	const struct mlv_parser *parser; /* NULL: the file is none of several */
	struct mlv_part *list;           /* ascending numbers */
	size_t count;
	const char *name; /* "NAME.*", or of the only one its own */
	uint64_t stored_bytes;
	enum mlv_compression compression; /* of the first */
	struct mlv_path **paths;          /* borrowed, as are the names */
	struct mlv_source **sources;
	struct mlv_reader *readers;
};

/*
 * The files among `paths` from `first` on that belong to that one, each of
 * which is marked as taken. Files that cannot be opened are left to the caller.
 */
enum mlv_rc mlv_parts_init(struct mlv_parts *parts, struct mlv_paths *paths, size_t first,
			   const struct mlv_common *c, struct mlv_err *err);
void mlv_parts_fini(struct mlv_parts *parts);

/* Whether a name ends in a number: "many.4711", "many.4711.gz". `stem` is what stands before. */
bool mlv_part_name(const char *path, struct mlv_str *stem, int64_t *number);

#endif
