/* SPDX-License-Identifier: MIT */
#ifndef MLV_REPORT_CI_URI_H
#define MLV_REPORT_CI_URI_H
/*
 * The path of a source file as a URI relative to a repository. A recording
 * names files as the machine had them that ran the program; code scanning
 * wants "src/train.py" with everything else percent-encoded.
 */
#include "base/buf.h"

/*
 * Append it. `root`: the directory at which the repository lay, which is taken
 * off where the path begins with it; NULL. What is left is made relative: a
 * leading '/' or drive goes, and "." and ".." are resolved.
 */
void mlv_ci_uri(struct mlv_buf *out, struct mlv_str path, const char *root);

#endif
