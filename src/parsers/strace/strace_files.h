/* SPDX-License-Identifier: MIT */
#ifndef MLV_PARSERS_STRACE_STRACE_FILES_H
#define MLV_PARSERS_STRACE_STRACE_FILES_H
/*
 * Which file a descriptor stands for, as far as the log shows it. Threads
 * share a table, a fork takes a copy of it, and execve closes what was opened
 * with O_CLOEXEC.
 */
#include <stdbool.h>
#include <stdint.h>

#include "base/map.h"
#include "base/intern.h"

struct mlv_strace_files {
	struct mlv_map paths; /* descriptor -> id of the path, times 2, plus 1 if close-on-exec */
	uint32_t users;       /* tasks that share it */
};

/* Setting returns false when memory runs out. */
bool mlv_strace_files_set(struct mlv_strace_files *f, int64_t fd, mlv_strid path, bool cloexec);
/* The path; none if it is not known. */
mlv_strid mlv_strace_files_get(const struct mlv_strace_files *f, int64_t fd);
void mlv_strace_files_close(struct mlv_strace_files *f, int64_t fd);
void mlv_strace_files_cloexec(struct mlv_strace_files *f, int64_t fd, bool cloexec);

/*
 * The following walk whole tables. `work` is what may still be spent on such
 * walks in one log, so that no log takes quadratic time; a walk for which it
 * does not suffice leaves an empty table: nothing is known rather than wrong.
 */
bool mlv_strace_files_copy(struct mlv_strace_files *to, const struct mlv_strace_files *from,
			   bool to_exec, uint64_t *work);
bool mlv_strace_files_exec(struct mlv_strace_files *f, uint64_t *work);
bool mlv_strace_files_close_range(struct mlv_strace_files *f, uint64_t first, uint64_t last,
				  bool on_exec, uint64_t *work);

#endif
