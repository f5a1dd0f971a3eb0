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

/* Appends by whom it was made: the class where no frame tells, else the innermost frames. */
void mlv_hover_stack(const struct mlv_classes *classes, uint32_t cls, const struct mlv_alloc *alloc,
		     struct mlv_buf *out);

#endif
