/* SPDX-License-Identifier: MIT */
#ifndef MLV_CLI_CLASSIFY_PICTURE_H
#define MLV_CLI_CLASSIFY_PICTURE_H
/* The picture of `mlviz classify -o`: the evidence of as many verdicts as fit. */
#include "analysis/growth/classify.h"
#include "cli/picture.h"

/* MLV_E_USAGE if it is too small, MLV_E_NOMEM. */
enum mlv_rc mlv_classify_picture_draw(const struct mlv_verdicts *v,
				      const struct mlv_picture_options *o, enum mlv_form form,
				      struct mlv_buf *picture, struct mlv_err *err);

#endif
