/* SPDX-License-Identifier: MIT */
#ifndef MLV_REPORT_FLAME_H
#define MLV_REPORT_FLAME_H
/* A settled flame graph in words: its heaviest paths as a tree, and as JSON its heaviest stacks. */
#include "analysis/flame/flame.h"
#include "base/json_write.h"

/*
 * The `top` heaviest branches, those of a parent below it; calls that do
 * nothing but make one other call stand in one line with it. Lines are as wide
 * as `width` if they can be.
 */
enum mlv_rc mlv_flame_text(const struct mlv_flame *f, enum mlv_flame_value value, size_t top,
			   int width, struct mlv_buf *out, struct mlv_err *err);

/* What the graph leaves out, or counts twice: "12 spans never ended"; nothing if it is whole. */
void mlv_flame_notice(const struct mlv_flame *f, struct mlv_buf *out);

/* Members of an object that is open: value, total, and "stacks", the `top` heaviest. */
enum mlv_rc mlv_flame_json(const struct mlv_flame *f, enum mlv_flame_value value, size_t top,
			   struct mlv_json *j, struct mlv_err *err);

#endif
