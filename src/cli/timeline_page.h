/* SPDX-License-Identifier: MIT */
#ifndef MLV_CLI_TIMELINE_PAGE_H
#define MLV_CLI_TIMELINE_PAGE_H
/* The memory of all panels on its way into the page, for `mlviz timeline` and reports. */
#include "cli/timeline_memory.h"
#include "render/html/page.h"

/* A block for each panel; `title` of the page is the business of the caller. MLV_E_NOMEM only. */
enum mlv_rc mlv_panels_blocks(const struct mlv_panels *panels, uint64_t capacity, size_t top,
			      struct mlv_html *html, struct mlv_err *err);

/* The page that shows them and nothing else. */
enum mlv_rc mlv_memory_page(const struct mlv_panels *panels, const struct mlv_memory_options *o,
			    struct mlv_buf *page, struct mlv_err *err);

#endif
