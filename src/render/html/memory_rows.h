/* SPDX-License-Identifier: MIT */
#ifndef MLV_RENDER_HTML_MEMORY_ROWS_H
#define MLV_RENDER_HTML_MEMORY_ROWS_H
/* Columns of one "memory" block (memory_blocks.h). All fail with MLV_E_NOMEM only. */
#include "analysis/classes.h"
#include "render/html/stack_table.h"

/* Larger sizes are cut to this, so that sums of many stay exact in the page; meta.cut tells. */
#define MLV_PAGE_MOST_BYTES (UINT64_C(1) << 52)

static inline int64_t mlv_page_bytes(uint64_t bytes)
{
	return (int64_t)(bytes < MLV_PAGE_MOST_BYTES ? bytes : MLV_PAGE_MOST_BYTES);
}

/* memory_rows.c: allocations and the call sites of their stacks. */
enum mlv_rc mlv_memory_rows_allocs(struct mlv_pack *pack, const struct mlv_history *h,
				   const struct mlv_classes *sites, const struct mlv_stack_table *t,
				   struct mlv_err *err);

/* memory_moments.c: times of events, those that neither allocate nor free, annotations. */
enum mlv_rc mlv_memory_rows_times(struct mlv_pack *pack, const struct mlv_history *h,
				  struct mlv_err *err);
enum mlv_rc mlv_memory_rows_others(struct mlv_pack *pack, const struct mlv_history *h,
				   struct mlv_stack_table *t, struct mlv_err *err);
enum mlv_rc mlv_memory_rows_spans(struct mlv_pack *pack, const struct mlv_history *h,
				  mlv_trackid device, struct mlv_stack_table *t,
				  struct mlv_err *err);

/* memory_segments.c: what was reserved before the first event, and the blocks of allocations. */
enum mlv_rc mlv_memory_rows_segments(struct mlv_pack *pack, const struct mlv_history *h,
				     struct mlv_err *err);

#endif
