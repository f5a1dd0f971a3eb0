/* SPDX-License-Identifier: MIT */
#ifndef MLV_CLI_TIMELINE_PAGE_H
#define MLV_CLI_TIMELINE_PAGE_H
/* The page of `mlviz timeline`: the memory of all panels, and the spans beside it. */
#include "cli/timeline_memory.h"
#include "render/html/page.h"

/* A block for each panel, the first of them "memory-FIRST". MLV_E_NOMEM only. */
enum mlv_rc mlv_panels_blocks(const struct mlv_panels *panels, size_t first, uint64_t capacity,
			      size_t top, struct mlv_html *html, struct mlv_err *err);

/*
 * The page that shows them, and the spans that the inputs hold. Without panels `in` has at least
 * one input. MLV_E_NOMEM only.
 */
enum mlv_rc mlv_timeline_page(const struct mlv_panels *panels, const struct mlv_inputs *in,
			      const struct mlv_memory_options *o, struct mlv_buf *page,
			      struct mlv_err *err);

#endif
