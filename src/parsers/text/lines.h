/* SPDX-License-Identifier: MIT */
#ifndef MLV_PARSERS_TEXT_LINES_H
#define MLV_PARSERS_TEXT_LINES_H
/*
 * Lines of a text as people see them: without line ends, terminal colours and
 * what a progress bar overwrote, and without the prefix by which a launcher
 * says whose line it is: "[rank3]:", "[default3]:", "[default3]:[rank11]:"
 * (rank 11), "[host:3]:", "[1,3]<stdout>:", and "3: " where most lines have it.
 * "(Worker pid=7)" names a process, whose lines are told apart by that. A line longer than
 * the limit on strings is cut.
 */
#include <stdbool.h>
#include <stdint.h>

#include "base/diag.h"
#include "base/limits.h"
#include "base/map.h"
#include "base/reader.h"
#include "base/str.h"

struct mlv_line {
	struct mlv_str raw;  /* the whole line */
	struct mlv_str text; /* without a launcher's prefix */
	uint32_t number;     /* 1-based */
	int64_t rank;        /* by the prefix; -1: none */
	int64_t process;     /* of a worker that the prefix names so; -1: none */
};

struct mlv_lines {
	struct mlv_reader *reader; /* borrowed */
	struct mlv_diags *diags;
	uint64_t limit;
	uint32_t number;
	bool tight;            /* text follows "[rank3]:" or "[host:3]:" without a blank */
	bool labelled;         /* most lines begin with "N: ", as srun --label writes them */
	struct mlv_map global; /* the rank in the job of each rank on a host */
	char *clean;           /* owned: a line that had to be cleaned */
	size_t clean_cap;
};

void mlv_lines_init(struct mlv_lines *l, struct mlv_reader *r, const struct mlv_limits *limits,
		    struct mlv_diags *diags);
void mlv_lines_fini(struct mlv_lines *l);

/* The next line, valid until the call after it. False at the end (or when memory runs out). */
bool mlv_lines_next(struct mlv_lines *l, struct mlv_line *line);

#endif
