/* SPDX-License-Identifier: MIT */
#ifndef MLV_CLI_FLAME_PICTURE_H
#define MLV_CLI_FLAME_PICTURE_H
/* A flame graph of inputs as a picture. */
#include "cli/flame_source.h"
#include "cli/picture.h"

struct mlv_flame_picture {
	struct mlv_picture picture; /* height 0: as many rows as it has */
	uint32_t least;             /* pixels of the narrowest bar */
	bool inverted;
};

enum mlv_rc mlv_flame_picture_draw(const struct mlv_flame_source *source,
				   const struct mlv_flame_picture *p, struct mlv_buf *out,
				   struct mlv_err *err);

/* "requested bytes alive at the peak, after event 9 934: 3.11 GiB" */
void mlv_flame_picture_what(const struct mlv_flame_source *source, struct mlv_buf *out);

#endif
