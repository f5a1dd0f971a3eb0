/* SPDX-License-Identifier: MIT */
#ifndef MLV_RENDER_MEMORY_HOVER_H
#define MLV_RENDER_MEMORY_HOVER_H
/* What a browser shows when the pointer rests on an allocation or a band. */
#include "analysis/classes.h"
#include "analysis/stacking.h"
#include "base/buf.h"

/* Replaces what `out` holds. */
void mlv_hover_text(const struct mlv_classes *classes, const struct mlv_shape *shape,
		    struct mlv_buf *out);

#endif
