/* SPDX-License-Identifier: MIT */
#ifndef MLV_ANALYSIS_CONSISTENCY_H
#define MLV_ANALYSIS_CONSISTENCY_H
/*
 * Contradictions inside a file that parses: two ranks that wrote one file at
 * once, a dump cut and glued, bytes that changed. Each finding is a
 * diagnostic of severity damage that says what contradicts what.
 * docs/consistency.md describes every check.
 */
#include "analysis/history.h"

/*
 * One device, of which `h` is the history: its final heap, its trace, and each
 * against the other. MLV_E_NOMEM only.
 */
enum mlv_rc mlv_check_device(const struct mlv_history *h, size_t device, struct mlv_diags *diags,
			     struct mlv_err *err);

#endif
