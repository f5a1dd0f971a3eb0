/* SPDX-License-Identifier: MIT */
#ifndef MLV_CLI_HANG_PICTURE_H
#define MLV_CLI_HANG_PICTURE_H
/* The picture of `mlviz hang -o`: the last calls of each rank, below a line with the verdict. */
#include "analysis/hang/hang.h"
#include "cli/picture.h"

/* `p` has a title. MLV_E_USAGE if the picture is too small, MLV_E_NOMEM. */
enum mlv_rc mlv_hang_picture_draw(struct mlv_hang *h, const struct mlv_picture *p,
				  struct mlv_buf *picture, struct mlv_err *err);

#endif
