/* SPDX-License-Identifier: MIT */
#ifndef MLV_CLI_EXPAND_BELOW_H
#define MLV_CLI_EXPAND_BELOW_H
/* Within the expansion of operands: the files below a directory, at any depth. */
#include "cli/expand.h"

/*
 * Adds them unsorted. Links to directories are not followed, links to files
 * are; what cannot be opened is counted. MLV_E_LIMIT for more than `most`.
 */
enum mlv_rc mlv_paths_below(struct mlv_paths *p, const char *directory, uint64_t most,
			    struct mlv_err *err);

#endif
